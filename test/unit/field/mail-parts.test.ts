import { createFormulaLanguage } from '../../../src/language/formula/formula-language.js';
import { textOfBytes } from '../../../src/platform/text/byte-text.js';
import { parseMail } from '../../../src/language/mail/parse-mail.js';
import { templateScope } from '../../support/template-scope.js';

const parse = (source: string | Buffer, options = {}) =>
  parseMail(Buffer.isBuffer(source) ? byteText(source) : source, () => undefined, options);
const byteText = (bytes: Buffer) => textOfBytes(bytes);
const multipart = (type: string, ...parts: string[]) =>
  [
    `Content-Type: multipart/${type}; boundary=B`,
    '',
    ...parts.flatMap((part) => ['--B', part]),
    '--B--',
  ].join('\n');
const bytesIn = (content: string) =>
  parse(multipart('mixed', `Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n${content}`))
    .attachments;
const ALTERNATIVE = multipart(
  'alternative',
  'Content-Type: text/plain\n\nplain',
  'Content-Type: text/html\n\n<a href="http://evil.example.org">x</a>',
);
const HTML = '<a href="http://evil.example.org">x</a>';

describe('A3: characters split over encoded words or RFC 2231 sections stay whole', () => {
  test.each([
    ['=?UTF-8?Q?pasi=C5=BEad=C4?=\n =?UTF-8?Q?=97jim=C5=B3?=', 'pasižadėjimų'],
    ['=?utf-8?B?4oI=?= =?utf-8?B?rA==?=', '€'],
    ['=?utf-8?Q?=E2=82?= =?UTF-8?B?rA==?=', '€'],
    ['=?ISO-2022-JP?B?GyRCRnw=?=\n =?ISO-2022-JP?B?S1w4bBsoQg==?=', '日本語'],
    ['=?gb2312?B?1w==?= =?gb2312?B?1g==?=', '字'],
    ['=?utf-8*en?Q?a?= b =?utf-8?Q?=C3=A9?=', 'a b é'],
    ['=?utf-8?Q?Le 3 nouveaux mod=C3=A8les?=', 'Le 3 nouveaux modèles'],
  ])('subject %j', (subject, text) => {
    expect(parse(`Subject: ${subject}\n\nx`).subject).toBe(text);
  });

  test.each([
    ["filename*0*=utf-8''Rechnung%20%E2%82; filename*1*=%AC.pdf", 'Rechnung €.pdf'],
    ["filename*1*=%AC.pdf; filename*0*=utf-8''%E2%82", '€.pdf'],
    ['filename*0="Annual "; filename*1="Report.pdf"', 'Annual Report.pdf'],
    ['filename="=?utf-8?Q?=E2=82?= =?utf-8?Q?=AC?=.pdf"', '€.pdf'],
    ["filename=fallback.pdf; filename*=windows-1252''%80.pdf", '€.pdf'],
  ])('file name %s', (parameter, filename) => {
    const part = `Content-Type: application/pdf\nContent-Disposition: attachment; ${parameter}\n\nx`;
    expect(parse(multipart('mixed', part)).attachments).toMatchObject([{ filename }]);
  });
});

describe('A18: EML_PARSE takes single_body', () => {
  const language = createFormulaLanguage();
  const scope = templateScope({ m: ALTERNATIVE });

  test.each([
    ['=EML_PARSE(m, single_body: TRUE).body', HTML],
    ['=EML_PARSE(m).body', HTML],
    ['=EML_PARSE(m, single_body: FALSE).body_html', HTML],
    ['=EML_PARSE(m, single_body: FALSE).body_text', 'plain'],
    ['=KEYS(EML_PARSE(m, single_body: FALSE))[7]', 'body_html'],
    ['=HAS_KEY(EML_PARSE(m, single_body: FALSE), "body")', false],
  ])('%s', (formula, value) => {
    expect(language.render(formula, scope)).toEqual(value);
  });
});

describe('A19: body is the HTML, or the text if there is none', () => {
  test.each([
    [ALTERNATIVE, HTML],
    [multipart('alternative', 'Content-Type: text/html\n\n<b>h</b>', '\nplain'), '<b>h</b>'],
    [multipart('mixed', '\nonly text', 'Content-Type: text/html; name=a.html\n\n<b>file</b>'), 'only text'],
    ['Content-Type: text/plain\n\nx', 'x'],
  ])('%#', (mail, body) => {
    expect(parse(mail).body).toBe(body);
  });
});

describe('A22: a mail that starts with empty lines', () => {
  test.each([
    '\n',
    '\r\n\r\n',
    '  \n\t\n',
    'From bob@x.org Thu Jan  1 00:00:00 2026\n',
    '\nFrom bob@x.org Thu\r\n',
  ])('%j before the headers is left out', (before) => {
    expect(parse(`${before}From: a@x.org\nSubject: s\n\nx`)).toMatchObject({
      from: 'a@x.org',
      subject: 's',
      text: 'x',
    });
  });
});

describe('C19: charsets of mails and bytes that are in none', () => {
  test.each([
    ['cp932', 'k/o=', '日'],
    ['win-1251', 'z/Do', 'При'],
    ['latin-1', '6Q==', 'é'],
    ['cp850', 'gg==', 'é'],
    ['cp949', 'x9E=', '한'],
    ['utf-7', 'K0FDay0=', ')'],
  ])('%s is known in subject and text', (charset, base64, text) => {
    const mail = `Subject: =?${charset}?B?${base64}?=\nContent-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: base64\n\n${base64}`;
    expect(parse(mail)).toMatchObject({ subject: text, text });
  });

  test.each([
    Buffer.from('Subject: caf\xe9\nX: \xff\n\nna\xefve', 'latin1'),
    Buffer.from('Subject: =?utf-8?Q?mod=E8les?=\nContent-Type: text/plain; charset=utf-8\n\n\xe9', 'latin1'),
    Buffer.from('Content-Type: text/plain; charset=nonsense\nSubject: =?x-none?Q?=E9=FF?=\n\n\xe9', 'latin1'),
  ])('no text holds half of a surrogate pair', (bytes) => {
    expect(JSON.stringify(parse(bytes))).not.toMatch(/\\ud[89a-f]/i);
  });

  test('8-bit headers without a charset are UTF-8, else windows-1252', () => {
    expect(parse(Buffer.from('Subject: café\n\nx')).subject).toBe('café');
    expect(parse(Buffer.from('Subject: \x80 caf\xe9\n\nx', 'latin1')).subject).toBe('€ café');
  });
});

describe('C33: parts and parameters of mails as senders write them', () => {
  test.each([
    ["multipart/mixed; boundary*=us-ascii''B", 'two'],
    ['multipart/mixed; boundary*0=""; boundary*1="B"', 'two'],
    ['multipart/mixed (a comment); boundary=B (another)', 'two'],
    ['multipart/mixed; boundary="B"; boundary=C', 'two'],
    ['MULTIPART/MIXED; BOUNDARY="B"', 'two'],
  ])('Content-Type: %s has parts', (type) => {
    expect(parse(`Content-Type: ${type}\n\n--B  \n\none\n--B\t\n\ntwo\n--B--`).text).toBe('one\ntwo');
  });

  test.each([
    ['name=This is a test.txt', 'This is a test.txt'],
    ['name="a;b.txt"', 'a;b.txt'],
    ['name="a\\"b.txt" ', 'a"b.txt'],
  ])('Content-Type: text/plain; %s', (parameter, filename) => {
    expect(parse(`Content-Type: text/plain; ${parameter}\n\nx`).attachments).toMatchObject([{ filename }]);
  });

  test('a missing end, a missing boundary and a missing header lose nothing', () => {
    expect(parse('Content-Type: multipart/mixed; boundary=B\n\n--B\n\none\n--B\n\ntwo').text).toBe(
      'one\ntwo',
    );
    expect(parse('Content-Type: multipart/mixed; boundary=B\n\nno parts').text).toBe('no parts');
    expect(parse('Content-Type: multipart/mixed; boundary=B\n\n--B\njust text\nmore\n--B--').text).toBe(
      'just text\nmore',
    );
    expect(parse('just text').text).toBe('just text');
  });

  test('bytes of base64 in padded pieces and with rubbish are all there', () => {
    expect(bytesIn('YQ==\nYg==\nYw==')).toMatchObject([{ base64encodedcontents: 'YWJj' }]);
    expect(bytesIn('Y\n!W(J)j')).toMatchObject([{ base64encodedcontents: 'YWJj' }]);
  });

  test('lines may end in CR alone', () => {
    expect(parse('From: a@x.org\rSubject: s\r\rx\ry')).toMatchObject({
      from: 'a@x.org',
      subject: 's',
      text: 'x\ny',
    });
  });
});
