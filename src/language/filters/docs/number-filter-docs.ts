import type { FilterDocsTable } from './filter-docs.js';

export const numberFilterDocs: FilterDocsTable = {
  plus: { takes: 'number', gives: 'the sum', example: ['{{ 1 | plus: 2 }}', 3] },
  minus: { takes: 'number', gives: 'the difference', example: ['{{ 5 | minus: 2 }}', 3] },
  times: { takes: 'number', gives: 'the product', example: ['{{ 3 | times: 4 }}', 12] },
  divided_by: {
    takes: 'number',
    gives: 'the quotient; a whole number for whole numbers',
    example: ['{{ 7 | divided_by: 2 }}', 3],
  },
  modulo: { takes: 'number', gives: 'the remainder of the division', example: ['{{ 7 | modulo: 3 }}', 1] },
  at_least: { takes: 'number', gives: 'the larger number', example: ['{{ 3 | at_least: 5 }}', 5] },
  at_most: { takes: 'number', gives: 'the smaller number', example: ['{{ 8 | at_most: 5 }}', 5] },
  abs: { takes: '', gives: 'the number without its sign', example: ['{{ -3 | abs }}', 3] },
  ceil: { takes: '', gives: 'the number rounded up', example: ['{{ 1.2 | ceil }}', 2] },
  floor: { takes: '', gives: 'the number rounded down', example: ['{{ 1.8 | floor }}', 1] },
  round: {
    takes: 'digits?',
    gives: 'the number rounded to a number of decimals (default 0)',
    example: ['{{ 2.346 | round: 2 }}', 2.35],
  },
  to_integer: { takes: '', gives: 'the whole number', example: ['{{ "42" | to_integer }}', 42] },
};
