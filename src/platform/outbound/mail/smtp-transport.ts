import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { createTransport, type NodemailerError } from 'nodemailer';
import {
  AgentError,
  MailRefused,
  MailRefusedForGood,
  PermanentJobError,
  type RefusedRecipient,
} from '../../errors.js';
import { connectGuarded } from '../addresses/guarded-socket.js';
import type { ConnectionGuard } from '../addresses/guarded-lookup.js';
import { envelopeOf, mailMessage } from './mail-message.js';
import type { Mailer } from './mail.js';

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
      const envelope = envelopeOf(mail);
      if (envelope.size === 0) return [];
      try {
        const message = mailMessage(mail, mailFrom);
        const info = await transport.sendMail(signal === undefined ? message : { ...message, signal });
        return (info.rejectedErrors ?? []).map((error) => refusedRecipient(error, envelope));
      } catch (error) {
        throw deliveryError(error as NodemailerError, envelope);
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

/** A server that means 452, too many recipients, may say 552 (RFC 5321 §4.5.3.1.10). */
const OVER_LIMIT = /^552\b.*\btoo many\b/i;

function refusedRecipient(error: NodemailerError, envelope: ReadonlyMap<string, string>): RefusedRecipient {
  const [recipient, reason] = [error.recipient ?? '', error.response ?? error.message];
  return {
    address: envelope.get(recipient) ?? recipient,
    reason,
    permanent: (error.permanent ?? false) && !OVER_LIMIT.test(reason),
  };
}

/** Permanent if the server reported so for every recipient. */
function deliveryError(error: NodemailerError, envelope: ReadonlyMap<string, string>): AgentError {
  const refused = (error.rejectedErrors ?? []).map((one) => refusedRecipient(one, envelope));
  const said = refused.map(({ address, reason }) => `${address}: ${reason}`).join('; ');
  const message =
    said === '' ? `${failureOf(error)}: ${error.response ?? error.message}` : `refused: ${said}`;
  if (refused.length > 0) {
    return isPermanent(error, refused)
      ? new MailRefusedForGood(message, refused, { cause: error })
      : new MailRefused(message, refused, { cause: error });
  }
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
