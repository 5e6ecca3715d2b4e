import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { createSmtpTransport } from '../../src/platform/outbound/mail/smtp-transport.js';
import type { Mail } from '../../src/platform/outbound/mail/mail.js';

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

/** Returns the error of sending through a server that refuses every login with this code. */
async function failureAt(responseCode: number): Promise<unknown> {
  const refusal = Object.assign(new Error('no login'), { responseCode });
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, callback) => callback(refusal),
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const mailer = createSmtpTransport({ smtpUrl: `smtp://a:b@127.0.0.1:${port}`, mailFrom: 'f@example.com' });
  try {
    return await mailer.send(mail).catch((error: unknown) => error);
  } finally {
    await mailer.close();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  }
}

it.each([
  [535, 3],
  [504, 3],
  [454, undefined],
])('I9: a login that is refused with %d is tried %s times', async (code, maxAttempts) => {
  const failure = await failureAt(code);
  expect(failure).toMatchObject({ maxAttempts, message: expect.stringContaining(String(code)) });
});
