import type { JsonValue } from '../../src/platform/json.js';
import { parseXml, XmlError } from '../../src/platform/text/xml.js';

const inDoctype = (declarations: string, document = '<a/>') => `<!DOCTYPE a [${declarations}]>${document}`;

/** What XML 1.0 (fifth edition) and 1.1 call well-formed, by section, and its value. */
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
  ['2.8 a document type elsewhere', '<!DOCTYPE a PUBLIC "-//X//Y" "http://127.0.0.1/y.dtd" [ ] ><a/>', ''],
  ['2.8 an internal parameter entity', inDoctype('<!ENTITY % p "<!ENTITY b \'1\'>">%p;', '<a>&b;</a>'), '1'],
  ['2.11 line ends', '<a b="\r\n">\r\n\r</a>', { b: ' ', '#text': '\n\n' }],
  ['2.12 languages', '<a xml:lang="x"/>', { 'xml:lang': 'x' }],
  ['3.1 white space in tags', '<a\n b\t=\n"1"\t><c ></c\n></a >', { b: '1', c: '' }],
  ['3.1 the other bracket in a value', '<a b=">"/>', { b: '>' }],
  ['3.2 models', inDoctype('<!ELEMENT a ( b? , (c|d+)* , (e) )+ ><!ELEMENT b EMPTY><!ELEMENT c ANY>'), ''],
  ['3.2.2 mixed models', inDoctype('<!ELEMENT a (#PCDATA)><!ELEMENT b ( #PCDATA | c | d )* >'), ''],
  [
    '3.3 types of attributes',
    inDoctype('<!ATTLIST a b ID #IMPLIED c (x|1y) #REQUIRED d NOTATION (n) #IMPLIED><!ATTLIST e>'),
    '',
  ],
  [
    '3.3.2 default values; the first counts',
    inDoctype('<!ATTLIST a b CDATA "1" c CDATA #FIXED "&lt;2"><!ATTLIST a b CDATA "3">', '<a b="0"/>'),
    { b: '0', c: '<2' },
  ],
  ['3.3.3 white space in values', '<a b="\t1\n&#10;"/>', { b: ' 1 \n' }],
  [
    '3.3.3 tokens',
    inDoctype('<!ATTLIST a b NMTOKENS #IMPLIED c CDATA #IMPLIED>', '<a b="  x \n y " c="  z "/>'),
    { b: 'x y', c: '  z ' },
  ],
  ['3.4 brackets in a document type', inDoctype('<!-- ]> --><?x ]>?><!ENTITY b "]>">'), ''],
  ['4.1 references', '<a>&#x26;lt;&#38;&amp;</a>', '&lt;&&'],
  ['4.2 the first declaration counts', inDoctype('<!ENTITY b "1"><!ENTITY b "2">', '<a>&b;</a>'), '1'],
  ['4.2 an external entity without use', inDoctype('<!ENTITY b SYSTEM "file:///x" NDATA n>'), ''],
  [
    '4.3.2 elements in entities',
    inDoctype('<!ENTITY b "1<c d=\'2\'/>3">', '<a>&b;</a>'),
    { c: { d: '2' }, '#text': '13' },
  ],
  [
    '4.4 entities in entities',
    inDoctype('<!ENTITY b "1&c;"><!ENTITY c "2">', '<a d="&b;">&b;</a>'),
    { d: '12', '#text': '12' },
  ],
  ['4.4.8 marks of entities in a value', inDoctype('<!ENTITY b "\'&#34;">', '<a c="&b;"/>'), { c: '\'"' }],
  ['4.5 references of references', inDoctype('<!ENTITY b "&#38;#38;&#38;lt;">', '<a>&b;</a>'), '&<'],
  ['4.7 notations', inDoctype('<!NOTATION n PUBLIC "x"><!NOTATION m SYSTEM \'y\'>'), ''],
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
  ['3.2 a model with two separators', inDoctype('<!ELEMENT a (b,c|d)>')],
  ['3.2 a model without end', inDoctype('<!ELEMENT a (b>')],
  ['3.2.2 text not first in a model', inDoctype('<!ELEMENT a (b|#PCDATA)*>')],
  ['3.2.2 a mixed model without its star', inDoctype('<!ELEMENT a (#PCDATA|b)>')],
  ['3.3 an unknown type', inDoctype('<!ATTLIST a b NUMBER #IMPLIED>')],
  ['3.3.2 a default that is declared later', inDoctype('<!ATTLIST a b CDATA "&c;"><!ENTITY c "1">')],
  ['4.1 an unknown entity', '<a>&unknown;</a>'],
  [
    '4.1 an unknown entity of a standalone document',
    '<?xml version="1.0" standalone="yes"?><!DOCTYPE a SYSTEM "x"><a>&x1;</a>',
  ],
  ['4.1 a reference without end', '<a>&lt</a>'],
  ['4.1 no character', '<a>&#0;</a>'],
  ['4.1 capital X', '<a>&#X41;</a>'],
  ['4.1 an entity of itself', inDoctype('<!ENTITY b "&c;"><!ENTITY c "&b;">', '<a>&b;</a>')],
  ['4.2 an entity without text', inDoctype('<!ENTITY b>')],
  ['4.2 a percent sign in the text of an entity', inDoctype('<!ENTITY b "%c;">')],
  [
    '4.3.2 half of an element in an entity',
    inDoctype('<!ENTITY b "<c>"><!ENTITY d "</c>">', '<a>&b;&d;</a>'),
  ],
  ['4.4 a bracket of an entity in a value', inDoctype('<!ENTITY b "<">', '<a c="&b;"/>')],
  ['4.4 an external entity in a value', inDoctype('<!ENTITY b SYSTEM "x">', '<a c="&b;"/>')],
  ['4.7 a notation without identifier', inDoctype('<!NOTATION n>')],
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
    expect(() => parseXml(inDoctype('<!ELEMENT a>'))).toThrow(
      'not well-formed, in the document type: white space is missing before ">]"',
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
    ['a document type', `<!DOCTYPE a [${' '.repeat(70_000)}]><a/>`, /the document type has more than 65536/],
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
