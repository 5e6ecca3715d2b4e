import { PermanentJobError, type RefusedRecipient } from '../../errors.js';
import { mailAddressOf, envelopeAddress } from './mail-message.js';
import type { Mail, MailAddress } from './mail.js';

const REASON = 'the mail server does not accept non-ASCII addresses (SMTPUTF8)';

/** Whether only a server with SMTPUTF8 (RFC 6531) may get the mail: an address that it names is not ASCII. */
export function needsUnicode(mail: Mail, mailFrom: string): boolean {
  const { to, cc, bcc, replyTo, senderAddress, left } = mail;
  const shown = [...to, ...cc, ...bcc, ...replyTo].map(({ address }) => address);
  const senders = [mailAddressOf(mailFrom), ...(senderAddress === undefined ? [] : [senderAddress])];
  return [...shown, ...senders, ...(left ?? [])].some(isUnicode);
}

/** A mail without addresses that are not ASCII, and the recipients that it lost. */
export interface AsciiMail {
  mail: Mail;
  refused: RefusedRecipient[];
}

/**
 * Returns the mail without the addresses that are not ASCII, and those of them that it was to be sent to now, as refused
 * for good.
 * @throws PermanentJobError when the sender or a reply-to is one.
 */
export function asciiMail(mail: Mail, mailFrom: string): AsciiMail {
  const { to, cc, bcc, replyTo, senderAddress } = mail;
  if (isUnicode(mailAddressOf(mailFrom))) throw new PermanentJobError(`MAIL_FROM: ${REASON}`);
  if (isUnicode(senderAddress ?? '')) throw new PermanentJobError(`sender_address: ${REASON}`);
  if (replyTo.some(isUnicodeAddress)) throw new PermanentJobError(`reply_to: ${REASON}`);
  const left = mail.left ?? [...to, ...cc, ...bcc].map(({ address }) => address);
  const refused = [...new Set(left.filter(isUnicode))];
  return {
    mail: {
      ...mail,
      to: withoutUnicode(to),
      cc: withoutUnicode(cc),
      bcc: withoutUnicode(bcc),
      left: left.filter((address) => !isUnicode(address)),
    },
    refused: refused.map((address) => ({ address, reason: REASON, permanent: true })),
  };
}

function withoutUnicode(addresses: readonly MailAddress[]): MailAddress[] {
  return addresses.filter((one) => !isUnicodeAddress(one));
}

function isUnicodeAddress({ address }: MailAddress): boolean {
  return isUnicode(address);
}

/** A domain is written in ASCII; a local part cannot be. */
function isUnicode(address: string): boolean {
  return /\P{ASCII}/u.test(envelopeAddress(address));
}
