import { domainToASCII } from 'node:url';
import { Libmime } from 'libmime';
import type { SendMailOptions } from 'nodemailer';
import type { Mail, MailAddress } from './mail.js';

/** Converts a mail for the mail library. No field can make the library read a file or a URL. */
export function mailMessage(mail: Mail, mailFrom: string): SendMailOptions {
  const sender = mailAddressOf(mailFrom);
  return {
    messageId: mail.messageId,
    from: { name: mail.senderName ?? nameOf(mailFrom), address: mail.senderAddress ?? sender },
    to: mail.to.map(named),
    cc: mail.cc.map(named),
    bcc: mail.bcc.map(named),
    replyTo: mail.replyTo.map(named),
    ...subjectOf(mail.subject),
    html: mail.html,
    text: mail.text,
    // Bounces are sent to the configured sender, whatever name or address is shown.
    envelope: { from: sender, to: [...envelopeOf(mail).keys()] },
    attachments: mail.attachments.map(({ filename, content, contentType, contentId }) => ({
      filename,
      content,
      ...(contentType === undefined ? {} : { contentType }),
      ...(contentId === undefined ? {} : { cid: contentId, contentDisposition: 'inline' as const }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Longest word that is sent as it is: a line has at most 998 octets (RFC 5322 §2.1.1), and lines break at spaces. */
const MAX_WORD_CHARACTERS = 500;
const ENCODED_WORD_CHARACTERS = 70;

/** A subject with a longer word is written in encoded words. */
function subjectOf(subject: string): Pick<SendMailOptions, 'subject' | 'headers'> {
  if (!subject.split(/\s+/).some((word) => word.length > MAX_WORD_CHARACTERS)) return { subject };
  const words = new Libmime().encodeWord(subject, 'B', ENCODED_WORD_CHARACTERS);
  return { headers: { Subject: { prepared: true, value: words.replaceAll('?= =?', '?=\r\n =?') } } };
}

/** Returns the recipients that the mail is sent to, each once: the address as SMTP writes it → the address of the mail. */
export function envelopeOf({ to, cc, bcc, left }: Mail): Map<string, string> {
  const addresses = left ?? [...to, ...cc, ...bcc].map(({ address }) => address);
  return new Map(addresses.map((address) => [envelopeAddress(address), address]));
}

/** Returns an address as SMTP writes it: the domain in ASCII (IDNA), which every server knows. */
export function envelopeAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return domain.startsWith('[') ? address : address.slice(0, at + 1) + (domainToASCII(domain) || domain);
}

function named({ name, address }: MailAddress): { name: string; address: string } {
  return { name: name ?? '', address };
}

/** Returns the address in `Name <address>`. */
export function mailAddressOf(from: string): string {
  return (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim();
}

function nameOf(from: string): string {
  return /^\s*"?([^"<]*?)"?\s*<[^<>]*>\s*$/.exec(from)?.[1] ?? '';
}
