import { domainToASCII } from 'node:url';
import { addressOf } from './mail-message.js';
import type { Mail } from './mail.js';

/** Who mails may be from. */
export interface SenderPolicy {
  /** `Name <address>` or an address: it may always be. */
  mailFrom: string;
  /** Addresses, `*@domain`, domains, or `*`. */
  allow: readonly string[];
}

/** A name that shows an address, which readers take for the sender's. */
const SHOWN_ADDRESS = /[^\s@<>"(),;:]+@[^\s@<>"(),;:]+/g;

/**
 * The mail with a sender that the policy allows: where the one it names is not, it is from the policy's own, and answers
 * go to the one it names, unless it says where they go. `notes` says what was changed.
 */
export function withAllowedSender(mail: Mail, policy: SenderPolicy): { mail: Mail; notes: string[] } {
  const { senderName: name, senderAddress: address } = mail;
  const own = addressOf(policy.mailFrom);
  const notes: string[] = [];
  let allowed = mail;
  if (address !== undefined && !mayBeFrom(address, policy)) {
    const { senderAddress: _, ...rest } = allowed;
    allowed = { ...rest, replyTo: mail.replyTo.length > 0 ? mail.replyTo : [{ address }] };
    notes.push(
      `sender_address ${address} is not allowed here (MAIL_FROM_ALLOW): the mail is from ${own}` +
        (mail.replyTo.length > 0 ? '' : `, and answers go to ${address}`),
    );
  }
  const shown = (name ?? '').normalize('NFKC').match(SHOWN_ADDRESS) ?? [];
  if (shown.some((one) => !mayBeFrom(one, policy))) {
    const { senderName: _, ...rest } = allowed;
    allowed = rest;
    notes.push('sender_name shows an address that is not allowed here (MAIL_FROM_ALLOW): it was left out');
  }
  return { mail: allowed, notes };
}

function mayBeFrom(address: string, { mailFrom, allow }: SenderPolicy): boolean {
  const wanted = comparable(address);
  return [addressOf(mailFrom), ...allow].some((entry) => {
    if (entry === '*') return true;
    const known = comparable(entry.replace(/^\*@/, ''));
    return known.includes('@') ? known === wanted : wanted.endsWith(`@${known}`);
  });
}

/** Without regard to case, and to how a domain is written. */
function comparable(text: string): string {
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return text.slice(0, at + 1).toLowerCase() + (domainToASCII(domain) || domain.toLowerCase());
}
