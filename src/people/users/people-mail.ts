import { randomUUID } from 'node:crypto';
import type { Mail } from '../../platform/outbound/mail/mail.js';
import { escapeHtml } from '../../platform/text/escape-html.js';

/** Most mails with links to one account within an hour. */
export const MAX_LINK_MAILS_AN_HOUR = 3;

/** Sends mails for this installation. */
export interface PeopleMailer {
  /** Returns true if mails of the tenant leave this machine. */
  mayMail(tenantId: number): Promise<boolean>;
  send(tenantId: number, mail: Mail): Promise<void>;
}

/** Returns a mail to one person. */
export function linkMail(address: string, subject: string, text: string): Mail {
  return {
    messageId: `<${randomUUID()}@fabula.local>`,
    to: [{ address }],
    cc: [],
    bcc: [],
    replyTo: [],
    subject,
    text,
    html: escapeHtml(text.trim()).replaceAll('\n', '<br>\n'),
    attachments: [],
  };
}
