import path from 'node:path';
import type { Mailer } from './mail.js';
import { createFileTransport } from './mail-files.js';
import { createSmtpTransport } from './smtp-transport.js';

export interface MailerOptions {
  /** `smtp://user:password@host:port`; undefined: mails become `.eml` files. */
  smtpUrl: string | undefined;
  /** `Name <address>` or an address: the sender of every mail. */
  mailFrom: string;
  /** Mails go to the folder `mail` in it when there is no SMTP server. */
  dataDir: string;
}

/** What hands mails over: an SMTP server, or files when none is configured (docs/agents.md, Email). */
export function createMailer({ smtpUrl, mailFrom, dataDir }: MailerOptions): Mailer {
  return smtpUrl === undefined
    ? createFileTransport({ directory: path.join(dataDir, 'mail'), mailFrom })
    : createSmtpTransport({ smtpUrl, mailFrom });
}
