import type { FilterDocsTable } from './filter-docs.js';

export const encodingFilterDocs: FilterDocsTable = {
  base64_encode: { takes: '', gives: 'the text in base64', example: ['{{ "Ada" | base64_encode }}', 'QWRh'] },
  base64_decode: {
    takes: '',
    gives: 'the text from base64',
    example: ['{{ "QWRh" | base64_decode }}', 'Ada'],
  },
  base64url_encode: {
    takes: '',
    gives: 'the text in base64 for addresses',
    example: ['{{ "a?>" | base64url_encode }}', 'YT8-'],
  },
  base64url_decode: {
    takes: '',
    gives: 'the text from base64 for addresses',
    example: ['{{ "YT8-" | base64url_decode }}', 'a?>'],
  },
  base64_url_safe_encode: {
    takes: '',
    gives: 'the text in base64 for addresses, with `=` at its end',
    example: ['{{ "a" | base64_url_safe_encode }}', 'YQ=='],
  },
  base64_url_safe_decode: {
    takes: '',
    gives: 'the text from base64 for addresses',
    example: ['{{ "YT8-" | base64_url_safe_decode }}', 'a?>'],
  },
  url_encode: {
    takes: '',
    gives: 'the text for a query, with `+` for a space',
    example: ['{{ "a b&c" | url_encode }}', 'a+b%26c'],
  },
  url_decode: {
    takes: '',
    gives: 'the text from a query',
    example: ['{{ "a+b%26c" | url_decode }}', 'a b&c'],
  },
  cgi_escape: {
    takes: '',
    gives: 'the same as `url_encode`',
    example: ['{{ "a b&c" | cgi_escape }}', 'a+b%26c'],
  },
  uri_escape: {
    takes: '',
    gives: 'the same as `cgi_escape`',
    example: ['{{ "a b&c" | uri_escape }}', 'a+b%26c'],
  },
  hex_encode: {
    takes: '',
    gives: 'the bytes of the text in hexadecimal digits',
    example: ['{{ "Ada" | hex_encode }}', '416461'],
  },
  hex_decode: {
    takes: '',
    gives: 'the text that hexadecimal digits stand for',
    example: ['{{ "416461" | hex_decode }}', 'Ada'],
  },
  jwt_sign: {
    takes: 'key, algorithm?, headers?',
    gives: 'an object as a signed token, with RS256 unless named',
    example: ['{{ claims | jwt_sign: "secret", "HS256" | split: "." | size }}', 3],
  },
  to_uri: {
    takes: 'base?',
    gives: 'the parts of an address',
    example: ['{% assign uri = "https://a.example/x" | to_uri %}{{ uri.host }}', 'a.example'],
  },
  to_xpath: {
    takes: '',
    gives: 'the text as a literal of XPath',
    example: ['{{ "Ada" | to_xpath }}', '"Ada"'],
  },
};
