import path from 'node:path';
import type { Mailer } from './mail.js';
import { createFileTransport } from './mail-files.js';
import { createSmtpTransport } from './smtp-transport.js';

export interface MailerOptions {
  /** `smtp://user:password@host:port`; undefined: mails are written to `.eml` files. */
  smtpUrl: string | undefined;
  /** `Name <address>` or an address: the sender of every mail. */
  mailFrom: string;
  /** Without an SMTP server, mails are written to the folder `mail` in it. */
  dataDir: string;
}

/** Creates the mailer: an SMTP server, or files when none is configured (docs/agents.md, Email). */
export function createMailer({ smtpUrl, mailFrom, dataDir }: MailerOptions): Mailer {
  return smtpUrl === undefined
    ? createFileTransport({ directory: path.join(dataDir, 'mail'), mailFrom })
    : createSmtpTransport({ smtpUrl, mailFrom });
}
