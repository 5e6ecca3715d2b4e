import type { QuotaName, QuotaUse } from '../../../people/face.js';
import { entryOf, type InboxEntry } from './inbox-entry.js';

/** Part of a quota from which it is told. */
const NEAR = 0.8;

const WORDS: Record<QuotaName, string> = {
  events_per_day: 'event quota',
  bytes_per_day: 'data quota',
  mails_per_day: 'mail quota',
  processor_seconds_per_day: 'processor time quota',
  stories: 'story quota',
  records: 'record quota',
  schedules: 'schedule quota',
};

/** Returns an entry for each quota of which most is used. */
export function quotaEntries(quotas: readonly QuotaUse[]): InboxEntry[] {
  return quotas.flatMap((quota) => {
    const { limit, used, name } = quota;
    return limit === null || used < NEAR * limit
      ? []
      : [toEntry({ name, used, limit, resetsAt: quota.resetsAt })];
  });
}

function toEntry({ name, used, limit, resetsAt }: QuotaUse & { limit: number }): InboxEntry {
  const isUsedUp = used >= limit;
  const state = isUsedUp ? 'is used up' : `is ${Math.floor((used / limit) * 100)}% used`;
  return entryOf({
    key: `quota-${name}-${isUsedUp ? 'used_up' : 'near'}`,
    kind: 'quota',
    reason: name,
    severity: isUsedUp ? 'error' : 'warning',
    title: `The ${WORDS[name]} ${state}`,
    detail: `${used.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')}`,
    teamId: null,
    quota: name,
    count: used,
    until: resetsAt === null ? null : new Date(resetsAt),
  });
}
