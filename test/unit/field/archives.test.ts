import { crc32 } from 'node:zlib';
import { evaluateFormula } from '../../../src/language/formula/evaluation/evaluate.js';
import type { JsonValue } from '../../../src/platform/json.js';
import { ARCHIVES } from '../../support/zip-archives.js';

interface Unzipped {
  filename: string;
  path: string;
  base64encodedcontents: string;
}

const valueOf = (formula: string, variables: Record<string, JsonValue> = {}) =>
  evaluateFormula(formula, variables);

/** Path and content of each file. */
function filesOf(formula: string, variables: Record<string, JsonValue> = {}): [string, string][] {
  const files = valueOf(formula, variables) as unknown as Unzipped[];
  return files.map((file) => [file.path, Buffer.from(file.base64encodedcontents, 'base64').toString()]);
}

const LONG = 'hello hello hello hello hello hello';

describe('A5: ZIP makes archives', () => {
  it('gives the base64 of an archive where the list function gave JSON', () => {
    const files = [{ name: 'a.txt', contents: 'hello' }];
    expect(valueOf('=BASE64_ENCODE(ZIP(files, "report.zip"))', { files })).toMatch(/^UEsDB/);
    expect(valueOf('=BASE64_ENCODE(ZIP("hello", "a.txt"))')).toMatch(/^UEsDB/);
  });

  it.each<[string, string, [string, string][]]>([
    ['a text with a name', '=UNZIP(ZIP("hello", "a.txt"))', [['a.txt', 'hello']]],
    ['a text alone', '=UNZIP(ZIP("hello"))', [['file', 'hello']]],
    [
      'several texts',
      '=UNZIP(ZIP("1", "a", "2", "b"))',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a text with a password', '=UNZIP(ZIP("hello", "a.txt", "pw"), "pw")', [['a.txt', 'hello']]],
    [
      'several texts with a password',
      '=UNZIP(ZIP("1", "a", "2", "b", "pw"), "pw")',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a named password', '=UNZIP(ZIP("1", "a", password: "pw"), password: "pw")', [['a', '1']]],
    ['files', '=UNZIP(ZIP([{name: "a/b.txt", contents: "hello"}]))', [['a/b.txt', 'hello']]],
    [
      'files in base64 with a password',
      '=UNZIP(ZIP([{name: "ä.txt", base64encodedcontents: "aGVsbG8=", created_at: "2023-01-11T16:06:18+00:00"}], "pw"), "pw")',
      [['ä.txt', 'hello']],
    ],
    ['one file', '=UNZIP(ZIP({filename: "a", contents: "x"}))', [['a', 'x']]],
    ['no file', '=UNZIP(ZIP([]))', []],
    [
      'files of the same name',
      '=UNZIP(ZIP([{name: "a.b", contents: "1"}, {name: "a.b", contents: "2"}, {name: "a (2).b", contents: "3"}]))',
      [
        ['a.b', '1'],
        ['a (2).b', '2'],
        ['a (2) (2).b', '3'],
      ],
    ],
  ])('packs %s', (_, formula, expected) => {
    expect(filesOf(formula)).toEqual(expected);
  });

  it('packs bytes that are no text', () => {
    expect(valueOf('=UNZIP(ZIP(HEX_DECODE("ff00fe"), "a"))[0].base64encodedcontents')).toBe('/wD+');
  });

  it('writes the time of a file', () => {
    const archive = Buffer.from(
      valueOf(
        '=BASE64_ENCODE(ZIP([{name: "a", contents: "x", created_at: "2023-01-11T16:06:18+00:00"}]))',
      ) as string,
      'base64',
    );
    expect([archive.readUInt16LE(10), archive.readUInt16LE(12)]).toEqual([
      (16 << 11) | (6 << 5) | 9,
      (43 << 9) | (1 << 5) | 11,
    ]);
  });

  it('goes on pairing lists for stories of older versions, as ZIP_LISTS does', () => {
    const pairs = [
      ['a', 1],
      ['b', 2],
    ];
    expect(valueOf('=ZIP(["a", "b"], [1, 2])')).toEqual(pairs);
    expect(valueOf('=ZIP_LISTS(["a", "b"], [1, 2])')).toEqual(pairs);
  });

  it.each([
    ['=ZIP([1, 2])', /^ZIP: file 1 must have a name, and contents or base64encodedcontents/],
    ['=ZIP([{name: "a", contents: "x"}, {name: "b"}])', /^ZIP: file 2 must have a name, and contents/],
    [
      '=ZIP([{name: "a", contents: "x", created_at: "soon"}])',
      /created_at of file 1 is not a time in ISO 8601/,
    ],
  ])('names what is wrong in %s', (formula, message) => {
    expect(() => valueOf(formula)).toThrow(message);
  });
});

/** An archive whose bytes were changed after it was made. */
const changed = (name: keyof typeof ARCHIVES, change: (bytes: Buffer) => Buffer | void) => {
  const bytes = Buffer.from(ARCHIVES[name], 'base64');
  return (change(bytes) ?? bytes).toString('base64');
};

describe('A23: archives are opened', () => {
  it('says what there is to know of a file', () => {
    expect(valueOf('=UNZIP(ZIP("hello", "a/b.txt"))')).toEqual([
      {
        filename: 'b.txt',
        content_type: 'text/plain',
        guid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        md5: '5d41402abc4b2a76b9719d911017c592',
        sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
        sizeinbytes: 5,
        base64encodedcontents: 'aGVsbG8=',
        path: 'a/b.txt',
      },
    ]);
    expect(valueOf('=UNZIP(ZIP("a", "nameless"))[0].content_type')).toBe('application/octet-stream');
  });

  it.each<[string, keyof typeof ARCHIVES, [string, string][]]>([
    [
      'of two files',
      'plain',
      [
        ['a.txt', 'hello'],
        ['d/b.txt', LONG],
      ],
    ],
    ['with a folder', 'folders', [['d/b.txt', LONG]]],
    [
      'with the traditional encryption',
      'traditional',
      [
        ['a.txt', 'hello'],
        ['d/b.txt', LONG],
      ],
    ],
    [
      'with AES of 256 bits',
      'aes256',
      [
        ['a.txt', 'hello'],
        ['d/b.txt', LONG],
      ],
    ],
    ['with AES of 128 bits', 'aes128', [['d/b.txt', LONG]]],
    ['whose sizes follow', 'streamed', [['s.txt', 'streamed streamed streamed']]],
    ['with Zip64 fields', 'zip64', [['big.txt', 'zip64']]],
    ['with a name in code page 437', 'codePage', [['xü.txt', 'c']]],
    [
      'behind a program',
      'selfExtracting',
      [
        ['a.txt', 'hello'],
        ['d/b.txt', LONG],
      ],
    ],
  ])('opens an archive of another program %s', (_, name, expected) => {
    expect(filesOf('=UNZIP(BASE64_DECODE(t), "infected")', { t: ARCHIVES[name] })).toEqual(expected);
  });

  it.each<[string, string, RegExp]>([
    ['no archive', Buffer.from('hello').toString('base64'), /^UNZIP: this is not a ZIP archive/],
    ['a password that is wrong', ARCHIVES.traditional, /the password is wrong|is damaged/],
    ['an AES password that is wrong', ARCHIVES.aes256, /the password is wrong/],
    ['another compression', ARCHIVES.bzip2, /x\.txt is compressed by method 12, not by deflate/],
    ['a changed byte', changed('plain', (bytes) => void (bytes[63 + 2] = 0)), /is damaged/],
    ['a cut archive', changed('plain', (bytes) => bytes.subarray(100)), /is cut off|is not where|is damaged/],
    [
      'a wrong size',
      changed('plain', (bytes) => void bytes.writeUInt32LE(99_999_999, 144 + 24)),
      /has 99999999 bytes/,
    ],
  ])('refuses %s', (_, t, message) => {
    expect(() => valueOf('=UNZIP(BASE64_DECODE(t), "wrong")', { t })).toThrow(message);
  });

  it('asks for a password', () => {
    expect(() => valueOf('=UNZIP(BASE64_DECODE(t))', { t: ARCHIVES.aes256 })).toThrow(
      'a.txt needs a password',
    );
  });

  it('refuses a file that unpacks to more than its directory says', () => {
    const t = valueOf('=BASE64_ENCODE(ZIP(JOIN(MAP(RANGE(1, 1000), LAMBDA(x, "aaaaaaaaaa")), ""), "a"))');
    const bytes = Buffer.from(t as string, 'base64');
    const entry = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes.writeUInt32LE(5, entry + 24);
    bytes.writeUInt32LE(crc32('aaaaa'), entry + 16);
    expect(() => valueOf('=UNZIP(BASE64_DECODE(t))', { t: bytes.toString('base64') })).toThrow('is damaged');
  });
});
