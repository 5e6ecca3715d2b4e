import type { FilterDocsTable } from './filter-docs.js';

export const htmlFilterDocs: FilterDocsTable = {
  escape: { takes: '', gives: 'the text escaped for HTML', example: ['{{ "a < b" | escape }}', 'a &lt; b'] },
  h: { takes: '', gives: 'the same as `escape`', example: ['{{ "a < b" | h }}', 'a &lt; b'] },
  xml_escape: {
    takes: '',
    gives: 'the same as `escape`',
    example: ['{{ "a < b" | xml_escape }}', 'a &lt; b'],
  },
  escape_once: {
    takes: '',
    gives: 'the text escaped for HTML, without escaping twice',
    example: ['{{ "a &lt; b < c" | escape_once }}', 'a &lt; b &lt; c'],
  },
  unescape: {
    takes: '',
    gives: 'the text with HTML entities decoded',
    example: ['{{ "a &lt; b" | unescape }}', 'a < b'],
  },
  newline_to_br: {
    takes: '',
    gives: 'the text with `<br />` before line ends',
    example: ['{{ lines | newline_to_br | strip_newlines }}', 'a<br />b'],
  },
  strip_html: {
    takes: '',
    gives: 'the text without tags',
    example: ['{{ "<b>Ada</b>" | strip_html }}', 'Ada'],
  },
};
