import type { FilterDocsTable } from './filter-docs.js';

export const documentFilterDocs: FilterDocsTable = {
  as_object: {
    takes: '',
    gives: 'the value itself, if it is the last filter of a single output',
    example: ['{{ items | as_object | size }}', 2],
  },
  s_object: { takes: '', gives: 'the same as `as_object`', example: ['{{ items | s_object | size }}', 2] },
  raw: { takes: '', gives: 'the value unchanged', example: ['{{ "Ada" | raw }}', 'Ada'] },
  json: { takes: '', gives: 'the value as JSON', example: ['Is {{ claims | json }}', 'Is {"sub":"ada"}'] },
  jsonify: {
    takes: '',
    gives: 'the same as `json`',
    example: ['Is {{ claims | jsonify }}', 'Is {"sub":"ada"}'],
  },
  to_json: {
    takes: '',
    gives: 'the same as `json`',
    example: ['Is {{ claims | to_json }}', 'Is {"sub":"ada"}'],
  },
  inspect: {
    takes: '',
    gives: 'the same as `json`',
    example: ['Is {{ claims | inspect }}', 'Is {"sub":"ada"}'],
  },
  neat_json: {
    takes: '',
    gives: 'the value as indented JSON',
    example: ['Is {{ claims | neat_json }}', 'Is {\n  "sub": "ada"\n}'],
  },
  json_parse: {
    takes: '',
    gives: 'the value of a JSON text',
    example: ['{{ "[1,2]" | json_parse }}', [1, 2]],
  },
  parse_json: {
    takes: '',
    gives: 'the same as `json_parse`',
    example: ['{{ "[1,2]" | parse_json }}', [1, 2]],
  },
  fromjson: {
    takes: '',
    gives: 'the same as `json_parse`; empty for text that is not JSON',
    example: ['{{ "[1,2]" | fromjson }}', [1, 2]],
  },
  jsonpath: {
    takes: 'path',
    gives: 'the list of the values at a JSONPath (RFC 9535)',
    example: ['{{ items | jsonpath: "$[*].n" }}', [1, 2]],
  },
  get: {
    takes: 'path, fallback?',
    gives: 'the value at a path',
    example: ['{{ claims | get: "sub" }}', 'ada'],
  },
  default: {
    takes: 'fallback, allow_false?',
    gives: 'the fallback if the value is empty, null or false',
    example: ['{{ nothing | default: "none" }}', 'none'],
  },
  csv_parse: {
    takes: 'separator?, headers?',
    gives: 'the rows of a CSV as objects, or as lists with `headers: false`',
    example: ['{{ table | csv_parse }}', [{ name: 'Ada', n: '1' }]],
  },
  eml_parse: {
    takes: 'single_body?',
    gives: 'the parts of a mail',
    example: ['{{ mail | eml_parse | get: "subject" }}', 'Hello'],
  },
};
