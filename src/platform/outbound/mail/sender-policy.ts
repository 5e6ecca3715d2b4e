import { domainToASCII } from 'node:url';
import { mailAddressOf } from './mail-message.js';
import type { Mail } from './mail.js';

/** The allowed senders of mails. */
export interface SenderPolicy {
  /** `Name <address>` or an address: always allowed. */
  mailFrom: string;
  /** Addresses, `*@domain`, domains, or `*`. */
  allow: readonly string[];
}

/** An address inside a display name, which readers take for the sender's. */
const SHOWN_ADDRESS = /[^\s@<>"(),;:]+@[^\s@<>"(),;:]+/g;

/**
 * Returns the mail with a sender that the policy allows. If its own is not allowed, it is from `mailFrom`, and replies
 * go to the address it names, unless it has a reply-to. `notes` lists what was changed.
 */
export function withAllowedSender(mail: Mail, policy: SenderPolicy): { mail: Mail; notes: string[] } {
  const { senderName: name, senderAddress: address } = mail;
  const own = mailAddressOf(policy.mailFrom);
  const notes: string[] = [];
  let allowed = mail;
  if (address !== undefined && !mayBeFrom(address, policy)) {
    const { senderAddress: _, ...rest } = allowed;
    allowed = { ...rest, replyTo: mail.replyTo.length > 0 ? mail.replyTo : [{ address }] };
    notes.push(
      `sender_address ${address} is not allowed (MAIL_FROM_ALLOW): the mail is sent from ${own}` +
        (mail.replyTo.length > 0 ? '' : `, and replies go to ${address}`),
    );
  }
  const shown = (name ?? '').normalize('NFKC').match(SHOWN_ADDRESS) ?? [];
  if (shown.some((one) => !mayBeFrom(one, policy))) {
    const { senderName: _, ...rest } = allowed;
    allowed = rest;
    notes.push('sender_name contains an address that is not allowed (MAIL_FROM_ALLOW) and was removed');
  }
  return { mail: allowed, notes };
}

function mayBeFrom(address: string, { mailFrom, allow }: SenderPolicy): boolean {
  const wanted = comparable(address);
  return [mailAddressOf(mailFrom), ...allow].some((entry) => {
    if (entry === '*') return true;
    const known = comparable(entry.replace(/^\*@/, ''));
    return known.includes('@') ? known === wanted : wanted.endsWith(`@${known}`);
  });
}

/** Normalises case, and the notation of the domain. */
function comparable(text: string): string {
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return text.slice(0, at + 1).toLowerCase() + (domainToASCII(domain) || domain.toLowerCase());
}
