import type { FilterDocsTable } from './filter-docs.js';

export const dateFilterDocs: FilterDocsTable = {
  date: {
    takes: 'format, zone?',
    gives: 'the time in a `strftime` format',
    example: ['{{ "2024-01-05T03:04:05Z" | date: "%d %B %Y" }}', '05 January 2024'],
  },
  date_to_xmlschema: {
    takes: '',
    gives: 'the time in ISO 8601',
    example: ['{{ "2024-01-05 03:04:05" | date_to_xmlschema }}', '2024-01-05T03:04:05+00:00'],
  },
  date_to_rfc822: {
    takes: '',
    gives: 'the time as in a mail header',
    example: ['{{ "2024-01-05 03:04:05" | date_to_rfc822 }}', 'Fri, 05 Jan 2024 03:04:05 +0000'],
  },
  date_to_string: {
    takes: 'ordinal?, style?',
    gives: 'the day with a short month',
    example: ['{{ "2024-01-05" | date_to_string }}', '05 Jan 2024'],
  },
  date_to_long_string: {
    takes: 'ordinal?, style?',
    gives: 'the day with a long month',
    example: ['{{ "2024-01-05" | date_to_long_string }}', '05 January 2024'],
  },
};
