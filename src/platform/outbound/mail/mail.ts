import type { RefusedRecipient } from '../../errors.js';

/** A mail address; `name` is shown to readers. */
export interface MailAddress {
  name?: string;
  address: string;
}

export interface MailAttachment {
  filename: string;
  content: Buffer;
  /** Default: derived from the file name. */
  contentType?: string;
  /** HTML shows it inline by `cid:` and this id. */
  contentId?: string;
}

/** One mail; its addresses are already validated. */
export interface Mail {
  /** With its angle brackets; the same for every attempt to send this mail. */
  messageId: string;
  /** Shown as the sender instead of the configured name or address. */
  senderName?: string;
  senderAddress?: string;
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  replyTo: MailAddress[];
  subject: string;
  html: string;
  text: string;
  attachments: MailAttachment[];
  /** The recipients that it is sent to now; all of them by default. */
  left?: string[];
}

export interface Mailer {
  /**
   * Submits a mail to the SMTP server, or writes it to a file. Returns the addresses that were rejected while others were
   * accepted. A mail that has nobody left is not sent.
   * @throws AgentError when no recipient was accepted and a retry may succeed; PermanentJobError when a retry cannot.
   * MailRefused and MailRefusedForGood are those of a server that refused every recipient.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<RefusedRecipient[]>;
  close(): Promise<void>;
}
