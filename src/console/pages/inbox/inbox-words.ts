import {
  CalendarClock,
  Gauge,
  GitBranch,
  Hourglass,
  KeyRound,
  KeySquare,
  type LucideIcon,
  MailWarning,
  Webhook,
} from 'lucide-react';
import type { InboxEntry } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import {
  AFTER_RESET,
  clockWords,
  CREDENTIALS,
  type Place,
  placeOfWait,
  QUEUES,
  QUOTAS,
  utcClock,
  type WaitReason,
} from '../../text/wait-words.js';
import { countWords } from '../../ui/words/figures.js';
import { deedWords } from '../home/change-words.js';
import { letterPath } from '../dead-letters/letter-filters.js';

/** The sign of each kind. */
export const KIND_ICONS: Record<InboxEntry['kind'], LucideIcon> = {
  failures: MailWarning,
  held: Hourglass,
  quota: Gauge,
  schedule: CalendarClock,
  webhook: Webhook,
  credential: KeyRound,
  repository: GitBranch,
  api_key: KeySquare,
};

/** Returns the page that an entry leads to. */
export function entryPath(entry: InboxEntry): string {
  return placeOf(entry).path;
}

/** Returns the button of an entry, and where it leads; `mayWrite`: whether the person may change things of its team. */
export function entryButton(entry: InboxEntry, mayWrite: boolean): Place {
  const place = placeOf(entry);
  if (entry.kind !== 'failures' || !mayWrite) return place;
  return {
    path: `${place.path}&ask=retry`,
    name: entry.count === 1 ? 'Retry' : `Retry all ${countWords(entry.count)}`,
  };
}

const PLACES: Record<InboxEntry['kind'], (entry: InboxEntry) => Place> = {
  failures({ story, action, failure }) {
    const isGone = story === null || action === null || failure === null;
    const group = isGone ? undefined : { storyId: story.id, actionId: action.id, kind: failure.error_kind };
    return { path: letterPath({ group }), name: 'Review' };
  },
  held: placeOfHeld,
  quota: () => QUOTAS,
  schedule: ({ story }) => ({
    path: `/schedules?view=list${story === null ? '' : `&story=${story.id}`}`,
    name: 'Open schedule',
  }),
  webhook: ({ action }) => ({
    path: action === null ? '/webhooks' : `/webhooks/${action.id}`,
    name: 'Open webhook',
  }),
  credential: ({ credential_id: id }) => (id === null ? CREDENTIALS : placeOfCredential(id)),
  repository: ({ team_id: id }) => ({ path: `/team/teams/${id}`, name: 'Open repository' }),
  api_key: () => ({ path: '/team?tab=keys', name: 'Open API keys' }),
};

const placeOf = (entry: InboxEntry): Place => PLACES[entry.kind](entry);

const placeOfCredential = (id: number): Place => ({ path: `/credentials/${id}`, name: 'Open credential' });

function placeOfHeld({ reason, held, credential_id: credential }: InboxEntry): Place {
  if (credential !== null) return placeOfCredential(credential);
  const known = placeOfWait(reason as WaitReason);
  if (known !== undefined) return known;
  const first = held?.[0];
  if (first === undefined) return QUEUES;
  return { path: `/stories/${first.story_id}?action=${first.agent_id}`, name: 'Open action' };
}

/** Returns when an entry ends by itself: `continues after 00:00 UTC`; undefined: nobody can tell. */
export function untilWords({ kind, quota, until }: InboxEntry): string | undefined {
  if (until === null) return undefined;
  const time = quota === 'mails_per_day' ? AFTER_RESET : clockWords(until);
  if (kind === 'quota') return `resets at ${utcClock(until)}`;
  return kind === 'credential' || kind === 'api_key' ? `ends ${time}` : `continues ${time}`;
}

/** Returns what an entry was closed by: `after Ada retried dead letters`; `by itself` where nobody changed anything. */
export function endingWords({ after, by }: NonNullable<InboxEntry['closed']>): string {
  if (after === null) return 'by itself';
  return `after ${by === null ? 'somebody' : isolated(by.name)} ${deedWords(after)}`;
}

/** Returns what was published before an entry began: `since version 7, Mail over SES`; undefined: nothing. */
export function sinceWords({ since_version: version }: InboxEntry): string | undefined {
  if (version === null) return undefined;
  const { number, name, by } = version;
  return `since version ${number}${name ? `, ${isolated(name)}` : ''}${by === null ? '' : ` by ${isolated(by.name)}`}`;
}

/** Returns the page of that version. */
export function versionPath({ story, since_version: version }: InboxEntry): string | undefined {
  if (story === null || version === null) return undefined;
  return `/stories/${story.id}/edit/versions?version=${version.version_id}`;
}
