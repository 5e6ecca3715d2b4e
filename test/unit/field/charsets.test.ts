import { charsetNamed } from '../../../src/platform/text/charsets/charset-named.js';
import { decodeBytes, decodeLeniently } from '../../../src/platform/text/charsets/decode-bytes.js';
import { decodeDocument } from '../../../src/platform/text/charsets/document-charset.js';
import { encodeText } from '../../../src/platform/text/charsets/encode-text.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('A2: windows-1252 and every label that means it', () => {
  test.each(['windows-1252', 'cp1252', 'latin1', 'iso-8859-1', 'ascii', 'us-ascii', 'ISO_8859-1:1987', 'l1'])(
    '%s',
    (label) => {
      expect(decodeBytes(bytes('\x93Invoice\x94 \x80 5'), label)).toBe('“Invoice” € 5');
      expect(decodeLeniently(bytes('Don\x92t pay \x80\xa05 \x96 \x85'), label)).toBe(
        'Don’t pay €\u00a05 – …',
      );
    },
  );

  test('bytes without a character keep their number, as browsers read them', () => {
    expect(decodeBytes(bytes('\x81\x8d\x8f\x90\x9d'), 'windows-1252')).toBe('\x81\x8d\x8f\x90\x9d');
  });
});

describe('C19: charsets of mails, by all their names', () => {
  test.each([
    ['cp932', '\x93\xfa\x96\x7b', '日本'],
    ['windows-31j', '\x87\x40', '①'],
    ['cp936', '\xd6\xd0\xce\xc4', '中文'],
    ['cp949', '\xc7\xd1\xb1\xdb', '한글'],
    ['uhc', '\x81\x41', '갂'],
    ['cp950', '\xa4\xa4\xa4\xe5', '中文'],
    ['win-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['windows1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['latin-1', 'caf\xe9', 'café'],
    ['win-1257', '\xf0', 'š'],
    ['cp850', '\x82', 'é'],
    ['cp437', '\x82', 'é'],
    ['IBM852', '\xa5', 'ą'],
    ['utf-7', '+ACk-', ')'],
    ['unicode-1-1-utf-7', 'Hi Mom +Jjo-', 'Hi Mom ☺'],
    ['utf-16', '\xfe\xff\x00a\x20\xac', 'a€'],
    ['utf-16', '\xff\xfea\x00\xac\x20', 'a€'],
    ['utf-16', '\x00a\x00b', 'ab'],
    ['utf-16', 'a\x00b\x00', 'ab'],
    ['utf-32', '\x00\x00\xfe\xff\x00\x01\xf6\x00', '😀'],
    ['iso-2022-jp', '\x1b$BF|K\\\x1b(B', '日本'],
    ['iso-2022-kr', '\x1b$)C\x0e0!\x0f a', '가 a'],
    ['hz-gb-2312', '~{VPND~} ~~', '中文 ~'],
    ['gb18030', '\x95\x32\x82\x36', '𠀀'],
    ['macintosh', '\x8e', 'é'],
    ['"ISO-8859-15"', '\xa4', '€'],
  ])('%s', (label, written, text) => {
    expect(decodeBytes(bytes(written), label)).toBe(text);
    expect(decodeLeniently(bytes(written), label)).toBe(text);
  });

  test.each(['base64', 'hex', 'binary', 'x-unknown', 'constructor', '', 'x'.repeat(1_000_000)])(
    'a name that is no charset',
    (label) => {
      expect(charsetNamed(label)).toBeUndefined();
      expect(decodeBytes(bytes('caf\xe9'), label)).toBeUndefined();
      expect(decodeLeniently(bytes('caf\xe9'), label)).toBe('café');
      expect(decodeBytes(Buffer.from('café'), label)).toBe('café');
    },
  );

  test('no text has half of a surrogate pair, whatever the bytes are', () => {
    const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 251));
    const halves = bytes('a\x00\x00\xd8b\x00\x00\xdc');
    for (const label of [
      'utf-16',
      'utf-16le',
      'utf-32',
      'utf-7',
      'cp437',
      'gb18030',
      'iso-2022-jp',
      'utf-8',
    ]) {
      for (const some of [noise, halves, bytes('+2AA-')]) {
        expect(decodeLeniently(some, label)).not.toMatch(/\p{Surrogate}/u);
        expect(decodeBytes(some, label) ?? '').not.toMatch(/\p{Surrogate}|\uFFFD/u);
      }
    }
  });

  test('ASCII that has other bytes is UTF-8, or windows-1252', () => {
    expect(decodeLeniently(Buffer.from('café'), 'us-ascii')).toBe('café');
    expect(decodeLeniently(bytes('caf\xe9'), 'us-ascii')).toBe('café');
    expect(decodeLeniently(bytes('caf\xe9'), 'utf-8')).toBe('caf\uFFFD');
  });
});

describe('C20: bytes that are not text', () => {
  const plain = { mediaType: 'text/plain' };

  test.each([
    ['without a charset', 'caf\xe9', undefined],
    ['cut in a character', 'caf\xc3', 'utf-8'],
    ['Shift_JIS cut short', '\x93', 'shift_jis'],
    ['UTF-16 with half a pair', '\x00\xd8', 'utf-16le'],
  ])('%s: no text', (_, written, charset) => {
    expect(decodeDocument(bytes(written), { ...plain, charset })).toBeUndefined();
  });

  test('HTML says its charset in <meta>', () => {
    const html = { mediaType: 'text/html' };
    const pages = [
      '<html><head><meta charset=windows-1252></head>\x80',
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">\x80',
      '<!-- <meta charset="koi8-r"> --><META CHARSET=\'latin1\'/>\x80',
    ];
    for (const page of pages) expect(decodeDocument(bytes(page), html)).toContain('€');
    expect(decodeDocument(bytes(`${' '.repeat(2000)}<meta charset=latin1>\x80`), html)).toBeUndefined();
    expect(decodeDocument(bytes('<meta charset=utf-16>caf\xc3\xa9'), html)).toContain('café');
  });

  test('a byte order mark wins over the label', () => {
    expect(decodeDocument(bytes('\xff\xfea\x00'), { ...plain, charset: 'utf-8' })).toBe('a');
    expect(decodeDocument(bytes('\xef\xbb\xbfcaf\xc3\xa9'), { ...plain, charset: 'iso-8859-1' })).toBe(
      'café',
    );
  });
});

describe('C4: XML says its charset itself', () => {
  const xml = { mediaType: 'application/xml' };
  const document = '<?xml version="1.0" encoding="ISO-8859-1"?><a>caf\xe9</a>';

  test.each([
    ['the declaration', bytes(document), undefined],
    ['single quotes', bytes("<?xml version='1.0' encoding = 'windows-1252' ?><a>caf\xe9</a>"), undefined],
    ['the label before the declaration', bytes(document.replace('\xe9', '\x8e')), 'macintosh'],
    ['the declaration where the label is wrong', bytes(document), 'utf-8'],
    ['the declaration where the label is unknown', bytes(document), 'x-mine'],
    [
      'UTF-16 without a mark',
      Buffer.from('<?xml version="1.0" encoding="UTF-16"?><a>café</a>', 'utf16le'),
      undefined,
    ],
    [
      'UTF-8 that claims to be UTF-16',
      Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>café</a>'),
      undefined,
    ],
  ])('%s', (_, written, charset) => {
    expect(decodeDocument(written, { ...xml, charset })).toContain('<a>café</a>');
  });
});

describe('B16: text in the charset of its label', () => {
  test.each([
    ['iso-8859-1', 'hé', 'h\xe9'],
    ['windows-1252', '€', '\x80'],
    ['shift_jis', '日本', '\x93\xfa\x96\x7b'],
    ['iso-2022-jp', '日本', '\x1b$BF|K\\\x1b(B'],
    ['utf-16', 'a', '\xff\xfea\x00'],
    ['utf-16be', 'a', '\x00a'],
    ['cp850', 'é', '\x82'],
    ['UTF-8', 'é', '\xc3\xa9'],
  ])('%s', (label, text, written) => {
    expect(encodeText(text, label)?.toString('latin1')).toBe(written);
  });

  test.each([
    ['iso-8859-1', '€'],
    ['us-ascii', 'é'],
    ['cp850', '日'],
    ['big5', '😀'],
    ['x-unknown', 'a'],
    ['utf-16', '\ud800'],
  ])('%s lacks it', (label, text) => {
    expect(encodeText(text, label)).toBeUndefined();
  });
});
