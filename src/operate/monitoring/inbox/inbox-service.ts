import { type Actor, canWrite, requireTeam, visibleTeamIds } from '../../../api/face.js';
import { isTeamReader } from '../../../people/face.js';
import { Forbidden, NotFound, type Problem, Unprocessable } from '../../../platform/errors.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { visibleStory } from '../../../stories/face.js';
import { createInboxReader, type InboxEntries, type InboxEntriesDeps } from './inbox-entries.js';
import { INBOX_KINDS, type InboxEntry, type InboxKind, isWorse } from './inbox-entry.js';
import { createInboxHistory } from './history/inbox-history.js';
import { type ClosedEntry, findClosedEntries } from './history/inbox-history-store.js';
import { type Assignee, findMarks, type InboxMark, saveMark } from './inbox-mark-store.js';

/** An entry with what people noted of it. */
export interface ListedEntry extends InboxEntry {
  /** Null: it is open. */
  closed: ClosedEntry['closed'] | null;
  assignee: Assignee | null;
  /** Until when it is hidden; null: it is shown. */
  snoozedUntil: Date | null;
}

/** Entries that are hidden or not, or those that have ended, by the names of the API. */
export const INBOX_STATES = ['OPEN', 'SNOOZED', 'ALL', 'CLOSED'] as const;

/** A filter of entries; all conditions must hold. */
export interface InboxQuery {
  teamId?: number | undefined;
  storyId?: number | undefined;
  kind?: InboxKind | undefined;
  state: (typeof INBOX_STATES)[number];
  assigneeId?: number | undefined;
  /** Whether somebody has it. */
  assigned?: boolean | undefined;
}

/** The inbox of one caller. */
export interface Inbox extends Omit<InboxEntries, 'entries'> {
  entries: ListedEntry[];
  /** Of all that the filter leaves, whatever state is asked for. */
  counts: { open: number; snoozed: number; errors: number; warnings: number; notes: number };
}

/** A change of what people noted of an entry; absent: it stays. */
export interface InboxChange {
  assignee_id?: number | null;
  snoozed_until?: Date | null;
}

/** Entries of one response. */
const MOST_ENTRIES = 500;
const DAY_MS = 86_400_000;
/** An entry is hidden for so many days at most. */
export const MOST_SNOOZE_DAYS = 30;
/** A hidden entry comes back when as many are new as there were, and at least so many. */
const LEAST_NEW = 10;

export type InboxService = ReturnType<typeof createInboxService>;

/** Creates the service of what people on call should see (spec §1.9; notes/observing.md, The inbox). */
export function createInboxService(deps: Omit<InboxEntriesDeps, 'note'>) {
  const { database } = deps;
  const read = createInboxReader({ ...deps, note: createInboxHistory(deps) });
  const marked = async (tenantId: number, entries: readonly InboxEntry[]): Promise<ListedEntry[]> => {
    const keys = entries.map(({ key }) => key);
    const marks = await database.read((session) => findMarks(session, tenantId, keys));
    return entries.map((entry) => withMark(entry, marks.get(entry.key)));
  };

  /** Entries that ended in the last 30 days, with the people they were assigned to. */
  const closed = async (actor: Actor, query: InboxQuery) => {
    const { tenantId } = actor;
    const scope = { ...query, tenantId, teamIds: visibleTeamIds(actor) };
    const found = await database.read((session) => findClosedEntries(session, scope, MOST_ENTRIES));
    const all = (await marked(tenantId, found)).map((entry, place) => ({
      ...entry,
      snoozedUntil: null,
      closed: found[place]?.closed ?? null,
    }));
    return { entries: all.filter((entry) => isOf(entry, query)), isComplete: found.length < MOST_ENTRIES };
  };

  const visible = async (actor: Actor, key: string): Promise<InboxEntry> => {
    const named = (entries: readonly InboxEntry[]) => entries.find((each) => each.key === key);
    const kind = INBOX_KINDS.find((each) => key.startsWith(`${each}-`));
    // It may be newer than what was read for others.
    const newer = (each: InboxKind) =>
      each === 'failures' ? read.kind(actor, each) : read.anew(actor, each);
    const entry = named((await read.all(actor)).entries) ?? (kind && named(await newer(kind)));
    if (entry === undefined) throw new NotFound('Inbox entry');
    if (entry.teamId !== null) requireTeam(actor, entry.teamId, 'write', 'Inbox entry');
    else if (entry.audience === 'team' && !visibleTeamIds(actor).some((id) => canWrite(actor, id))) {
      throw new Forbidden();
    }
    return entry;
  };

  const problemsOf = async (
    actor: Actor,
    { teamId, audience }: InboxEntry,
    change: Usable<InboxChange>,
  ): Promise<Problem[]> => {
    const { assignee_id: assigneeId, snoozed_until: until } = change;
    const leftMs = until instanceof Date ? until.getTime() - (await deps.nowMs()) : DAY_MS;
    const inTime = leftMs > 0 && leftMs <= MOST_SNOOZE_DAYS * DAY_MS;
    const isReader =
      typeof assigneeId !== 'number' ||
      (audience === 'person'
        ? assigneeId === actor.userId
        : await database.read((session) =>
            isTeamReader(
              { tenantId: actor.tenantId, userId: assigneeId, teamId, ownersOnly: audience === 'owners' },
              session,
            ),
          ));
    return [
      ...(isReader ? [] : [{ message: 'nobody with this id can see the entry', details: 'assignee_id' }]),
      ...(inTime
        ? []
        : [
            {
              message: `must be in the future, at most ${MOST_SNOOZE_DAYS} days from now`,
              details: 'snoozed_until',
            },
          ]),
    ];
  };

  return {
    /** Returns what the actor may see. @throws NotFound for a team or story that it may not see. */
    async list(actor: Actor, query: InboxQuery): Promise<Inbox> {
      const { teamId, storyId, state } = query;
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      if (storyId !== undefined) await database.read((s) => visibleStory(actor, storyId, 'read', s));
      const { entries, isComplete, ...found } = await read.all(actor);
      const about = entries.filter((entry) => isAbout(entry, query));
      const all = await marked(actor.tenantId, about.slice(0, MOST_ENTRIES));
      const listed = all.filter((entry) => isOf(entry, query));
      const open = listed.filter(({ snoozedUntil }) => snoozedUntil === null);
      const snoozed = listed.filter(({ snoozedUntil }) => snoozedUntil !== null);
      const countOf = (severity: InboxEntry['severity']) =>
        open.filter((entry) => entry.severity === severity).length;
      const asked =
        state === 'CLOSED'
          ? await closed(actor, query)
          : {
              entries: { ALL: listed, OPEN: open, SNOOZED: snoozed }[state],
              isComplete: isComplete && about.length <= MOST_ENTRIES,
            };
      return {
        ...found,
        ...asked,
        counts: {
          open: open.length,
          snoozed: snoozed.length,
          errors: countOf('error'),
          warnings: countOf('warning'),
          notes: countOf('note'),
        },
      };
    },

    /** Returns the problems of a change. @throws NotFound; Forbidden for a role that may not change it. */
    async check(actor: Actor, key: string, change: Usable<InboxChange>): Promise<Problem[]> {
      return problemsOf(actor, await visible(actor, key), change);
    },

    /**
     * Gives an entry to a person, or hides it until a time or until it grows or gets worse. @throws NotFound and Forbidden as `check`;
     * Unprocessable for a person who cannot see it, and for a time that is past or too late.
     */
    async update(actor: Actor, key: string, change: InboxChange): Promise<ListedEntry> {
      const entry = await visible(actor, key);
      const problems = await problemsOf(actor, entry, change);
      if (problems.length > 0) throw new Unprocessable(problems);
      const { assignee_id: assigneeId, snoozed_until: until } = change;
      const { count, severity } = entry;
      const snooze = until ? { until, count, severity } : until;
      const { tenantId } = actor;
      await database.read((session) => saveMark(session, { tenantId, key }, { assigneeId, snooze }));
      const [listed] = await marked(tenantId, [entry]);
      if (listed === undefined) throw new NotFound('Inbox entry');
      return listed;
    },
  };
}

function isAbout(entry: InboxEntry, { teamId, storyId, kind }: InboxQuery): boolean {
  if (kind !== undefined && entry.kind !== kind) return false;
  if (teamId !== undefined && entry.teamId !== null && entry.teamId !== teamId) return false;
  if (storyId === undefined || entry.story?.id === storyId) return true;
  return entry.held?.some(({ story }) => story.id === storyId) ?? false;
}

function isOf({ assignee }: ListedEntry, { assigneeId, assigned }: InboxQuery): boolean {
  if (assigneeId !== undefined && assignee?.id !== assigneeId) return false;
  return assigned === undefined || (assignee !== null) === assigned;
}

function withMark(entry: InboxEntry, mark: InboxMark | undefined): ListedEntry {
  if (mark === undefined) return { ...entry, closed: null, assignee: null, snoozedUntil: null };
  const { assignee, snoozedUntil } = mark;
  return { ...entry, closed: null, assignee, snoozedUntil: isWoken(entry, mark) ? null : snoozedUntil };
}

function isWoken(entry: InboxEntry, mark: InboxMark): boolean {
  const { snoozedCount, snoozedSeverity } = mark;
  if (snoozedSeverity !== null && isWorse(entry.severity, snoozedSeverity)) return true;
  return newSince(entry, mark) >= Math.max(snoozedCount, LEAST_NEW);
}

/** Failures that were snoozed may have been retried: new ones are told by their times too, those of whole hours by the trend. */
function newSince(
  { count, firstSeen, trend }: InboxEntry,
  { snoozedCount, snoozedAt, snoozedHours }: InboxMark,
): number {
  const more = count - snoozedCount;
  if (trend === null || snoozedAt === null) return more;
  if (firstSeen !== null && firstSeen > snoozedAt) return count;
  const newest = snoozedHours ? trend.slice(-snoozedHours) : [];
  return Math.max(
    more,
    newest.reduce((sum, failed) => sum + failed, 0),
  );
}
