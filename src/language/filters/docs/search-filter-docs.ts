import type { FilterDocsTable } from './filter-docs.js';

export const searchFilterDocs: FilterDocsTable = {
  where: {
    takes: 'path, value?',
    gives: 'the elements whose value at `path` is equal, or not null and not false',
    example: ['{{ items | where: "n", 2 | map: "name" }}', ['Bob']],
  },
  reject: {
    takes: 'path, value?',
    gives: 'the other elements',
    example: ['{{ items | reject: "n", 2 | map: "name" }}', ['Ada']],
  },
  find: {
    takes: 'path, value?',
    gives: 'the first such element',
    example: ['{{ items | find: "n", 2 }}', { name: 'Bob', n: 2 }],
  },
  find_index: {
    takes: 'path, value?',
    gives: 'the index of the first such element',
    example: ['{{ items | find_index: "n", 2 }}', 1],
  },
  has: {
    takes: 'path, value?',
    gives: 'whether there is such an element',
    example: ['{{ items | has: "n", 2 }}', true],
  },
  where_exp: {
    takes: 'name, expression',
    gives: 'the elements for which an expression is true',
    example: ['{{ items | where_exp: "item", "item.n > 1" | map: "name" }}', ['Bob']],
  },
  reject_exp: {
    takes: 'name, expression',
    gives: 'the other elements',
    example: ['{{ items | reject_exp: "item", "item.n > 1" | map: "name" }}', ['Ada']],
  },
  find_exp: {
    takes: 'name, expression',
    gives: 'the first such element',
    example: ['{{ items | find_exp: "item", "item.n > 1" }}', { name: 'Bob', n: 2 }],
  },
  find_index_exp: {
    takes: 'name, expression',
    gives: 'the index of the first such element',
    example: ['{{ items | find_index_exp: "item", "item.n > 1" }}', 1],
  },
  has_exp: {
    takes: 'name, expression',
    gives: 'whether there is such an element',
    example: ['{{ items | has_exp: "item", "item.n > 5" }}', false],
  },
};
