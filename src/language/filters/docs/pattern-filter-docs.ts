import type { FilterDocsTable } from './filter-docs.js';

export const patternFilterDocs: FilterDocsTable = {
  regex_replace: {
    takes: 'pattern, replacement?',
    gives: 'the text with each match replaced',
    example: ['{{ "a1b22" | regex_replace: "\\d+", "#" }}', 'a#b#'],
  },
};
