/** A mail address; `name` is what people see. */
export interface MailAddress {
  name?: string;
  address: string;
}

export interface MailAttachment {
  filename: string;
  content: Buffer;
  /** Told from the file name unless given. */
  contentType?: string;
}

/** One mail; addresses are well-formed already. */
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
}

/** An address the mail server would not take, while it took others. */
export interface RefusedRecipient {
  address: string;
  reason: string;
  /** The server said that trying again is no use. */
  permanent: boolean;
}

export interface Mailer {
  /**
   * Hands a mail over: to the SMTP server, or to a file. Gives the addresses that were refused while others were
   * taken.
   * @throws AgentError when nothing was handed over and a later attempt may succeed; PermanentJobError when not.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<RefusedRecipient[]>;
  close(): Promise<void>;
}
