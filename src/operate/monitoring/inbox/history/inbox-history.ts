import { LRUCache } from 'lru-cache';
import { type Actor, canWrite, visibleTeamIds } from '../../../../api/face.js';
import { messageOf } from '../../../../platform/errors.js';
import type { Logger } from '../../../../platform/logger.js';
import type { Database } from '../../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../../platform/mysql/commit/retry-conflicts.js';
import type { InboxEntry, InboxKind } from '../inbox-entry.js';
import {
  closeEntries,
  findEndedSince,
  findEnding,
  findOpenEntries,
  type NotedKind,
  type NotedScope,
  noteOpenEntries,
  type OpenEntry,
} from './inbox-history-store.js';

/** The entries of a kind as they were at a time. */
export interface NotedPart {
  entries: readonly InboxEntry[];
  isComplete?: boolean;
  readAt: Date;
}

/** Notes the entries of a kind as they were read for somebody, in the background. Never throws. */
export type NoteEntries = (actor: Actor, kind: InboxKind, part: NotedPart) => void;

/** Open entries are noted again after this time, whoever reads them: it is known to two minutes when they were last open. */
const AGAIN_MS = 60_000;
/** Entries of a kind that are noted. */
const MOST_NOTED = 500;
const MOST_SCOPES = 2_000;
/** Entries that are closed at once; the next reading closes more. */
const MOST_CLOSED = 50;
/** Changes that were made earlier are not looked for. */
const MOST_BACK_MS = 3_600_000;

/** Changes of the actions of a story, whatever they are made with. */
const STORY_CHANGES = [
  'agent.update',
  'agent.delete',
  'story.graph',
  'story.import',
  'story.replace',
  'story.delete',
  'story_version.restore',
  'draft.publish',
  'change_request.promote',
];

/** Changes of people that can end an entry of a kind. */
const ENDED_BY: Record<NotedKind, readonly string[]> = {
  failures: [
    ...STORY_CHANGES,
    'dead_letter.retry',
    'dead_letter.retry_many',
    'dead_letter.drop',
    'dead_letter.drop_many',
    'canary.start',
  ],
  held: [...STORY_CHANGES, 'story.update', 'story.disable', 'story.cancel_run', 'credential.update'],
  quota: ['record.delete', 'record_type.delete', 'story.delete', 'schedule.update'],
  schedule: [...STORY_CHANGES, 'schedule.update', 'story.update'],
  webhook: STORY_CHANGES,
  credential: ['credential.update', 'credential.create', 'credential.delete'],
  repository: [
    'team.repository',
    'team.repository_removed',
    'team.repository_sync',
    'draft.publish',
    'draft.delete',
    'credential.update',
  ],
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
  /** Places of which something is being noted; what is read meanwhile is noted with the next reading. */
  const busy = new Set<string>();

  /** The entries have one team, or none. */
  const close = async ({ tenantId, kind }: NotedScope, teamId: number | null, gone: readonly OpenEntry[]) => {
    const first = Math.min(...gone.map(({ notedAt }) => notedAt.getTime()));
    const since = new Date(Math.max(first, Date.now() - MOST_BACK_MS));
    const ending = await database.read((session) =>
      findEnding(session, { tenantId, teamId, since }, ENDED_BY[kind]),
    );
    const isEndedBy = ({ notedAt }: OpenEntry) => ending !== undefined && ending.at >= notedAt;
    await retryLockConflicts(() =>
      database.read(async (session) => {
        await closeEntries(session, idsOf(gone.filter(isEndedBy)), ending);
        await closeEntries(session, idsOf(gone.filter((entry) => !isEndedBy(entry))), undefined);
      }),
    );
  };

  /** Returns whether all is noted. */
  const note = async (scope: NotedScope, { entries, isComplete, readAt }: NotedPart): Promise<boolean> => {
    const open = await database.read((session) => findOpenEntries(session, scope, 2 * MOST_NOTED));
    const openByKey = new Map(open.map((entry) => [entry.key, entry]));
    const isFresh = ({ key, teamId }: InboxEntry) => {
      const known = openByKey.get(key);
      return known?.teamId === teamId && readAt.getTime() - known.notedAt.getTime() < AGAIN_MS;
    };
    const keys = new Set(entries.map(({ key }) => key));
    const away = [...keys].filter((key) => !openByKey.has(key));
    // Somebody has read later that they are gone, and has noted it sooner.
    const since = { tenantId: scope.tenantId, keys: away, since: readAt };
    const ended = await database.read((session) => findEndedSince(session, since));
    const present = entries.filter((entry) => !ended.has(entry.key) && !isFresh(entry));
    const returned = new Set(away.filter((key) => !ended.has(key)));
    const asRead = { entries: present, returned, readAt };
    await retryLockConflicts(() => database.read((session) => noteOpenEntries(session, scope, asRead)));
    const missing = isComplete === true ? open.filter(({ key }) => !keys.has(key)) : [];
    // Another process may have read an entry that is newer than this reading.
    const gone = missing.filter(({ notedAt }) => notedAt <= readAt);
    const closed = gone.slice(0, MOST_CLOSED);
    for (const teamId of new Set(closed.map((entry) => entry.teamId))) {
      await close(
        scope,
        teamId,
        closed.filter((entry) => entry.teamId === teamId),
      );
    }
    return ended.size === 0 && closed.length === missing.length;
  };

  const noteAndRemember = async (place: string, state: string, noting: () => Promise<boolean>) => {
    busy.add(place);
    try {
      if (await noting()) noted.set(place, state);
    } catch (error) {
      logger.info('could not note the entries of an inbox', { place, error: messageOf(error) });
    } finally {
      busy.delete(place);
    }
  };

  return (actor, kind, { entries, isComplete = true, readAt }) => {
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
    if (busy.has(place) || noted.get(place) === state) return;
    const part = { entries: first, isComplete: isComplete && first.length === own.length, readAt };
    void noteAndRemember(place, state, () => note(scope, part));
  };
}

const idsOf = (entries: readonly OpenEntry[]) => entries.map(({ id }) => id);
