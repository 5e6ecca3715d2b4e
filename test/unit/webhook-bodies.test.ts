import { deflateSync, gzipSync } from 'node:zlib';
import { assert, property, stringMatching } from 'fast-check';
import { AppError, BadRequest, PayloadTooLarge, UnsupportedMediaType } from '../../src/platform/errors.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { parseParameters } from '../../src/web/webhooks/bodies/form-body.js';
import { parseBody } from '../../src/web/webhooks/body-parser.js';
import { decodeContent } from '../../src/platform/http/body/content-encoding.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const parse = (body: string | Buffer, type?: string) => parseBody(Buffer.from(body as string), type);

const part = (disposition: string, content: string, type?: string) =>
  `--B\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${content}\r\n`;
const multipart = (...parts: string[]) =>
  parse(Buffer.from(`${parts.join('')}--B--\r\n`), 'multipart/form-data; boundary=B');

describe('bodies of each kind', () => {
  test.each<[string, string | undefined, string | Buffer, unknown]>([
    ['JSON object', JSON_TYPE, '{"a":[1,null,"x"]}', { value: { a: [1, null, 'x'] } }],
    ['JSON list', JSON_TYPE, '[1]', { value: [1] }],
    ['JSON scalar', JSON_TYPE, '5', { value: 5 }],
    ['JSON null', JSON_TYPE, 'null', { value: null }],
    [
      'JSON with parameters and capitals',
      'Application/JSON; charset=UTF-8',
      '{"a":"é"}',
      { value: { a: 'é' } },
    ],
    ['a +json type', 'application/vnd.api+json', '{"a":1}', { value: { a: 1 } }],
    ['JSON with a byte order mark', JSON_TYPE, '\uFEFF{"a":1}', { value: { a: 1 } }],
    [
      'JSON in another charset',
      'application/json; charset=utf-16le',
      Buffer.from('{"a":"é"}', 'utf16le'),
      { value: { a: 'é' } },
    ],
    ['an unknown charset as UTF-8', 'application/json; charset=klingon', '{"a":"é"}', { value: { a: 'é' } }],
    ['JSON, last of equal keys wins', JSON_TYPE, '{"a":1,"a":2}', { value: { a: 2 } }],
    ['only white space as JSON', JSON_TYPE, ' \r\n', undefined],
    ['nothing as JSON', JSON_TYPE, '', undefined],
    ['nothing as XML', 'text/xml', '', undefined],
    ['nothing without type', undefined, '', undefined],
    ['form', FORM_TYPE, 'a=1&b=x+y%26z', { value: { a: '1', b: 'x y&z' } }],
    ['plain text', 'text/plain', 'hello', { value: 'hello' }],
    ['plain text that is a JSON object', 'text/plain; charset=utf-8', ' {"a":1}', { value: { a: 1 } }],
    ['no type that is a JSON list', undefined, '[1,2]', { value: [1, 2] }],
    ['octets that are a JSON object', 'application/octet-stream', '{"a":1}', { value: { a: 1 } }],
    ['text that is a JSON scalar stays text', 'text/plain', '5', { value: '5' }],
    ['text that begins like JSON', 'text/plain', '{oops', { value: '{oops' }],
    ['another text type is not looked into', 'text/csv', '[1]', { value: '[1]' }],
    ['octets that are text', 'application/octet-stream', 'hello', { value: 'hello' }],
    ['text in latin1', 'text/plain; charset="iso-8859-1"', Buffer.from([0xe9]), { value: 'é' }],
    [
      'bytes that are not text',
      'image/png',
      Buffer.from([0x89, 0x50, 0xff]),
      { value: 'iVD/', encoding: 'base64' },
    ],
    ['bytes with a NUL', undefined, Buffer.from([65, 0]), { value: 'QQA=', encoding: 'base64' }],
  ])('%s', async (_name, type, body, expected) => {
    expect(await parse(body, type)).toEqual(expected);
  });

  test.each([
    ['broken JSON', JSON_TYPE, '{"a":'],
    ['JSON with invalid UTF-8', JSON_TYPE, Buffer.from([0x22, 0xff, 0x22])],
    ['JSON nested 100,000 deep', JSON_TYPE, '['.repeat(100_000) + ']'.repeat(100_000)],
    ['JSON objects nested 2,000 deep', JSON_TYPE, '{"a":'.repeat(2000) + '1' + '}'.repeat(2000)],
    ['XML with crossed tags', 'application/xml', '<a><b></a></b>'],
    ['XML with an open tag', 'text/xml', '<a><b></a>'],
    ['no XML at all', 'text/xml', 'hello'],
    ['XML nested too deep', 'text/xml', '<a>'.repeat(5000) + '</a>'.repeat(5000)],
    [
      'XML with an external entity',
      'text/xml',
      '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l>&x;</l>',
    ],
    ['multipart without boundary', 'multipart/form-data', 'x'],
    [
      'multipart cut short',
      'multipart/form-data; boundary=B',
      '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
    ],
    ['multipart with another boundary', 'multipart/form-data; boundary=B', '--C\r\n\r\n--C--'],
    ['a form nested too deep', FORM_TYPE, `a${'[b]'.repeat(40)}=1`],
  ])('%s is refused as a bad request', async (_name, type, body) => {
    await expect(parse(body, type)).rejects.toThrow(BadRequest);
  });

  test('JSON 200 levels deep is taken', async () => {
    const text = '[{"a":'.repeat(100) + '1' + '}]'.repeat(100);
    expect(JSON.stringify((await parse(text, JSON_TYPE))?.value)).toBe(text);
  });

  test('a wide, long JSON body is not mistaken for a deep one', async () => {
    const value = Array.from({ length: 5000 }, (_, index) => ({ index, tags: ['[[[', '{{{'] }));
    expect((await parse(JSON.stringify(value), JSON_TYPE))?.value).toEqual(value);
  });

  test('a __proto__ key is data and touches no prototype', async () => {
    const text = '{"__proto__":{"polluted":true}}';
    const json = await parse(text, JSON_TYPE);
    const form = await parse('__proto__[polluted]=true&a[__proto__][polluted]=true', FORM_TYPE);
    expect(JSON.stringify(json?.value)).toBe(text);
    expect(JSON.stringify(form?.value)).toBe(
      '{"__proto__":{"polluted":"true"},"a":{"__proto__":{"polluted":"true"}}}',
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('lone surrogates become their escapes', async () => {
    const text = '{"a":"\\ud800"}';
    expect((await parse(text, JSON_TYPE))?.value).toEqual({ a: '\\ud800' });
  });
});

describe('XML', () => {
  test.each<[string, JsonValue]>([
    ['<?xml version="1.0"?><a><b>0012</b><b/></a>', { a: { b: ['0012', ''] } }],
    ['<a x="1 &amp; 2">t &lt; &#65;</a>', { a: { x: '1 & 2', '#text': 't < A' } }],
    ['<s:a xmlns:s="urn:x"><![CDATA[<b>]]></s:a>', { 's:a': { 'xmlns:s': 'urn:x', '#text': '<b>' } }],
  ])('%s', async (xml, expected) => {
    expect((await parse(xml, 'application/soap+xml'))?.value).toEqual(expected);
  });

  test('more than 200,000 tags and attributes are too many', async () => {
    await expect(parse(`<r>${'<i a="1"/>'.repeat(100_001)}</r>`, 'text/xml')).rejects.toThrow(
      PayloadTooLarge,
    );
  });

  test('an entity bomb is not blown up', async () => {
    const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
    const bomb = `<!DOCTYPE l [<!ENTITY e0 "lol">${entities.join('')}]><l>&e12;</l>`;
    const size = await parse(bomb, 'text/xml').then(
      (body) => JSON.stringify(body).length,
      (error: unknown) => (error instanceof AppError ? 0 : Infinity),
    );
    expect(size).toBeLessThan(1000);
  });
});

describe('multipart', () => {
  test('fields nest as in Rails and files become objects with base64 contents', async () => {
    const body = await multipart(
      part('name="a[b]"', 'é'),
      part('name="f"; filename="x.png"', '\u0001\u0002', 'image/png'),
      part('name="list[]"; filename="y"', 'hi', 'application/octet-stream'),
      part('name="meta"', '{"a":1}', 'application/json'),
    );
    expect(body).toEqual({
      value: {
        a: { b: 'é' },
        f: { filename: 'x.png', content_type: 'image/png', size: 2, contents: 'AQI=' },
        list: [{ filename: 'y', content_type: 'application/octet-stream', size: 2, contents: 'aGk=' }],
        meta: '{"a":1}',
      },
    });
  });

  test('an empty file input is left out, an empty file is not', async () => {
    const body = await multipart(
      part('name="none"; filename=""', '', 'application/octet-stream'),
      part('name="empty"; filename="e.txt"', '', 'text/plain'),
    );
    expect(body?.value).toEqual({
      empty: { filename: 'e.txt', content_type: 'text/plain', size: 0, contents: '' },
    });
  });

  test('more than 1,000 parts are too many', async () => {
    const parts = Array.from({ length: 1001 }, (_, index) => part(`name="p${index}"`, 'x'));
    await expect(multipart(...parts)).rejects.toThrow(PayloadTooLarge);
  });

  test('wherever it is cut, it is either parsed or refused, and never hangs', async () => {
    const whole = `${part('name="a"', 'x')}${part('name="f"; filename="x"', 'yy', 'text/plain')}--B--\r\n`;
    for (let length = 1; length < whole.length; length += 1) {
      const outcome = await parse(whole.slice(0, length), 'multipart/form-data; boundary=B').catch(
        (error: unknown) => error,
      );
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(BadRequest);
    }
  });
});

describe('names of parameters', () => {
  test.each<[string, JsonObject]>([
    ['a=1&a=2', { a: '2' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a%5B%5D=1&a[]=2', { a: ['1', '2'] }],
    ['a[b]=1&a[c]=2', { a: { b: '1', c: '2' } }],
    ['a[b][c][]=1', { a: { b: { c: ['1'] } } }],
    ['a[][x]=1&a[][y]=2&a[][x]=3', { a: [{ x: '1', y: '2' }, { x: '3' }] }],
    ['a[][x][p]=1&a[][x][q]=2&a[][x][p]=3', { a: [{ x: { p: '1', q: '2' } }, { x: { p: '3' } }] }],
    ['a[][x][]=1&a[][x][]=2', { a: [{ x: ['1', '2'] }] }],
    ['a[0]=x', { a: { 0: 'x' } }],
    ['a=1&a[b]=2', { a: { b: '2' } }],
    ['a[b]=2&a=1', { a: '1' }],
    ['a[]=1&a[b]=2', { a: { b: '2' } }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['&&a=1&', { a: '1' }],
    ['a[=1', { 'a[': '1' }],
    ['[]=1', { '[]': '1' }],
    ['a[b]c=1', { 'a[b]c': '1' }],
    ['a[][]=1', { 'a[][]': '1' }],
    ['a=%zz', { a: '%zz' }],
    ['a=%ff', { a: 'ÿ' }],
    ['constructor=1&toString[x]=2', { constructor: '1', toString: { x: '2' } }],
  ])('%s', (text, expected) => {
    expect(parseParameters(text)).toEqual(expected);
  });

  test('more than 10,000 are too many', () => {
    expect(() => parseParameters('a=1&'.repeat(10_001))).toThrow(PayloadTooLarge);
  });

  test('any text is either parsed into plain data or refused', () => {
    const names = stringMatching(/^[a-c[\]%=&]{0,24}$/);
    assert(
      property(names, (text) => {
        const parameters = parseParameters(text);
        expect(JSON.parse(JSON.stringify(parameters))).toEqual(parameters);
      }),
    );
  });
});

describe('content encodings', () => {
  const text = Buffer.from('{"a":1}');
  test.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['identity', text],
    [undefined, text],
  ])('%s is undone', async (encoding, bytes) => {
    expect(await decodeContent(bytes, encoding, 1000)).toEqual(text);
  });

  test('a bomb is stopped at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    await expect(decodeContent(bomb, 'gzip', 100_000)).rejects.toThrow(PayloadTooLarge);
  });

  test('damaged data and unknown encodings are refused', async () => {
    await expect(decodeContent(text, 'gzip', 1000)).rejects.toThrow(BadRequest);
    await expect(decodeContent(text, 'zstd', 1000)).rejects.toThrow(UnsupportedMediaType);
  });
});
