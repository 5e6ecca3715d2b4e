import {
  AgentError,
  MailRefused,
  MailRefusedForGood,
  NotYet,
  type RefusedRecipient,
} from '../../platform/errors.js';
import type { Mail } from '../../platform/outbound/mail/mail.js';
import type { AgentContext } from '../agent.js';

/** Returns the recipients that neither have the mail nor were refused for good at an earlier attempt. */
export function recipientsLeft(
  { to, cc, bcc }: Pick<Mail, 'to' | 'cc' | 'bcc'>,
  context: AgentContext,
): string[] {
  return addressesOf({ to, cc, bcc }).filter(
    (address) => context.mailProgress.stateOf(context.round, address) === undefined,
  );
}

/**
 * Notes what became of the mail and returns the addresses that will not get it. A refusal for now is tried again, for
 * those addresses alone; at the last attempt it counts as one for good.
 * @param error what the sending threw, if nobody got the mail at this attempt
 * @throws NotYet when the server took part of a list that is too long for one transaction; AgentError for another attempt;
 * `error` if nobody has the mail.
 */
export function settleRound(
  mail: Mail,
  { refused, error }: { refused: readonly RefusedRecipient[]; error?: unknown },
  context: AgentContext,
): string[] {
  const { mailProgress: progress, round } = context;
  const reasons = new Map(refused.map((one) => [one.address, one]));
  const reached = error === undefined ? (mail.left ?? []).filter((address) => !reasons.has(address)) : [];
  const forNow = refused.filter(({ permanent }) => !permanent);
  progress.note(round, reached, 'has');
  progress.note(
    round,
    refused.filter(({ permanent }) => permanent).map(({ address }) => address),
    'refused',
  );
  const all = addressesOf(mail);
  if (error !== undefined && !all.some((address) => progress.stateOf(round, address) === 'has')) throw error;
  if (reached.length > 0 && forNow.some(isOverLimit)) {
    throw new NotYet(
      `the server accepts ${reached.length} recipients at once; the other ${forNow.length} follow`,
      {
        waitMs: 0,
      },
    );
  }
  if (forNow.length > 0 && context.attempt + 1 < context.maxAttempts) {
    const said = forNow.map(({ address, reason }) => `${address}: ${reason}`).join('; ');
    throw new AgentError(`temporarily rejected; the other recipients got the mail: ${said}`);
  }
  for (const { address, reason } of refused) context.log('error', `${address} was rejected: ${reason}`);
  return all.filter((address) => progress.stateOf(round, address) !== 'has');
}

/** Returns the refusals of all recipients that a failed sending reports. @throws any other error. */
export function refusalsOf(error: unknown): readonly RefusedRecipient[] {
  if (error instanceof MailRefused || error instanceof MailRefusedForGood) return error.refused;
  throw error;
}

/** 452 for a recipient means that the others have to come in further transactions (RFC 5321 §4.5.3.1.10). */
function isOverLimit({ reason }: RefusedRecipient): boolean {
  return /^(?:452(?![ -]4\.3\.1)|552)\b/.test(reason);
}

function addressesOf({ to, cc, bcc }: Pick<Mail, 'to' | 'cc' | 'bcc'>): string[] {
  return [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))];
}
