import type { JsonValue } from '../../src/platform/json.js';
import { parseXml, XmlError } from '../../src/platform/text/xml/xml.js';

/** Documents that XML 1.0 (fifth edition) and 1.1 call well-formed, by section, with their values. */
const WELL_FORMED: [section: string, document: string, value: JsonValue][] = [
  ['2.1 one root', '<a/>', ''],
  ['2.2 characters', '<a>\t\u00e9\ud83d\ude00\ufffd</a>', '\t\u00e9\ud83d\ude00\ufffd'],
  ['2.3 names', '<a _="1" :="2" x\u00b7-.9="3"/>', { _: '1', ':': '2', 'x\u00b7-.9': '3' }],
  ['2.3 names of the fifth edition', '<a \u0132\u1fff\u3007="1"/>', { '\u0132\u1fff\u3007': '1' }],
  ['2.3 both quotes', `<a b='"' c="'"/>`, { b: '"', c: "'" }],
  ['2.4 brackets in text', '<a>]] ] ></a>', ']] ] >'],
  ['2.5 comments', '<!-- < & --><a><!-- x - y -->b<!----></a><!-- -->', 'b'],
  ['2.6 instructions', '<?x?><a>b<?y z?? > ?>c</a><?x y?>', 'bc'],
  ['2.7 sections', '<a><![CDATA[]]]]><![CDATA[>&lt;<b>]]></a>', ']]>&lt;<b>'],
  ['2.8 a declaration', `<?xml  version = '1.0'  encoding="x-y"  standalone='yes' ?><a/>`, ''],
  ['2.8 a later minor version', '<?xml version="1.7"?><a/>', ''],
  ['2.8 a document type elsewhere', '<!DOCTYPE a PUBLIC "-//[X]//Y" "http://127.0.0.1/y.dtd" ><a/>', ''],
  ['2.11 line ends', '<a b="\r\n">\r\n\r</a>', { b: ' ', '#text': '\n\n' }],
  ['2.12 languages', '<a xml:lang="x"/>', { 'xml:lang': 'x' }],
  ['3.1 white space in tags', '<a\n b\t=\n"1"\t><c ></c\n></a >', { b: '1', c: '' }],
  ['3.1 the other bracket in a value', '<a b=">"/>', { b: '>' }],
  ['3.3.3 white space in values', '<a b="\t1\n&#10;"/>', { b: ' 1 \n' }],
  ['4.1 references', '<a>&#x26;lt;&#38;&amp;</a>', '&lt;&&'],
  ['1.1 control characters', '<?xml version="1.1"?><a>&#1;\u0085</a>', '\u0001\n'],
];

const NOT_WELL_FORMED: [section: string, document: string][] = [
  ['2.1 no root', '<!-- -->'],
  ['2.1 two roots', '<a/><b/>'],
  ['2.1 text behind the root', '<a/>x'],
  ['2.2 a control character', '<a>\u0001</a>'],
  ['2.2 no character', '<a>\ufffe</a>'],
  ['2.2 half of a surrogate pair', '<a>\ud83d</a>'],
  ['2.2 the other half', '<a>\udc80</a>'],
  ['2.3 a name that begins with a digit', '<1/>'],
  ['2.4 the end of a section in text', '<a>]]></a>'],
  ['2.5 two hyphens in a comment', '<a><!-- -- --></a>'],
  ['2.5 a comment that ends with a hyphen', '<a><!-- ---></a>'],
  ['2.6 an instruction without end', '<a/><?x'],
  ['2.6 an instruction named xml', '<a><?XML x?></a>'],
  ['2.7 a section in lower case', '<a><![cdata[x]]></a>'],
  ['2.8 a declaration that is not first', '<!-- --><?xml version="1.0"?><a/>'],
  ['2.8 a declaration without version', '<?xml encoding="UTF-8"?><a/>'],
  ['2.8 a document type behind the root', '<a/><!DOCTYPE a>'],
  ['2.8 two document types', '<!DOCTYPE a><!DOCTYPE a><a/>'],
  ['2.9 neither yes nor no', '<?xml version="1.0" standalone="true"?><a/>'],
  ['3.1 crossed tags', '<a><b></a></b>'],
  ['3.1 an open tag', '<a>'],
  ['3.1 an attribute twice', '<a b="1" b="2"/>'],
  ['3.1 an attribute without quotes', '<a b=1/>'],
  ['3.1 an attribute without value', '<a b/>'],
  ['3.1 attributes without space', '<a b="1"c="2"/>'],
  ['3.1 a bracket in a value', '<a b="<"/>'],
  ['3.1 space before a name', '< a/>'],
  ['3.1 an attribute in an end tag', '<a></a b="1">'],
  ['4.1 an unknown entity', '<a>&unknown;</a>'],
  [
    '4.1 an unknown entity of a standalone document',
    '<?xml version="1.0" standalone="yes"?><!DOCTYPE a SYSTEM "x"><a>&x1;</a>',
  ],
  ['4.1 a reference without end', '<a>&lt</a>'],
  ['4.1 no character', '<a>&#0;</a>'],
  ['4.1 capital X', '<a>&#X41;</a>'],
];

describe('XML as its specification has it', () => {
  it.each(WELL_FORMED)('%s: well-formed', (_, document, value) => {
    expect(parseXml(document)).toEqual({ a: value });
  });

  it.each(NOT_WELL_FORMED)('%s: refused', (_, document) => {
    expect(() => parseXml(document)).toThrow(XmlError);
  });

  it('says where a document is not well-formed', () => {
    expect(() => parseXml('<a>\n  <b></a>')).toThrow(
      'not well-formed, line 2, column 9: unexpected close tag',
    );
  });
});

describe('long texts in XML', () => {
  const long = 'z'.repeat(300_000);

  it('come out as they went in, beside short ones', () => {
    const document = `<a b="${long}"><c> ${long} </c><d>${long}&amp;${long}</d><e><![CDATA[ <${long}> ]]></e></a>`;
    expect(parseXml(document)).toEqual({
      a: { b: long, c: ` ${long} `, d: `${long}&${long}`, e: ` <${long}> ` },
    });
  });

  it('may be tags and names', () => {
    expect(parseXml(`<a ${' '.repeat(600_000)}/>`)).toEqual({ a: '' });
    expect(parseXml(`<a ${long}="1"/>`)).toEqual({ a: { [long]: '1' } });
  });

  it.each([
    ['tags', `<a>${'<b/>'.repeat(200_000)}</a>`, /more than 200000 tags, attributes and references/],
    [
      'attributes behind brackets in values',
      `<a b=">" ${Array.from({ length: 200_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`,
      /more than 200000/,
    ],
    ['levels', '<a>'.repeat(201), /nested deeper than 200 levels/],
  ])('are bounded: too many of %s', (_, document, message) => {
    expect(() => parseXml(document)).toThrow(message);
  });
});
