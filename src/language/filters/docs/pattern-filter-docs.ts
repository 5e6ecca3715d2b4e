import type { FilterDocsTable } from './filter-docs.js';

export const patternFilterDocs: FilterDocsTable = {
  regex_replace: {
    takes: 'pattern, replacement?',
    gives: 'the text with each match replaced',
    example: ['{{ "a1b22" | regex_replace: "\\d+", "#" }}', 'a#b#'],
  },
  regex_replace_first: {
    takes: 'pattern, replacement?',
    gives: 'the text with the first match replaced',
    example: ['{{ "a1b22" | regex_replace_first: "\\d+", "#" }}', 'a#b22'],
  },
  regex_extract: {
    takes: 'pattern, group?',
    gives: 'the first match, or a group of it by number or name',
    example: ['{{ "id=42" | regex_extract: "id=(\\d+)", 1 }}', '42'],
  },
};
