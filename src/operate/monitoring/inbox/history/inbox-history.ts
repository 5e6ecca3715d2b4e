import { LRUCache } from 'lru-cache';
import { type Actor, canWrite, visibleTeamIds } from '../../../../api/face.js';
import { messageOf } from '../../../../platform/errors.js';
import type { Logger } from '../../../../platform/logger.js';
import type { Database } from '../../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../../platform/mysql/commit/retry-conflicts.js';
import type { InboxEntry, InboxKind } from '../inbox-entry.js';
import {
  closeEntry,
  findEnding,
  findOpenEntries,
  type NotedScope,
  noteOpenEntries,
} from './inbox-history-store.js';

/** Notes the entries of a kind as they were read for somebody. Never throws. */
export type NoteEntries = (
  actor: Actor,
  kind: InboxKind,
  part: { entries: readonly InboxEntry[]; isComplete?: boolean },
) => Promise<void>;

/** What is noted again though nothing has changed, so that one tells since when an entry is gone. */
const AGAIN_MS = 60_000;
/** Entries of a kind that are noted. */
const MOST_NOTED = 500;
const MOST_SCOPES = 2_000;
/** A change is noted in the audit log a moment after the entry is gone. */
const MARGIN_MS = 5_000;

/** Changes of people that can end an entry of a kind. Of keys nothing is noted: they are in their list. */
const ENDED_BY: Record<Exclude<InboxKind, 'api_key'>, readonly string[]> = {
  failures: [
    'dead_letter.retry',
    'dead_letter.retry_many',
    'dead_letter.drop',
    'dead_letter.drop_many',
    'canary.start',
    'story.delete',
    'agent.delete',
  ],
  held: [
    'agent.update',
    'story.update',
    'story.disable',
    'story.delete',
    'agent.delete',
    'story.cancel_run',
    'draft.publish',
    'credential.update',
  ],
  quota: ['record.delete', 'record_type.delete', 'story.delete', 'schedule.update'],
  schedule: ['schedule.update', 'agent.update', 'story.update', 'draft.publish', 'story.delete'],
  webhook: ['agent.update', 'draft.publish', 'story.delete', 'agent.delete'],
  credential: ['credential.update', 'credential.create', 'credential.delete'],
};

/** Creates what notes which entries are open and what ended them. Of a team, only people who can write in it read all. */
export function createInboxHistory({
  database,
  logger,
}: {
  database: Pick<Database, 'read'>;
  logger: Logger;
}): NoteEntries {
  const noted = new LRUCache<string, string>({ max: MOST_SCOPES, ttl: AGAIN_MS });

  const note = async (scope: NotedScope, entries: readonly InboxEntry[], isComplete: boolean) => {
    const { tenantId } = scope;
    const open = await database.read((session) => findOpenEntries(session, scope, 2 * MOST_NOTED));
    const openKeys = new Set(open.map(({ key }) => key));
    const keys = new Set(entries.map(({ key }) => key));
    const returned = [...keys].filter((key) => !openKeys.has(key));
    await retryLockConflicts(() =>
      database.read((session) => noteOpenEntries(session, scope, { entries, returned })),
    );
    const gone = isComplete ? open.filter(({ key }) => !keys.has(key)) : [];
    for (const { id, teamId, notedAt } of gone) {
      const since = new Date(notedAt.getTime() - MARGIN_MS);
      await database.read(async (session) => {
        const actions = scope.kind === 'api_key' ? [] : ENDED_BY[scope.kind];
        const ending = await findEnding(session, { tenantId, teamId, since }, actions);
        await closeEntry(session, id, ending ?? { action: null, userId: null });
      });
    }
  };

  return async (actor, kind, { entries, isComplete = true }) => {
    const teamIds = visibleTeamIds(actor).filter((id) => canWrite(actor, id));
    if (kind === 'api_key' || teamIds.length === 0) return;
    const own = entries.filter(({ teamId }) => teamId === null || teamIds.includes(teamId));
    const first = own.slice(0, MOST_NOTED);
    const scope = { tenantId: actor.tenantId, kind, teamIds };
    const place = `${kind} ${actor.tenantId} ${teamIds.toSorted((a, b) => a - b).join()}`;
    const state = `${isComplete} ${first
      .map(({ key }) => key)
      .toSorted()
      .join()}`;
    if (noted.get(place) === state) return;
    try {
      await note(scope, first, isComplete && first.length === own.length);
      noted.set(place, state);
    } catch (error) {
      logger.info('could not note the entries of an inbox', { kind, error: messageOf(error) });
    }
  };
}
