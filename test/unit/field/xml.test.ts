import { responseBody } from '../../../src/agents/http-request/response-body.js';
import { buildXml } from '../../../src/agents/http-request/xml-payload.js';
import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { parseXml, XmlError } from '../../../src/platform/text/xml/xml.js';
import { parseBody } from '../../../src/web/webhooks/body-parser.js';

/** The document as a webhook, a response of another server and the parser itself see it; they have to agree. */
async function read(document: string): Promise<JsonValue> {
  const bytes = Buffer.from(document);
  const value = parseXml(document);
  expect((await parseBody(bytes, 'application/xml'))?.value).toEqual(value);
  expect(responseBody(bytes, 'text/xml').body).toEqual(value);
  return value;
}

const parsed = (bytes: Buffer) =>
  evaluateFormula('=XML_PARSE(BASE64_DECODE(x))', { x: bytes.toString('base64') });

describe.each(['A7', 'C5'])('%s: an XML element with an attribute and a child of one name keeps both', () => {
  it.each<[string, JsonValue]>([
    [
      '<host name="web-1"><name>web-1.example.org</name><ip>192.0.2.7</ip></host>',
      { host: { name: ['web-1', 'web-1.example.org'], ip: '192.0.2.7' } },
    ],
    ['<item id="5"><id>7</id></item>', { item: { id: ['5', '7'] } }],
    ['<r><i id="1"><id/><id>3</id></i></r>', { r: { i: { id: ['1', '', '3'] } } }],
    ['<op name="x"><name type="a"><b>1</b></name></op>', { op: { name: ['x', { type: 'a', b: '1' }] } }],
  ])('%s', async (document, value) => {
    expect(await read(document)).toEqual(value);
  });

  it.each(['<a/><b/>', '<a></a>text', 'text<a/>', '<a/><![CDATA[x]]>', ''])(
    '%s is no document',
    (document) => {
      expect(() => parseXml(document)).toThrow(XmlError);
    },
  );
});

describe('B10: every XML name is a key, and nothing but a key', () => {
  it.each([
    'constructor',
    'prototype',
    '__proto__',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
    'length',
    'größe',
    '名前',
    '_',
    'a-b.c_1',
    'a:b:c',
  ])('%s', async (name) => {
    const value = await read(`<r ${name}="0"><${name}>1</${name}><x ${name}="2"/></r>`);
    const expected = `{"r":{${JSON.stringify(name)}:["0","1"],"x":{${JSON.stringify(name)}:"2"}}}`;
    expect(JSON.stringify(value)).toBe(expected);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it.each(['1a', '-a', '.a', 'a b="1" b="2"', 'a&b'])('%s is no name', (name) => {
    expect(() => parseXml(`<${name}/>`)).toThrow(/^not well-formed, line 1/);
  });

  it('a prefix needs no declaration', async () => {
    expect(await read('<s:a s:b="1"/>')).toEqual({ 's:a': { 's:b': '1' } });
  });
});

describe.each(['B11', 'A22'])('%s: an XML element with nothing but text keeps every character', () => {
  it.each<[string, JsonValue]>([
    ['<r>  x  </r>', { r: '  x  ' }],
    ['<p>\n two\t</p>', { p: '\n two\t' }],
    ['<p a="1"> two </p>', { p: { a: '1', '#text': ' two ' } }],
    ['<p>a<!-- b --> c<?d e?></p>', { p: 'a c' }],
    ['<p><![CDATA[ <b> ]]> c</p>', { p: ' <b>  c' }],
    ['<p>a\r\nb\rc</p>', { p: 'a\nb\nc' }],
    ['<p> </p>', { p: ' ' }],
    ['<p></p>', { p: '' }],
    ['<ticket id="7"><id>EXT-9</id></ticket>', { ticket: { id: ['7', 'EXT-9'] } }],
  ])('%j', async (document, value) => {
    expect(await read(document)).toEqual(value);
  });

  it('white space between elements is layout', async () => {
    const value = { a: { b: ['1', { c: '2' }], d: '' } };
    expect(await read('<a>\n  <b>1</b>\n  <b>\n    <c>2</c>\n  </b>\n  <d/>\n</a>\n')).toEqual(value);
    expect(await read('<a><b>1</b><b><c>2</c></b><d/></a>')).toEqual(value);
  });

  it('white space between elements is kept where the document asks for it', async () => {
    expect(await read('<a xml:space="preserve"> <b/> </a>')).toEqual({
      a: { 'xml:space': 'preserve', b: '', '#text': '  ' },
    });
    expect(await read('<a><![CDATA[ ]]><b/></a>')).toEqual({ a: { b: '', '#text': ' ' } });
  });
});

describe('C6: texts beside XML elements keep the spaces between their words', () => {
  it.each<[string, JsonValue]>([
    ['<p>Hello <b>big</b> world</p>', { p: { b: 'big', '#text': 'Hello  world' } }],
    ['<m>hello <b>big</b> world</m>', { m: { b: 'big', '#text': 'hello  world' } }],
    ['<p>1<b>2</b>3<b>4</b>5</p>', { p: { b: ['2', '4'], '#text': '135' } }],
    ['<p>one <b>two</b> <i>three</i></p>', { p: { b: 'two', i: 'three', '#text': 'one  ' } }],
  ])('%s', async (document, value) => {
    expect(await read(document)).toEqual(value);
  });
});

describe('C4: XML_PARSE reads bytes by the encoding that they declare', () => {
  it.each<[string, Buffer]>([
    ['ISO-8859-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>caf\u00e9</a>', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><a>caf\u00e9</a>', 'utf16le')],
    ['UTF-8', Buffer.from('\uFEFF<?xml version="1.0" encoding="utf-16"?><a>caf\u00e9</a>')],
  ])('%s', (_, bytes) => {
    expect(parsed(bytes)).toEqual({ a: 'café' });
  });
});

describe('C32: references of XML are read', () => {
  it.each([
    ['&#0000000000065;&#x41;&#x00000041;', 'AAA'],
    ['&lt;&gt;&amp;&quot;&apos;', '<>&"\''],
    ['M&uuml;ller&nbsp;&eacute;&euro;&hellip;', 'Müller\u00a0é€…'],
    ['&#x1F600;&#13;&#10;', '😀\r\n'],
    ['&amp;lt;', '&lt;'],
  ])('%s', async (reference, text) => {
    expect(await read(`<a b="${reference}">${reference}</a>`)).toEqual({ a: { b: text, '#text': text } });
  });

  it('a document that declares entities itself is refused', () => {
    for (const type of [
      '<!DOCTYPE a [<!ENTITY b "c">]>',
      '<!DOCTYPE a SYSTEM "b" [ ]>',
      "<!DOCTYPE a PUBLIC '[' ']' [\n]>",
    ])
      expect(() => parseXml(`${type}<a/>`)).toThrow('declarations inside the document is not read');
  });

  it('of a document type elsewhere, unknown names stay as they are', async () => {
    expect(await read('<!DOCTYPE a SYSTEM "a.dtd"><a b="&x;">&y;</a>')).toEqual({
      a: { b: '&x;', '#text': '&y;' },
    });
  });

  it.each(['&nothing;', '& ', '&#0;', '&#xD800;', '&#x;', '&#12a;', '&;'])('%s is refused', (reference) => {
    expect(() => parseXml(`<a>${reference}</a>`)).toThrow(/^not well-formed/);
  });
});

describe('an XML payload', () => {
  it.each([
    '<a>  x\t</a>',
    '<a><b>1</b><b/><c>&lt;&amp;&#13;\n"\'</c></a>',
    '<host name="w"><name>x</name>text <b>2</b> more</host>',
    '<r><__proto__>1</__proto__><constructor/></r>',
    '<名前 größe="1"/>',
  ])('of what was read from %j is read as the same value', (document) => {
    const value = parseXml(document);
    expect(JSON.stringify(parseXml(buildXml(value)))).toBe(JSON.stringify(value));
  });

  it.each<[string, JsonObject, RegExp]>([
    ['a list of lists', { a: [[1], [2]] }, /"a" is a list of lists/],
    ['a control character', { a: 'x\u0001' }, /the character U\+0001 is not allowed in XML/],
    ['half of a surrogate pair', { a: '\ud83d' }, /the character U\+D83D is not allowed in XML/],
    ['an object as text', { a: { '#text': { b: 1 } } }, /"#text" has to be a text/],
    ['a key that is no name', { a: { '1': 2 } }, /"1" cannot be the name/],
  ])('with %s is refused', (_, payload, message) => {
    expect(() => buildXml(payload)).toThrow(message);
  });
});
