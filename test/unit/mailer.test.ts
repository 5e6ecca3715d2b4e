import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AgentError, PermanentJobError } from '../../src/platform/errors.js';
import { createMailer } from '../../src/platform/outbound/mail/mailer.js';
import type { Mail, Mailer } from '../../src/platform/outbound/mail/mail.js';
import { selfSigned } from '../support/certificates.js';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.js';

const mail: Mail = {
  messageId: '<epoch-1-0@fabula>',
  to: [{ name: 'Ann Ä', address: 'ann@example.com' }, { address: 'bob@example.com' }],
  cc: [{ address: 'cc@example.com' }],
  bcc: [{ address: 'hidden@example.com' }],
  replyTo: [{ address: 'reply@example.com' }],
  subject: 'Hello ü\r\nBcc: evil@example.com',
  html: '<p>Hi</p>',
  text: 'Hi',
  attachments: [{ filename: 'a.csv', content: Buffer.from('x,y') }],
};

const mailFrom = 'Fabula <fabula@example.org>';
let smtp: SmtpTestServer;
let mailer: Mailer;
let dataDir: string;

beforeAll(async () => {
  smtp = await startSmtpServer();
  dataDir = mkdtempSync(path.join(tmpdir(), 'fabula-mail-'));
  mailer = createMailer({ smtpUrl: smtp.url, mailFrom, dataDir });
});
afterAll(async () => {
  await mailer.close();
  await smtp.close();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => smtp.clear());

const failureOf = (sending: Promise<unknown>): Promise<unknown> =>
  sending.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('mail over SMTP', () => {
  test('reaches every recipient with its headers, both bodies and its attachments', async () => {
    expect(await mailer.send(mail)).toEqual([]);
    const [got] = smtp.mails;
    expect(got?.to).toEqual(['ann@example.com', 'bob@example.com', 'cc@example.com', 'hidden@example.com']);
    expect(got?.from).toBe('fabula@example.org');
    expect(got?.header('message-id')).toBe('<epoch-1-0@fabula>');
    expect(got?.header('from')).toBe('Fabula <fabula@example.org>');
    expect(got?.header('reply-to')).toBe('reply@example.com');
    expect(got?.header('bcc')).toBeUndefined();
    expect(got?.raw).not.toContain('hidden@example.com');
    expect(got?.raw).toContain('text/plain');
    expect(got?.raw).toContain('text/html');
    expect(got?.raw).toMatch(/filename="?a\.csv/);
  });

  test('shows another sender, while bounces go to the configured one', async () => {
    await mailer.send({ ...mail, senderName: 'Alerts, Inc', senderAddress: 'alerts@example.net' });
    expect(smtp.mails[0]?.header('from')).toBe('"Alerts, Inc" <alerts@example.net>');
    expect(smtp.mails[0]?.from).toBe('fabula@example.org');
  });

  test('reaches the others when one address is refused', async () => {
    smtp.refuse('bob@example.com');
    expect(await mailer.send(mail)).toEqual([
      { address: 'bob@example.com', reason: expect.stringContaining('no such mailbox'), permanent: true },
    ]);
    expect(smtp.mails[0]?.to).toEqual(['ann@example.com', 'cc@example.com', 'hidden@example.com']);
  });

  test.each([
    ['for good', 550, true],
    ['for now', 450, false],
  ])('fails when all addresses are refused %s', async (_name, code, permanent) => {
    smtp.refuse('ann@example.com', code);
    const error = await failureOf(mailer.send({ ...mail, to: mail.to.slice(0, 1), cc: [], bcc: [] }));
    expect(error).toBeInstanceOf(AgentError);
    expect(error instanceof PermanentJobError).toBe(permanent);
    expect((error as Error).message).toContain('ann@example.com');
  });

  test('may be sent later when one of the refusals is for now', async () => {
    smtp.refuse('ann@example.com', 550);
    smtp.refuse('bob@example.com', 450);
    const error = await failureOf(mailer.send({ ...mail, cc: [], bcc: [] }));
    expect(error).toBeInstanceOf(AgentError);
    expect(error).not.toBeInstanceOf(PermanentJobError);
  });

  test('may be sent later when the server is busy or down', async () => {
    smtp.beBusyFor(1);
    expect(await failureOf(mailer.send(mail))).not.toBeInstanceOf(PermanentJobError);
    expect(await failureOf(mailer.send(mail))).toBeUndefined();
    const free = await freePort();
    const down = createMailer({ smtpUrl: `smtp://user:hush@127.0.0.1:${free}`, mailFrom, dataDir });
    const error = await failureOf(down.send(mail));
    expect(error).toBeInstanceOf(AgentError);
    expect(error).not.toBeInstanceOf(PermanentJobError);
    expect((error as Error).message).not.toContain('hush');
    await down.close();
  });
});

/** Why a server with this address does not take the mail, if it does not. */
const failureWith = async (smtpUrl: string) => {
  const own = createMailer({ smtpUrl, mailFrom, dataDir });
  try {
    return await failureOf(own.send(mail));
  } finally {
    await own.close();
  }
};

describe('TLS to the mail server', () => {
  test('is used if the server offers it', async () => {
    const offering = await startSmtpServer({ tls: selfSigned('127.0.0.1') });
    try {
      expect(await failureWith(`${offering.url}?tls.rejectUnauthorized=false`)).toBeUndefined();
      expect(offering.mails).toHaveLength(1);
      expect(offering.received()).toContain('STARTTLS');
      expect(offering.received()).not.toContain('ann@example.com');
      expect(await failureWith(offering.url)).toBeInstanceOf(AgentError);
      expect(offering.mails).toHaveLength(1);
    } finally {
      await offering.close();
    }
  });

  test('is needed with requireTLS, and begins with the first byte of smtps', async () => {
    const before = smtp.received().length;
    expect(await failureWith(`${smtp.url}?requireTLS=true`)).toBeInstanceOf(AgentError);
    expect(smtp.received().slice(before)).not.toContain('MAIL FROM');
    const plain = smtp.received().length;
    expect(await failureWith(smtp.url.replace('smtp:', 'smtps:'))).toBeInstanceOf(AgentError);
    // The first byte of a record of TLS that opens a connection.
    expect(smtp.received().codePointAt(plain)).toBe(0x16);
    expect(smtp.mails).toEqual([]);
  });
});

describe('mail without an SMTP server', () => {
  test('becomes one file, whole, readable by its owner only, also when it is sent again', async () => {
    const files = createMailer({ smtpUrl: undefined, mailFrom, dataDir });
    await files.send(mail);
    await files.send(mail);
    const names = readdirSync(path.join(dataDir, 'mail'));
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.eml$/)]);
    const file = path.join(dataDir, 'mail', names[0]!);
    const text = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(text).toContain('Message-ID: <epoch-1-0@fabula>');
    expect(text).toMatch(/^Bcc: hidden@example\.com$/m);
    await files.close();
  });

  test('may be written later when the folder cannot be written to now', async () => {
    const files = createMailer({ smtpUrl: undefined, mailFrom, dataDir: '/dev/null/nowhere' });
    const error = await failureOf(files.send(mail));
    expect(error).toBeInstanceOf(AgentError);
    expect(error).not.toBeInstanceOf(PermanentJobError);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address !== null ? address.port : 0;
}
