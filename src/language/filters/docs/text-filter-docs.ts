import type { FilterDocsTable } from './filter-docs.js';

export const textFilterDocs: FilterDocsTable = {
  append: {
    takes: 'tail',
    gives: 'the text with `tail` appended',
    example: ['{{ "Ada" | append: "!" }}', 'Ada!'],
  },
  prepend: {
    takes: 'head',
    gives: 'the text with `head` prepended',
    example: ['{{ "Ada" | prepend: "Hi " }}', 'Hi Ada'],
  },
  upcase: { takes: '', gives: 'the text in upper case', example: ['{{ "Ada" | upcase }}', 'ADA'] },
  downcase: { takes: '', gives: 'the text in lower case', example: ['{{ "Ada" | downcase }}', 'ada'] },
  capitalize: {
    takes: '',
    gives: 'the text with a capital first, the rest in lower case',
    example: ['{{ "aDA" | capitalize }}', 'Ada'],
  },
  strip: {
    takes: '',
    gives: 'the text without white space at its ends',
    example: ['{{ " Ada " | strip }}', 'Ada'],
  },
  lstrip: {
    takes: '',
    gives: 'the text without white space at its start',
    example: ['{{ " Ada" | lstrip }}', 'Ada'],
  },
  rstrip: {
    takes: '',
    gives: 'the text without white space at its end',
    example: ['{{ "Ada " | rstrip }}', 'Ada'],
  },
  squish: {
    takes: '',
    gives: 'the text with single spaces, and none at its ends',
    example: ['{{ " a   b " | squish }}', 'a b'],
  },
  normalize_whitespace: {
    takes: '',
    gives: 'the same as `squish`',
    example: ['{{ " a   b " | normalize_whitespace }}', 'a b'],
  },
  strip_newlines: {
    takes: '',
    gives: 'the text without line ends',
    example: ['{{ lines | strip_newlines }}', 'ab'],
  },
  replace: {
    takes: 'search, by?',
    gives: 'the text with each `search` replaced',
    example: ['{{ "a-b-c" | replace: "-", "+" }}', 'a+b+c'],
  },
  replace_first: {
    takes: 'search, by?',
    gives: 'the text with the first `search` replaced',
    example: ['{{ "a-b-c" | replace_first: "-", "+" }}', 'a+b-c'],
  },
  replace_last: {
    takes: 'search, by',
    gives: 'the text with the last `search` replaced',
    example: ['{{ "a-b-c" | replace_last: "-", "+" }}', 'a-b+c'],
  },
  remove: {
    takes: 'search',
    gives: 'the text without each `search`',
    example: ['{{ "a-b-c" | remove: "-" }}', 'abc'],
  },
  remove_first: {
    takes: 'search',
    gives: 'the text without the first `search`',
    example: ['{{ "a-b-c" | remove_first: "-" }}', 'ab-c'],
  },
  remove_last: {
    takes: 'search',
    gives: 'the text without the last `search`',
    example: ['{{ "a-b-c" | remove_last: "-" }}', 'a-bc'],
  },
  split: {
    takes: 'separator',
    gives: 'the list of the parts of the text',
    example: ['{{ "a,b" | split: "," }}', ['a', 'b']],
  },
  truncate: {
    takes: 'length?, ending?',
    gives: 'the text cut to `length` characters (50), with `ending` (`...`)',
    example: ['{{ "a long text" | truncate: 6 }}', 'a l...'],
  },
  truncatewords: {
    takes: 'words?, ending?',
    gives: 'the text cut to a number of words (15)',
    example: ['{{ "one two three" | truncatewords: 2 }}', 'one two...'],
  },
  slice: {
    takes: 'start, length?',
    gives: 'a part of a text or list; negative from its end',
    example: ['{{ "Fabula" | slice: 0, 3 }}', 'Fab'],
  },
  number_of_words: {
    takes: 'mode?',
    gives: 'the number of words',
    example: ['{{ "one two" | number_of_words }}', 2],
  },
  slugify: {
    takes: 'mode?',
    gives: 'the text as a URL slug',
    example: ['{{ "Hello, World!" | slugify }}', 'hello-world'],
  },
};
