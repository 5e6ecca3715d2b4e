import type { RefusedWebhook } from '../../../web/face.js';
import { withNoun, entryOf, type InboxEntry } from './inbox-entry.js';

/** Why calls are refused, for one line. */
const WORDS: Record<RefusedWebhook['reasons'][number][0], string> = {
  disabled: 'disabled',
  method_not_allowed: 'method not accepted',
  unauthorized: 'wrong or missing secret',
  reused_signature: 'signature used before',
  limited: 'too many calls',
  runaway_loop: 'chain of runs',
  quota_reached: 'quota used up',
  too_large: 'body too large',
  bad_request: 'unreadable body',
  client_gone: 'caller disconnected',
  unavailable: 'event not stored',
  failed: 'server error',
};

/** Refused calls from which it is more than somebody who tries an address. */
const MANY = 10;

/** Returns an entry for each webhook that has refused calls within a day. */
export function webhookEntries(webhooks: readonly RefusedWebhook[]): InboxEntry[] {
  return webhooks.map(({ id, name, story, teamId, count, isAtLeast, reasons, firstAt, lastAt }) => {
    const ranked = [...reasons].toSorted(([, a], [, b]) => b - a);
    const calls = isAtLeast ? `${count} or more calls` : withNoun(count, 'call', 'calls');
    return entryOf({
      key: `webhook-${id}`,
      kind: 'webhook',
      reason: ranked[0]?.[0] ?? null,
      severity: count >= MANY ? 'warning' : 'note',
      title: `${name} refused ${calls}`,
      detail: ranked.map(([reason, n]) => `${WORDS[reason]}: ${n.toLocaleString('en-US')}`).join(', '),
      teamId,
      story,
      action: { id, name },
      count,
      firstSeen: firstAt,
      lastSeen: lastAt,
    });
  });
}
