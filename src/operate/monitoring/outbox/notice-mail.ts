import type { Mail } from '../../../platform/outbound/mail/mail.js';
import { escapeHtml } from '../../../platform/text/escape-html.js';
import { type Notice, noticeText } from './notice.js';

/** Returns the mail of a notice; each recipient sees itself alone. */
export function noticeMail(notice: Notice, to: { messageId: string; recipients: readonly string[] }): Mail {
  const text = noticeText(notice);
  return {
    messageId: to.messageId,
    to: [],
    cc: [],
    bcc: to.recipients.map((address) => ({ address })),
    replyTo: [],
    subject: notice.subject,
    text,
    html: escapeHtml(text.trim()).replaceAll('\n', '<br>\n'),
    attachments: [],
  };
}
