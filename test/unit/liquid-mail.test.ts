import { createHash } from 'node:crypto';
import type { JsonObject } from '../../src/platform/json.js';
import { parseMail } from '../../src/language/mail/parse-mail.js';
import { renderLiquid } from '../support/render-liquid.js';

const noLimit = () => undefined;
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);

const mixed = [
  'Received: from a.example',
  '\tby b.example; Wed, 3 Feb 2021 04:05:06 +0000',
  'Received: from c.example',
  'From: "Lee, Ann" <ann@example.test>',
  'To: Bob <bob@example.test>, "x, y" <c@example.test>',
  'Cc: d@example.test',
  'Subject: =?utf-8?Q?Caf=C3=A9?= =?UTF-8?B?IOKYlQ==?= today',
  'Date: Wed, 03 Feb 2021 04:05:06 +0200',
  'Message-ID: <id-1@example.test>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="outer b"',
  '',
  'preamble',
  '--outer b',
  'Content-Type: multipart/alternative; boundary=inner',
  '',
  '--inner',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe, long =',
  'line',
  '--inner',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Grüße</p>',
  '--inner--',
  '--outer b',
  'Content-Type: image/png; name="pic.png"',
  "Content-Disposition: attachment; filename*=utf-8''bild%20%C3%A9.png",
  'Content-Transfer-Encoding: base64',
  '',
  png.toString('base64'),
  '--outer b',
  'Content-Type: message/rfc822',
  '',
  'Subject: inner',
  '',
  'inner body',
  '--outer b--',
  'epilogue',
].join('\r\n');

describe('eml_parse', () => {
  const mail = parseMail(mixed, noLimit);

  it('reads the headers', () => {
    expect(mail).toMatchObject({
      from: 'ann@example.test',
      to: ['bob@example.test', 'c@example.test'],
      cc: ['d@example.test'],
      subject: 'Café ☕ today',
      date: '2021-02-03T02:05:06Z',
      message_id: 'id-1@example.test',
    });
    expect((mail.headers as JsonObject).Received).toEqual([
      'from a.example by b.example; Wed, 3 Feb 2021 04:05:06 +0000',
      'from c.example',
    ]);
    expect((mail.headers as JsonObject)['MIME-Version']).toBe('1.0');
  });

  it('reads text and HTML in their character sets', () => {
    expect(mail.body).toBe('<p>Grüße</p>');
    expect(mail.text).toBe('Grüße, long line');
    expect(mail.html).toBe('<p>Grüße</p>');
  });

  it('gives attachments with their bytes, size and digests', () => {
    expect(mail.attachments).toEqual([
      {
        filename: 'bild é.png',
        content_type: 'image/png',
        sizeinbytes: 6,
        base64encodedcontents: png.toString('base64'),
        md5: createHash('md5').update(png).digest('hex'),
        sha1: createHash('sha1').update(png).digest('hex'),
        sha256: createHash('sha256').update(png).digest('hex'),
      },
      expect.objectContaining({ filename: 'message.eml', content_type: 'message/rfc822' }),
    ]);
  });

  it('takes the text as body where there is no HTML', () => {
    expect(parseMail('Content-Type: text/html\n\n<b>x</b>', noLimit).body).toBe('<b>x</b>');
    expect(parseMail('Content-Type: text/plain\n\nx', noLimit).body).toBe('x');
  });

  it.each(['', 'no mail at all', '\n\n', ': \n', 'Content-Type: multipart/mixed\n\n', ' folded first'])(
    'gives empty fields for %j',
    (text) => {
      expect(parseMail(text, noLimit)).toMatchObject({
        from: '',
        to: [],
        subject: '',
        date: '',
        attachments: [],
      });
    },
  );

  it('reads a mail of bytes after base64_decode', () => {
    const bytes = Buffer.from(
      'Subject: x\nContent-Type: text/plain; charset=iso-8859-1\n\nGr\xfc\xdfe',
      'latin1',
    );
    const rendered = renderLiquid('{{ .f | base64url_decode | eml_parse | as_object }}', {
      f: bytes.toString('base64url'),
    });
    expect(rendered).toMatchObject({ subject: 'x', body: 'Grüße' });
  });
});
