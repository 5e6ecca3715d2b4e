import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A mail as the server took it. */
export interface ReceivedMail {
  from: string;
  /** Addresses of the envelope: those of cc and bcc too. */
  to: string[];
  /** Headers and body as sent. */
  raw: string;
  /** The value of a header, continuation lines joined; undefined when it is missing. */
  header(name: string): string | undefined;
}

export type SmtpTestServer = Awaited<ReturnType<typeof startSmtpServer>>;

interface SmtpServerOptions {
  /** Announces SMTPUTF8 (RFC 6531). */
  takesUnicode?: boolean;
  /** Offers STARTTLS with this certificate. */
  tls?: { cert: string; key: string };
}

/** A local SMTP server on a free port that records mails. It can refuse addresses, for good or for now. */
export async function startSmtpServer({ takesUnicode = true, tls }: SmtpServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const seen = { connections: 0, text: '' };
  const refusals = new Map<string, { code: number; message: string }>();
  const busy = { mails: 0 };
  let limit: { most: number; code: number; message: string } | undefined;
  const take = async (stream: Readable, session: SMTPServerSession) => {
    const raw = await buffer(stream);
    if (busy.mails > 0) {
      busy.mails -= 1;
      throw smtpError(451, 'try again later');
    }
    const from = session.envelope.mailFrom === false ? '' : (session.envelope.mailFrom?.address ?? '');
    const to = session.envelope.rcptTo.map(({ address }) => address);
    mails.push(receivedMail(raw.toString('utf8'), { from, to }));
  };
  const server = new SMTPServer({
    authOptional: true,
    ...tls,
    disabledCommands: tls === undefined ? ['STARTTLS', 'AUTH'] : ['AUTH'],
    hideSMTPUTF8: !takesUnicode,
    onRcptTo({ address }, session, callback) {
      const isFull = limit !== undefined && session.envelope.rcptTo.length >= limit.most;
      const refusal = isFull ? limit : refusals.get(address);
      callback(refusal === undefined ? null : smtpError(refusal.code, refusal.message));
    },
    onData: callbackify(take),
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    seen.connections += 1;
    socket.on('data', (bytes) => {
      seen.text += bytes.toString('latin1');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** All that clients sent, one character for each byte. */
    received: () => seen.text,
    /** Connections until now. */
    connections: () => seen.connections,
    /** Refuses an address from now on: 550 is for good, 450 for now. */
    refuse(address: string, code = 550, message = 'no such mailbox'): void {
      refusals.set(address, { code, message });
    },
    /** Takes an address again that it refused. */
    accept(address: string): void {
      refusals.delete(address);
    },
    /** Takes so many recipients in one transaction, and refuses the others with this response. */
    limitRecipients(most: number, { code = 452, message = '4.5.3 Too many recipients' } = {}): void {
      limit = { most, code, message };
    },
    /** Answers the next mails that they should come again later (451). */
    beBusyFor(count: number): void {
      busy.mails = count;
    },
    clear(): void {
      mails.length = 0;
      seen.text = '';
      refusals.clear();
      limit = undefined;
      busy.mails = 0;
    },
    async close(): Promise<void> {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function receivedMail(raw: string, envelope: { from: string; to: string[] }): ReceivedMail {
  const head = (raw.split(/\r?\n\r?\n/)[0] ?? '').replace(/\r?\n[ \t]+/g, ' ');
  return {
    ...envelope,
    raw,
    header(name) {
      const line = head
        .split(/\r?\n/)
        .find((text) => text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
      return line?.slice(name.length + 1).trim();
    },
  };
}
