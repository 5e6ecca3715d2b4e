import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { createTransport, type NodemailerError } from 'nodemailer';
import { AgentError, PermanentJobError } from '../errors.js';
import { connectGuarded } from './guarded-socket.js';
import type { ConnectionGuard } from './http/guarded-lookup.js';
import { mailMessage } from './mail-message.js';
import type { Mailer, RefusedRecipient } from './mail.js';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
const CONNECTIONS = 5;

/** Faults that a person must fix; a retry then succeeds, since the mail itself is valid. */
const CURABLE = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS']);
/** Faults found before the mail was submitted: the mail or its addresses are invalid. */
const REFUSED_HERE = new Set(['EENVELOPE', 'EMESSAGE', 'EMAXRECIPIENTS']);

export interface SmtpOptions {
  smtpUrl: string;
  mailFrom: string;
  /** For a server that the operator has not configured: its allowed addresses. Its password is never sent unencrypted. */
  guard?: ConnectionGuard;
}

/** Creates a mailer that submits mails to an SMTP server over a few pooled connections. */
export function createSmtpTransport({ smtpUrl, mailFrom, guard }: SmtpOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    maxRequeues: 2,
    idleTimeout: IDLE_TIMEOUT_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    ...(guard !== undefined && guarded(smtpUrl, guard)),
  } as { url: string; pool: true });
  return {
    async send(mail, signal) {
      try {
        const message = mailMessage(mail, mailFrom);
        const info = await transport.sendMail(signal === undefined ? message : { ...message, signal });
        return (info.rejectedErrors ?? []).map(refusedRecipient);
      } catch (error) {
        throw deliveryError(error as NodemailerError);
      }
    },
    async close() {
      transport.close();
    },
  };
}

type SocketCallback = (error: NodeJS.ErrnoException | null, socket: { connection: Socket }) => void;

const SMTP_PORT = 587;
const SMTPS_PORT = 465;

/** Options that open connections only to addresses that the guard allows. */
function guarded(smtpUrl: string, guard: ConnectionGuard) {
  const { protocol, hostname: host, port, username } = new URL(smtpUrl);
  const target = {
    host,
    port: Number(port) || (protocol === 'smtps:' ? SMTPS_PORT : SMTP_PORT),
    timeoutMs: CONNECT_TIMEOUT_MS,
  };
  const connectOnce = callbackify(async () => ({ connection: await connectGuarded(target, guard) }));
  return {
    requireTLS: username !== '',
    getSocket: (_options: unknown, callback: SocketCallback) => connectOnce(callback),
  };
}

function refusedRecipient(error: NodemailerError): RefusedRecipient {
  return {
    address: error.recipient ?? '',
    reason: error.response ?? error.message,
    permanent: error.permanent ?? false,
  };
}

/** Permanent if the server reported so for every recipient. */
function deliveryError(error: NodemailerError): AgentError {
  const refused = (error.rejectedErrors ?? []).map(refusedRecipient);
  const said = refused.map(({ address, reason }) => `${address}: ${reason}`).join('; ');
  const message =
    said === '' ? `${failureOf(error)}: ${error.response ?? error.message}` : `refused: ${said}`;
  return isPermanent(error, refused)
    ? new PermanentJobError(message, { cause: error })
    : new AgentError(message, { cause: error });
}

function failureOf({ code }: NodemailerError): string {
  if (code !== 'ETLS') return 'the mail was not sent';
  return 'the mail was not sent: the connection to the mail server could not be encrypted';
}

function isPermanent(error: NodemailerError, refused: RefusedRecipient[]): boolean {
  const code = error.code ?? '';
  if (CURABLE.has(code)) return false;
  if (refused.length > 0) return refused.every(({ permanent }) => permanent);
  return error.permanent ?? REFUSED_HERE.has(code);
}
