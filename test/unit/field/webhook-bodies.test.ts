import { BadRequest, PayloadTooLarge } from '../../../src/platform/errors.js';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { parseParameters } from '../../../src/web/webhooks/bodies/form-body.js';
import { parseBody } from '../../../src/web/webhooks/body-parser.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const valueOf = async (text: string, type: string) => (await parseBody(bytes(text), type))?.value;
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=B';

/** A part whose bytes are the characters of the text. */
const part = (disposition: string, content: string, ...headers: string[]) =>
  [`--B`, `Content-Disposition: form-data; ${disposition}`, ...headers, '', content, ''].join('\r\n');
const multipart = (...parts: string[]) => valueOf(`${parts.join('')}--B--\r\n`, MULTIPART);
const file = (filename: string, text: string): JsonObject => ({
  filename,
  content_type: 'application/octet-stream',
  size: text.length,
  contents: bytes(text).toString('base64'),
});

describe('B7: XML bodies say their charset themselves', () => {
  test.each([
    ['text/xml', '<?xml version="1.0" encoding="ISO-8859-1"?><r><a>caf\xe9</a></r>'],
    ['application/xml', '<?xml version="1.0" encoding="windows-1252"?><r><a>caf\xe9</a></r>'],
    ['text/xml; charset=iso-8859-1', '<?xml version="1.0" encoding="utf-8"?><r><a>caf\xe9</a></r>'],
    [
      'application/soap+xml',
      `\xff\xfe${Buffer.from('<?xml version="1.0" encoding="UTF-16"?><r><a>café</a></r>', 'utf16le').toString('latin1')}`,
    ],
  ])('%s', async (type, body) => {
    expect(await valueOf(body, type)).toEqual({ r: { a: 'café' } });
  });
});

describe('B8: forms in their charset', () => {
  test.each<[string, string, JsonValue]>([
    [FORM, 'first_name=J%F6rg&charset=windows-1252', { first_name: 'Jörg', charset: 'windows-1252' }],
    [`${FORM}; charset=ISO-8859-1`, 'a=caf%E9', { a: 'café' }],
    [`${FORM}; charset=ISO-8859-1`, 'a=caf\xe9&caf%e9=1', { a: 'café', café: '1' }],
    [`${FORM}; charset=Shift_JIS`, 'a=%93%FA%96%7B&b=\x93\xfa', { a: '日本', b: '日' }],
    [FORM, 'a=%93%FA%96%7B&_charset_=shift_jis', { a: '日本', _charset_: 'shift_jis' }],
    [FORM, '_charset_=koi8-r&a=%CF', { _charset_: 'koi8-r', a: 'о' }],
    [FORM, 'a=J%F6rg', { a: 'Jörg' }],
    [FORM, 'a=%C3%B6&charset=iso-8859-1', { a: 'ö', charset: 'iso-8859-1' }],
    [FORM, 'a=%80+1&charset=none', { a: '€ 1', charset: 'none' }],
    [FORM, 'a=\xc3\xb6', { a: 'ö' }],
    [`${FORM}; charset=utf-16le`, 'a\0=\0\xe9\0', { a: 'é' }],
  ])('%s %s', async (type, body, value) => {
    expect(await valueOf(body, type)).toEqual(value);
  });

  test('a query is read so too', () => {
    expect(parseParameters('q=caf%E9&r=caf\xc3\xa9')).toEqual({ q: 'café', r: 'café' });
  });
});

describe('B8: multipart fields in their charset', () => {
  test.each<[string, string[], JsonValue]>([
    [
      'charsets of SendGrid',
      [part('name="charsets"', '{"text":"iso-8859-1","to":"UTF-8"}'), part('name="text"', 'caf\xe9')],
      { charsets: '{"text":"iso-8859-1","to":"UTF-8"}', text: 'café' },
    ],
    [
      '_charset_, after the field',
      [part('name="a"', '\x80'), part('name="_charset_"', 'windows-1252')],
      { a: '€', _charset_: 'windows-1252' },
    ],
    [
      'a part’s own charset first',
      [
        part('name="_charset_"', 'utf-8'),
        part('name="a"', '\xd1', 'Content-Type: text/plain; charset=koi8-r'),
      ],
      { _charset_: 'utf-8', a: 'я' },
    ],
    ['no charset', [part('name="a"', 'caf\xe9')], { a: 'café' }],
    ['a name in Latin-1', [part('name="caf\xe9"', 'x')], { café: 'x' }],
  ])('%s', async (_, parts, value) => {
    expect(await multipart(...parts)).toEqual(value);
  });

  test.each([
    ['filename="caf\xe9.txt"', 'café.txt'],
    ['filename="caf\xc3\xa9.txt"', 'café.txt'],
    ['filename="=?utf-8?B?Y2Fmw6kudHh0?="', 'café.txt'],
    ['filename="=?iso-8859-1?Q?caf=E9.txt?="', 'café.txt'],
    ['filename="C:\\docs\\a.txt"', 'a.txt'],
    ['filename="a \\"b\\".txt"', 'a "b".txt'],
    ['filename=plain.txt', 'plain.txt'],
  ])('the file name of %s', async (disposition, name) => {
    expect(await multipart(part(`name="f"; ${disposition}`, 'x'))).toEqual({ f: file(name, 'x') });
  });

  test('bytes of another type than text are a file', async () => {
    const value = await multipart(part('name="f"', '\xff\xd8', 'Content-Type: image/jpeg'));
    expect(value).toEqual({ f: { ...file('', '\xff\xd8'), content_type: 'image/jpeg' } });
  });
});

describe('B13: several files under one name', () => {
  const files = [part('name="f"; filename="1.txt"', 'one'), part('name="f"; filename="2.txt"', 'two')];
  const list = [file('1.txt', 'one'), file('2.txt', 'two')];

  test('are a list, one is not', async () => {
    expect(await multipart(...files)).toEqual({ f: list });
    expect(await multipart(files[0] ?? '')).toEqual({ f: list[0] });
  });

  test('in nested names, beside a text, and with brackets', async () => {
    const nested = files.map((written) => written.replace('name="f"', 'name="a[f]"'));
    expect(await multipart(...nested)).toEqual({ a: { f: list } });
    expect(await multipart(...files, part('name="f"', 'text'))).toEqual({ f: list });
    const bracketed = files.map((written) => written.replace('name="f"', 'name="f[]"'));
    expect(await multipart(...bracketed)).toEqual({ f: list });
  });

  test('in a part of its own', async () => {
    const inner =
      '--C\r\nContent-Disposition: file; filename="1.txt"\r\n\r\none\r\n--C\r\nContent-Disposition: file; filename="2.txt"\r\n\r\ntwo\r\n--C--';
    const value = await multipart(part('name="f"', inner, 'Content-Type: multipart/mixed; boundary=C'));
    expect(value).toEqual({ f: list });
  });
});

describe('C29: multipart as senders write it', () => {
  const whole = part('name="a"', 'x\ny') + part('name="b"; filename="b"', 'z');
  const value = { a: 'x\ny', b: file('b', 'z') };

  test.each([
    ['usual', `${whole}--B--\r\n`],
    ['white space behind a boundary', `${whole}--B--`.replaceAll('--B\r\n', '--B \t\r\n')],
    ['bare line feeds', `${whole}--B--\r\n`.replaceAll('\r\n', '\n')],
    ['no end mark', `${whole}--B\r\n`],
    ['no end mark and no line end', `${whole}--B`],
    ['a preamble and an epilogue', `hello\r\n--Bx\r\n${whole}--B--\r\nbye\r\n--B\r\n`],
  ])('%s', async (_, body) => {
    expect(await valueOf(body, MULTIPART)).toEqual(value);
  });

  test.each([
    ['base64', 'aGVs\r\nbG8='],
    ['quoted-printable', 'hel=\r\n=6Co'],
    ['8bit', 'hello'],
  ])('transfer encoding %s', async (encoding, content) => {
    const header = `Content-Transfer-Encoding: ${encoding}`;
    expect(await multipart(part('name="f"; filename="f"', content, header))).toEqual({
      f: file('f', 'hello'),
    });
    expect(await multipart(part('name="f"', content, header))).toEqual({ f: 'hello' });
  });

  test('filename* wins over filename', async () => {
    const disposition = `name="f"; filename="bad.txt"; filename*=UTF-8''gr%C3%BCn%20.txt`;
    expect(await multipart(part(disposition, 'x'))).toEqual({ f: file('grün .txt', 'x') });
  });

  test('a header over 16 KiB is refused, as is a body without its end', async () => {
    await expect(multipart(part(`name="${'x'.repeat(20_000)}"`, 'x'))).rejects.toThrow(PayloadTooLarge);
    await expect(valueOf(whole, MULTIPART)).rejects.toThrow(BadRequest);
  });

  test('a body made to cost much is read in little time', async () => {
    const parts = Array.from({ length: 900 }, () => part(`name="a${';x="'.repeat(3000)}`, 'x'));
    await expect(multipart(...parts)).resolves.toBeDefined();
    await expect(
      multipart('--B \r\n'.repeat(100), part('name="a"', '--B-\r\n'.repeat(100_000))),
    ).rejects.toThrow();
  });
});
