import type { Mail } from '../../../platform/outbound/mail/mail.js';
import { escapeHtml } from '../../../platform/text/escape-html.js';

/** The parts of a mail to the recipients of a story. */
export interface StoryMailParts {
  messageId: string;
  recipients: readonly string[];
  story: { id: number };
  /** Without the story's id. */
  subject: string;
  title: string;
  lines: readonly string[];
  /** The address at which more is told. */
  address: string;
}

/** Returns the mail; each recipient sees itself alone. */
export function storyMail({ messageId, recipients, story, subject, ...parts }: StoryMailParts): Mail {
  const text = [parts.title, '', ...parts.lines, '', parts.address, ''].join('\n');
  return {
    messageId,
    to: [],
    cc: [],
    bcc: recipients.map((address) => ({ address })),
    replyTo: [],
    subject: `[Story ${story.id}] ${subject}`,
    text,
    html: escapeHtml(text.trim()).replaceAll('\n', '<br>\n'),
    attachments: [],
  };
}
