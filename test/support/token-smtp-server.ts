import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { selfSigned } from './certificates.js';

export type TokenSmtpServer = Awaited<ReturnType<typeof startTokenSmtpServer>>;

/** A local SMTP server on a free port that takes logins with tokens alone (XOAUTH2), over STARTTLS. */
export async function startTokenSmtpServer(taken: readonly string[] = []) {
  const seen = {
    /** The tokens that it takes. */
    valid: [...taken],
    logins: [] as { user: string | undefined; token: string | undefined }[],
    mails: 0,
  };
  const server = new SMTPServer({
    ...selfSigned('127.0.0.1'),
    authMethods: ['XOAUTH2'],
    onAuth({ username, accessToken }, _session, callback) {
      seen.logins.push({ user: username, token: accessToken });
      if (accessToken !== undefined && seen.valid.includes(accessToken)) callback(null, { user: username });
      else callback(Object.assign(new Error('5.7.3 Authentication unsuccessful'), { responseCode: 535 }));
    },
    onData(stream, _session, callback) {
      stream.resume().on('end', () => {
        seen.mails += 1;
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(seen, {
    port,
    /** Its address for this user, whose client trusts its certificate. */
    url: (user: string) =>
      `smtp://${encodeURIComponent(user)}@127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  });
}
