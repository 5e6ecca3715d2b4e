import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { mailServerText } from '../../src/data/mails/mail-server.js';
import { isMailServerOfTenant } from '../../src/data/mails/mail-settings-fields.js';
import { createMailTokens, type MailOauth } from '../../src/data/mails/mail-tokens.js';
import { AgentError } from '../../src/platform/errors.js';
import { createHttpClient } from '../../src/platform/outbound/http-client.js';
import type { Mail } from '../../src/platform/outbound/mail/mail.js';
import { createSmtpTransport } from '../../src/platform/outbound/mail/smtp-transport.js';
import { verifySmtp } from '../../src/platform/outbound/mail/verify-smtp.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { startTokenSmtpServer, type TokenSmtpServer } from '../support/token-smtp-server.js';

const mail: Mail = {
  messageId: '<a@example.com>',
  to: [{ address: 'ada@example.com' }],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'a',
  html: '',
  text: 'b',
  attachments: [],
};
const USER = 'fabula@example.com';
const SECRET = 'secret-of-the-client';

let nowMs: number;
let target: HttpTarget;
let smtp: TokenSmtpServer;

beforeEach(async () => {
  nowMs = 0;
  target = await startHttpTarget({
    rules: {
      '/token': (_request, count) => ({ body: { access_token: `token-${count}`, expires_in: 3600 } }),
    },
  });
  smtp = await startTokenSmtpServer(['token-1', 'token-2']);
});

afterEach(async () => {
  await smtp.close();
  await target.close();
});

const clientFor = (allow: string[]) =>
  createHttpClient({
    allow,
    deny: [],
    allowHosts: [],
    ports: undefined,
    requireTls: false,
    proxy: undefined,
    timeoutMs: 5_000,
    maxResponseBytes: 10_000,
  });
const http = clientFor(['127.0.0.0/8']);
afterAll(() => http.close());

const forms = () => target.requests.map(({ text }) => Object.fromEntries(new URLSearchParams(text)));
const tokensOf = (oauth: Partial<MailOauth> = {}) =>
  createMailTokens(
    { tokenUrl: `${target.url}/token`, clientId: 'me', clientSecret: SECRET, ...oauth },
    { http, tenantId: 0 },
    () => nowMs,
  );

/** Sends mails one after the other; returns what each failed with. */
async function send(times = 1, tokens = tokensOf()): Promise<unknown[]> {
  const mailer = createSmtpTransport({ smtpUrl: smtp.url(USER), mailFrom: USER, tokens });
  const ends: unknown[] = [];
  try {
    for (let sent = 0; sent < times; sent += 1) {
      ends.push(
        await mailer.send(mail).then(
          () => 'sent',
          (error: unknown) => error,
        ),
      );
    }
    return ends;
  } finally {
    await mailer.close();
  }
}

describe('I9: mails leave with tokens', () => {
  test('of the client, as Microsoft 365 gives them, fetched once', async () => {
    const tokens = tokensOf({ scope: 'https://outlook.office365.com/.default' });
    expect([...(await send(2, tokens)), ...(await send(1, tokens))]).toEqual(['sent', 'sent', 'sent']);
    expect(smtp.mails).toBe(3);
    expect(smtp.logins).toEqual([1, 2].map(() => ({ user: USER, token: 'token-1' })));
    expect(forms()).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'me',
        client_secret: SECRET,
        scope: 'https://outlook.office365.com/.default',
      },
    ]);
  });

  test('of a person, as Gmail gives them', async () => {
    expect(await send(1, tokensOf({ refreshToken: 'refresh-1' }))).toEqual(['sent']);
    expect(forms()).toEqual([
      { grant_type: 'refresh_token', refresh_token: 'refresh-1', client_id: 'me', client_secret: SECRET },
    ]);
  });

  test('another token is fetched when one has ended', async () => {
    const tokens = tokensOf();
    await send(1, tokens);
    nowMs = 3_600_000;
    expect(await send(1, tokens)).toEqual(['sent']);
    expect(smtp.logins.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
  });

  test('a token that the server takes no more is replaced once, and the mail is sent', async () => {
    const tokens = tokensOf();
    await send(1, tokens);
    smtp.valid = ['token-2'];
    nowMs = 120_000;
    expect(await send(1, tokens)).toEqual(['sent']);
    expect(smtp.logins.map(({ token }) => token)).toEqual(['token-1', 'token-1', 'token-2']);
  });

  test('a login that is refused with a new token is tried three times', async () => {
    smtp.valid = [];
    const [failure] = await send();
    expect(failure).toMatchObject({ maxAttempts: 3, message: expect.stringContaining('535') });
    expect(forms()).toHaveLength(1);
  });

  test('a token that is refused is named, tried three times, and nothing of it is told', async () => {
    target.on('/token', { status: 400, body: { error: 'invalid_grant', error_description: SECRET } });
    const [failure] = await send();
    expect(failure).toBeInstanceOf(AgentError);
    expect(failure).toMatchObject({ maxAttempts: 3 });
    expect(String(failure)).toMatch(
      /The token of the mail server could not be fetched: 127\.0\.0\.1:\d+ answered 400 \(invalid_grant\)/,
    );
    expect(String(failure)).not.toContain(SECRET);
    expect(smtp.logins).toEqual([]);
  });

  test('a server of tokens that is away is tried as often as a mail server that is', async () => {
    target.on('/token', { status: 503, body: {} });
    const [failure] = await send();
    expect(failure).toMatchObject({ maxAttempts: undefined, message: expect.stringContaining('503') });
  });

  test('a server of tokens that is not public is not asked', async () => {
    const strict = clientFor([]);
    const oauth = { tokenUrl: `${target.url}/token`, clientId: 'me', clientSecret: SECRET };
    const [failure] = await send(1, createMailTokens(oauth, { http: strict, tenantId: 1 }));
    await strict.close();
    expect(failure).toMatchObject({
      maxAttempts: 3,
      message: expect.stringMatching(/private or reserved network/),
    });
    expect(target.requests).toEqual([]);
  });

  test('no token is sent unencrypted', async () => {
    const plain = new SMTPServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    plain.on('error', () => undefined);
    await new Promise<void>((resolve) => void plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.server.address() as AddressInfo;
    const smtpUrl = `smtp://me@127.0.0.1:${port}`;
    const mailer = createSmtpTransport({ smtpUrl, mailFrom: USER, tokens: tokensOf() });
    await expect(mailer.send(mail)).rejects.toThrow('could not be encrypted');
    await mailer.close();
    await new Promise<void>((resolve) => {
      plain.close(() => resolve());
    });
    expect(target.requests).toEqual([]);
  });

  test('the doctor logs in with one', async () => {
    await verifySmtp({ smtpUrl: smtp.url(USER), tokens: tokensOf() }, 5_000);
    expect(smtp.logins).toEqual([{ user: USER, token: 'token-1' }]);
    smtp.valid = [];
    await expect(verifySmtp({ smtpUrl: smtp.url(USER), tokens: tokensOf() }, 5_000)).rejects.toMatchObject({
      code: 'EAUTH',
    });
  });
});

describe('I9: a mail server that a copy of a tenant brings', () => {
  const [smtpUrl, oauth] = [
    'smtps://a@mail.example',
    { tokenUrl: 'https://login.example/token', clientId: 'me', refreshToken: 'r' },
  ];

  test.each([
    [{ smtpUrl }, true],
    [{ smtpUrl, oauth }, true],
    [{ smtpUrl: `${smtpUrl}?sendmail=true`, oauth }, false],
    [{ smtpUrl, oauth: { ...oauth, tokenUrl: 'file:///etc/passwd' } }, false],
    [{ smtpUrl, oauth: { ...oauth, refreshToken: undefined } }, false],
  ])('%j is one that a tenant may set: %s', (server, isAllowed) => {
    expect(isMailServerOfTenant(mailServerText(server))).toBe(isAllowed);
  });

  test('a text that is no mail server is none', () => {
    for (const text of ['', '{}', '{"smtpUrl":1}']) expect(isMailServerOfTenant(text)).toBe(false);
  });

  test('a tenant may have none of its own', () => {
    expect(isMailServerOfTenant(undefined)).toBe(true);
  });
});
