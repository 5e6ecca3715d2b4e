import { createHash } from 'node:crypto';
import type { WatchedGroup } from '../../../observe/face.js';
import { causeOf } from '../../../engine/face.js';
import type { StoryChangeRecord } from '../../../stories/face.js';
import { withNoun, entryOf, type InboxEntry } from './inbox-entry.js';

/** Characters of the digest of a kind: the key is part of addresses. */
const DIGEST_CHARS = 16;

/** Returns an entry for each group of dead letters; `changes`: the last change of its story before its first failure. */
export function failureEntries(
  groups: readonly WatchedGroup[],
  changes: readonly (StoryChangeRecord | undefined)[],
): InboxEntry[] {
  return groups.map((group, place) => toEntry(group, changes[place]));
}

function toEntry(group: WatchedGroup, change: StoryChangeRecord | undefined): InboxEntry {
  const { agentId, agentName, letters, newest, trend } = group;
  return entryOf({
    key: `failures-${agentId}-${digestOf(group.kind)}`,
    kind: 'failures',
    reason: null,
    severity: trend.some((count) => count > 0) ? 'error' : 'warning',
    title: `${agentName ?? 'A deleted action'} failed ${letters === 1 ? 'once' : withNoun(letters, 'time', 'times')}`,
    detail: newest === undefined ? group.kind : causeOf(newest),
    teamId: group.teamId,
    story: { id: group.storyId, name: group.storyName },
    action: { id: agentId, name: agentName },
    count: letters,
    firstSeen: group.firstAt,
    lastSeen: group.lastAt,
    trend,
    sinceVersion: change ?? null,
    failure: {
      kind: group.kind,
      deadLetterId: newest?.id ?? null,
      runGuid: newest?.storyRunGuid ?? null,
      retried: group.retried,
    },
  });
}

function digestOf(kind: string): string {
  return createHash('sha256').update(kind).digest('hex').slice(0, DIGEST_CHARS);
}
