import type { FilterDocsTable } from './filter-docs.js';

export const listFilterDocs: FilterDocsTable = {
  sum: {
    takes: 'path?',
    gives: 'the sum of the elements, or of their values at `path`',
    example: ['{{ items | sum: "n" }}', 3],
  },
  first: {
    takes: '',
    gives: 'the first element, or character',
    example: ['{{ "a,b" | split: "," | first }}', 'a'],
  },
  last: {
    takes: '',
    gives: 'the last element, or character',
    example: ['{{ "a,b" | split: "," | last }}', 'b'],
  },
  size: { takes: '', gives: 'the number of elements or characters', example: ['{{ "Ada" | size }}', 3] },
  join: {
    takes: 'separator?',
    gives: 'the elements as one text',
    example: ['{{ "a,b" | split: "," | join: " and " }}', 'a and b'],
  },
  reverse: {
    takes: '',
    gives: 'the list in reverse order',
    example: ['{{ "a,b" | split: "," | reverse }}', ['b', 'a']],
  },
  compact: { takes: 'path?', gives: 'the list without null', example: ['{{ gaps | compact }}', [1, 2]] },
  uniq: {
    takes: 'path?',
    gives: 'the list without duplicates',
    example: ['{{ "a,b,a" | split: "," | uniq }}', ['a', 'b']],
  },
  sort: {
    takes: 'path?',
    gives: 'the list sorted',
    example: ['{{ "b,a" | split: "," | sort }}', ['a', 'b']],
  },
  sort_natural: {
    takes: 'path?',
    gives: 'the list sorted, case-insensitive',
    example: ['{{ "b,A" | split: "," | sort_natural }}', ['A', 'b']],
  },
  map: {
    takes: 'path',
    gives: 'the value at `path` of each element',
    example: ['{{ items | map: "name" }}', ['Ada', 'Bob']],
  },
  concat: { takes: 'list', gives: 'both lists joined', example: ['{{ gaps | concat: gaps | size }}', 6] },
  push: {
    takes: 'element',
    gives: 'the list with the element at its end',
    example: ['{{ "a" | split: "," | push: "b" }}', ['a', 'b']],
  },
  unshift: {
    takes: 'element',
    gives: 'the list with the element at its start',
    example: ['{{ "b" | split: "," | unshift: "a" }}', ['a', 'b']],
  },
  pop: {
    takes: 'count?',
    gives: 'the list without its last elements (1)',
    example: ['{{ "a,b" | split: "," | pop }}', ['a']],
  },
  shift: {
    takes: 'count?',
    gives: 'the list without its first elements (1)',
    example: ['{{ "a,b" | split: "," | shift }}', ['b']],
  },
  sample: {
    takes: 'count?',
    gives: 'a random element, or a list of `count` random elements',
    example: ['{{ "a" | split: "," | sample }}', 'a'],
  },
  group_by: {
    takes: 'path',
    gives: 'a list of `{name, items, size}`, one for each value',
    example: ['{{ items | group_by: "name" | map: "size" }}', [1, 1]],
  },
  group_by_exp: {
    takes: 'name, expression',
    gives: 'the same, by the value of an expression',
    example: ['{{ items | group_by_exp: "item", "item.n" | map: "name" }}', [1, 2]],
  },
  array_to_sentence_string: {
    takes: 'connector?',
    gives: 'the elements as a sentence',
    example: ['{{ "a,b,c" | split: "," | array_to_sentence_string }}', 'a, b, and c'],
  },
};
