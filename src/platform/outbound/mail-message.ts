import type { SendMailOptions } from 'nodemailer';
import type { Mail, MailAddress } from './mail.js';

/** Converts a mail for the mail library. No field can make the library read a file or a URL. */
export function mailMessage(mail: Mail, mailFrom: string): SendMailOptions {
  const sender = addressOf(mailFrom);
  return {
    messageId: mail.messageId,
    from: { name: mail.senderName ?? nameOf(mailFrom), address: mail.senderAddress ?? sender },
    to: mail.to.map(named),
    cc: mail.cc.map(named),
    bcc: mail.bcc.map(named),
    replyTo: mail.replyTo.map(named),
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    // Bounces are sent to the configured sender, whatever name or address is shown.
    envelope: { from: sender, to: recipientsOf(mail) },
    attachments: mail.attachments.map(({ filename, content, contentType }) => ({
      filename,
      content,
      ...(contentType === undefined ? {} : { contentType }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Returns every recipient's address once. */
function recipientsOf({ to, cc, bcc }: Mail): string[] {
  return [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))];
}

function named({ name, address }: MailAddress): { name: string; address: string } {
  return { name: name ?? '', address };
}

/** Returns the address in `Name <address>`. */
export function addressOf(from: string): string {
  return (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim();
}

function nameOf(from: string): string {
  return /^\s*"?([^"<]*?)"?\s*<[^<>]*>\s*$/.exec(from)?.[1] ?? '';
}
