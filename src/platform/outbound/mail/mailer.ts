import path from 'node:path';
import type { Mailer } from './mail.js';
import { createFileTransport } from './file-transport.js';
import type { MailTokens } from './token-login.js';
import { createSmtpTransport } from './smtp-transport.js';

export interface MailerOptions {
  /** `smtp://user:password@host:port`; undefined: mails are written to `.eml` files. */
  smtpUrl: string | undefined;
  /** `Name <address>` or an address: the sender of every mail. */
  mailFrom: string;
  /** Without an SMTP server, mails are written to the folder `mail` in it. */
  dataDir: string;
  /** How this server names itself to mail servers (EHLO); default: the name of the machine, if it has a domain. */
  mailName?: string | undefined;
  /** Logs in with tokens, as the user of `smtpUrl`. */
  tokens?: MailTokens | undefined;
}

/** Creates the mailer: an SMTP server, or files when none is configured (docs/build/agents.md, Email). */
export function createMailer({ smtpUrl, mailFrom, dataDir, mailName, tokens }: MailerOptions): Mailer {
  return smtpUrl === undefined
    ? createFileTransport({ directory: path.join(dataDir, 'mail'), mailFrom })
    : createSmtpTransport({ smtpUrl, mailFrom, mailName, tokens });
}
