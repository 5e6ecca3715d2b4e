import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkOptions } from '../../../src/agents/index.js';
import { createMailers } from '../../../src/data/mails/create-mailers.js';
import { smtpUrlField } from '../../../src/data/mails/mail-settings-fields.js';
import type { JsonObject } from '../../../src/platform/json.js';
import { createMailer } from '../../../src/platform/outbound/mail/mailer.js';
import type { Mailer } from '../../../src/platform/outbound/mail/mail.js';
import { createSmtpTransport } from '../../../src/platform/outbound/mail/smtp-transport.js';
import { runType } from '../../support/agent-context.js';
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.js';

const MAIL_FROM = 'Fabula <fabula@example.org>';
const dataDir = mkdtempSync(path.join(tmpdir(), 'fabula-mail-'));
let smtp: SmtpTestServer;
let mailer: Mailer;

beforeAll(async () => {
  smtp = await startSmtpServer();
  mailer = createMailer({ smtpUrl: smtp.url, mailFrom: MAIL_FROM, dataDir });
});
afterAll(async () => {
  await mailer.close();
  await smtp.close();
});
beforeEach(() => smtp.clear());

/** Sends a mail and returns it as it arrived, lines unfolded. */
async function sent(options: JsonObject): Promise<string> {
  const all = { subject: 'S', body: 'B', recipients: 'ann@example.com', ...options };
  await runType('Email', all, { mailer });
  return (smtp.mails[0]?.raw ?? '').replace(/\r?\n[ \t]+/g, ' ');
}

const attached = (contentType: string, filename = 'a.bin') => ({
  attachments: [{ filename, base64encodedcontents: 'QQ==', content_type: contentType }],
});

describe('I4: the parameters of an attachment’s content type are kept', () => {
  test.each([
    [
      'text/calendar; method=REQUEST; charset=utf-8',
      /text\/calendar; method=REQUEST; charset=utf-8; name=a\.bin/,
    ],
    ['text/csv; charset=iso-8859-1', /text\/csv; charset=iso-8859-1; name=a\.bin/],
    ['text/plain;charset="utf-8"', /text\/plain; charset=utf-8; name=a\.bin/],
    ['application/x; v=1', /application\/x; v=1; name=a\.bin/],
    [
      'APPLICATION/VND.X+json ; Version="1;2" ;; a=b;',
      /application\/vnd\.x\+json; version="1;2"; a=b; name=a\.bin/i,
    ],
    ['text/calendar;\r\n method=REPLY', /text\/calendar; method=REPLY; name=a\.bin/],
    ['text/plain; charset=utf-8; charset=latin1', /text\/plain; charset=utf-8; name=a\.bin/],
  ])('I4: %j', async (contentType, expected) => {
    expect(await sent(attached(contentType))).toMatch(
      new RegExp(`^Content-Type: ${expected.source}`, `m${expected.flags}`),
    );
  });

  test.each([
    'auto',
    'text/plain; charset',
    'text/plain\r\nBcc: x@example.com',
    'text/plain; a="b\r\nBcc: x@example.com"',
    'text/plain; a="b\0"',
    `text/plain; a=${'b'.repeat(2000)}`,
  ])('I4: %j is no media type: the name decides', async (contentType) => {
    const mail = await sent(attached(contentType, 'a.pdf'));
    expect(mail).toMatch(/^Content-Type: application\/pdf; name=a\.pdf/m);
    expect(mail).not.toMatch(/^Bcc/im);
  });
});

/** Sends a mail, and returns the name that the server was greeted with. */
const ehlo = async (send: Mailer) => {
  await runType('Email', { subject: 'S', body: 'B', recipients: 'ann@example.com' }, { mailer: send });
  await send.close();
  return /^EHLO (.*?)\r$/m.exec(smtp.received())?.[1];
};

describe('I5: the name in EHLO', () => {
  test('I5: is that of the URL, for tenants too', async () => {
    const url = `${smtp.url}?name=mail.example.com`;
    expect(smtpUrlField.validate(url).error).toBeUndefined();
    expect(
      await ehlo(createSmtpTransport({ smtpUrl: url, mailFrom: MAIL_FROM, mailName: 'other.example.com' })),
    ).toBe('mail.example.com');
  });

  test('I5: is otherwise the given one, the host of the public address', async () => {
    expect(
      await ehlo(
        createMailer({ smtpUrl: smtp.url, mailFrom: MAIL_FROM, dataDir, mailName: 'fabula.example.com' }),
      ),
    ).toBe('fabula.example.com');
    smtp.clear();
    const config = {
      smtpUrl: smtp.url,
      smtpOauth: {},
      mailFrom: MAIL_FROM,
      mailFromAllow: [],
      mailMaxRecipients: 0,
      dataDir,
      outboundAllow: [],
      outboundDeny: [],
      outboundAllowHosts: [],
    };
    const mailers = (publicUrl: string) =>
      createMailers({
        config: { ...config, publicUrl },
        database: { read: async () => undefined },
        credentials: {},
        quotas: { requireMail: () => undefined, add: () => undefined },
      } as never);
    const byName = mailers('https://fabula.example.net/x');
    expect(await ehlo({ ...byName.of(1, () => undefined), close: () => byName.close() })).toBe(
      'fabula.example.net',
    );
    smtp.clear();
    const byAddress = mailers('http://127.0.0.1:3000');
    expect(await ehlo({ ...byAddress.of(1, () => undefined), close: () => byAddress.close() })).not.toBe(
      '127.0.0.1',
    );
  });

  test.each([
    '?name=a%0D%0Ab',
    '?name=',
    '?name=a b',
    '?secure=false',
    '?name=a&tls.rejectUnauthorized=false',
    '?name=a&name=b',
  ])('I5: a tenant cannot set %s', (search) => {
    expect(smtpUrlField.validate(`smtp://h.example.com${search}`).error).toBeDefined();
  });
});

describe('I12: control characters in lines of a mail are spaces', () => {
  test('I12: in names of recipients and of the sender', async () => {
    const mail = await sent({
      recipients: ['"A\r\nBcc: x@y.z" <ann@example.com>'],
      sender_name: 'S\r\nX: y\0',
    });
    expect(mail).toMatch(/^To: "?A Bcc: x@y\.z"? <ann@example\.com>\r?$/m);
    expect(mail).toMatch(/^From: "?S X: y"? <fabula@example\.org>\r?$/m);
  });

  test('I12: in the names of attachments, and in the subject', async () => {
    const mail = await sent({ ...attached('text/plain', 'a\r\nb\0.txt'), subject: 'one\0two\x07 three' });
    expect(mail).toMatch(/filename="?a b \.txt/);
    expect(mail).toMatch(/^Subject: one two three\r?$/m);
    expect(mail).not.toMatch(/%0D|%0A|=0D|=00|=07/);
  });
});

test('I13: a mail server without TLS behind smtps:// is named in the words of the HTTP client', async () => {
  const wrong = createMailer({ smtpUrl: smtp.url.replace('smtp:', 'smtps:'), mailFrom: MAIL_FROM, dataDir });
  const run = runType('Email', { subject: 'S', body: 'B', recipients: 'ann@example.com' }, { mailer: wrong });
  await expect(run).rejects.toThrow(
    'the mail was not sent: the TLS handshake failed (ERR_SSL_WRONG_VERSION_NUMBER): the server does not support TLS on this port',
  );
  await wrong.close();
});

test('I4: an attachment with parameters passes the check of an import', () => {
  expect(checkOptions('Agents::EmailAgent', { recipients: 'a@b.c', ...attached('a/b; c=d') })).toEqual([]);
});
