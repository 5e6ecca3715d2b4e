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
import { tlsReason } from '../tls-reason.js';
import { connectGuarded } from '../addresses/guarded-socket.js';
import type { ConnectionGuard } from '../addresses/guarded-lookup.js';
import { type AsciiMail, asciiMail, needsUnicode } from './ascii-mail.js';
import { envelopeOf, mailMessage } from './mail-message.js';
import type { Mail, Mailer } from './mail.js';
import { LOGIN_ATTEMPTS, type MailTokens, tokenLogin } from './token-login.js';
import { createUnicodeCheck } from './unicode-check.js';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
const CONNECTIONS = 5;

/** Faults that a person must fix; a retry then succeeds, since the mail itself is valid. */
const CURABLE = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS']);
const LOGIN_FAULTS = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);
/** Faults found before the mail was submitted: the mail or its addresses are invalid. */
const REFUSED_HERE = new Set(['EENVELOPE', 'EMESSAGE', 'EMAXRECIPIENTS']);

export interface SmtpOptions {
  smtpUrl: string;
  mailFrom: string;
  /** How this server names itself (EHLO), unless the URL says it: `?name=mail.example.com`. */
  mailName?: string | undefined;
  /** For a server that the operator has not configured: its allowed addresses. Its password is never sent unencrypted. */
  guard?: ConnectionGuard;
  /** Logs in with tokens, as the user of the URL; absent: with the password of the URL. */
  tokens?: MailTokens | undefined;
}

/** Creates a mailer that submits mails to an SMTP server over a few pooled connections. */
export function createSmtpTransport(options: SmtpOptions): Mailer {
  const { mailFrom } = options;
  const connection = connectionOf(options);
  const transport = createTransport({
    ...connection,
    pool: true,
    maxConnections: CONNECTIONS,
    maxRequeues: 2,
    idleTimeout: IDLE_TIMEOUT_MS,
  });
  const takesUnicode = createUnicodeCheck(connection);

  /** A server that does not announce SMTPUTF8 must not get addresses that are not ASCII (RFC 6531 §3.2). */
  async function acceptable(mail: Mail): Promise<AsciiMail> {
    if (!needsUnicode(mail, mailFrom) || (await takesUnicode())) return { mail, refused: [] };
    return asciiMail(mail, mailFrom);
  }

  return {
    async send(mail, signal) {
      const { mail: sent, refused } = await acceptable(mail).catch((error: NodemailerError) => {
        throw error instanceof AgentError ? error : deliveryError(error);
      });
      const envelope = envelopeOf(sent);
      if (envelope.size === 0 && refused.length > 0) throw refusalError(refused);
      if (envelope.size === 0) return [];
      try {
        const message = mailMessage(sent, mailFrom);
        const submit = () => transport.sendMail(signal === undefined ? message : { ...message, signal });
        // A login is refused before anything is sent.
        const info = await submit().catch((error: NodemailerError) => {
          if (!isLoginRefused(error) || options.tokens?.renew() !== true) throw error;
          return submit();
        });
        return [...refused, ...refusedRecipients(info, envelope)];
      } catch (error) {
        const byServer = refusedRecipients(error as NodemailerError, envelope);
        if (byServer.length === 0) throw deliveryError(error as NodemailerError);
        throw refusalError([...refused, ...byServer], error as NodemailerError);
      }
    },
    async close() {
      transport.close();
    },
  };
}

function connectionOf({ smtpUrl, guard, mailName, tokens }: SmtpOptions) {
  const isNamed = mailName === undefined || new URL(smtpUrl).searchParams.has('name');
  return {
    url: smtpUrl,
    ...(!isNamed && { name: mailName }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    ...(guard !== undefined && guarded(smtpUrl, guard)),
    ...(tokens !== undefined && tokenLogin(smtpUrl, tokens)),
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

function refusedRecipients(
  { rejectedErrors = [] }: { rejectedErrors?: NodemailerError[] | undefined },
  envelope: ReadonlyMap<string, string>,
): RefusedRecipient[] {
  return rejectedErrors.map((error) => {
    const [recipient, reason] = [error.recipient ?? '', error.response ?? error.message];
    return {
      address: envelope.get(recipient) ?? recipient,
      reason,
      permanent: (error.permanent ?? false) && !OVER_LIMIT.test(reason),
    };
  });
}

/** Every recipient was refused: for good if each was. */
function refusalError(refused: RefusedRecipient[], error?: NodemailerError): AgentError {
  const said = refused.map(({ address, reason }) => `${address}: ${reason}`).join('; ');
  const isForGood = refused.every(({ permanent }) => permanent) && !CURABLE.has(error?.code ?? '');
  const Refusal = isForGood ? MailRefusedForGood : MailRefused;
  return new Refusal(`refused: ${said}`, refused, { cause: error });
}

/** The mail was not sent to anybody, for a reason that is none of its recipients. */
function deliveryError(error: NodemailerError): AgentError {
  if (error instanceof AgentError) return error;
  const { code = '', permanent = REFUSED_HERE.has(code) } = error;
  const Failure = permanent && !CURABLE.has(code) ? PermanentJobError : AgentError;
  const maxAttempts = isLoginRefused(error) ? LOGIN_ATTEMPTS : undefined;
  return new Failure(`${failureOf(error)}: ${error.response ?? tlsReason(error.message) ?? error.message}`, {
    cause: error,
    maxAttempts,
  });
}

/** A 4xx of a login is a refusal for now. */
function isLoginRefused({ code = '', responseCode = 0 }: NodemailerError): boolean {
  return LOGIN_FAULTS.has(code) && responseCode >= 500;
}

function failureOf({ code }: NodemailerError): string {
  if (code !== 'ETLS') return 'the mail was not sent';
  return 'the mail was not sent: the connection to the mail server could not be encrypted';
}
