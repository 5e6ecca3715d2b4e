import type { FilterDocsTable } from './filter-docs.js';

export const encodingFilterDocs: FilterDocsTable = {
  base64_encode: { takes: '', gives: 'the text in base64', example: ['{{ "Ada" | base64_encode }}', 'QWRh'] },
  base64_decode: {
    takes: '',
    gives: 'the text decoded from base64',
    example: ['{{ "QWRh" | base64_decode }}', 'Ada'],
  },
  base64url_encode: {
    takes: '',
    gives: 'the text in URL-safe base64',
    example: ['{{ "a?>" | base64url_encode }}', 'YT8-'],
  },
  base64url_decode: {
    takes: '',
    gives: 'the text decoded from URL-safe base64',
    example: ['{{ "YT8-" | base64url_decode }}', 'a?>'],
  },
  base64_url_safe_encode: {
    takes: '',
    gives: 'the text in URL-safe base64, with `=` padding',
    example: ['{{ "a" | base64_url_safe_encode }}', 'YQ=='],
  },
  base64_url_safe_decode: {
    takes: '',
    gives: 'the text decoded from URL-safe base64',
    example: ['{{ "YT8-" | base64_url_safe_decode }}', 'a?>'],
  },
  url_encode: {
    takes: '',
    gives: 'the text URL-encoded, with `+` for a space',
    example: ['{{ "a b&c" | url_encode }}', 'a+b%26c'],
  },
  url_decode: {
    takes: '',
    gives: 'the URL-decoded text',
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
    gives: 'the text decoded from hexadecimal digits',
    example: ['{{ "416461" | hex_decode }}', 'Ada'],
  },
  jwt_sign: {
    takes: 'key, algorithm?, headers?',
    gives: 'an object as a signed token; default RS256',
    example: ['{{ claims | jwt_sign: "secret", "HS256" | split: "." | size }}', 3],
  },
  to_uri: {
    takes: 'base?',
    gives: 'the parts of a URL',
    example: ['{% assign uri = "https://a.example/x" | to_uri %}{{ uri.host }}', 'a.example'],
  },
  to_xpath: {
    takes: '',
    gives: 'the text as a literal of XPath',
    example: ['{{ "Ada" | to_xpath }}', '"Ada"'],
  },
};
