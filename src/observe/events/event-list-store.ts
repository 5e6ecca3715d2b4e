import { countUpTo, MAX_COUNT, readIds } from '../../platform/mysql/statements/id-page.js';
import {
  type NewestQuery,
  NO_PAGE,
  readNewest,
  rowsBefore,
  type WalkPage,
  type WalkWindow,
} from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';

/**
 * Events have no index by time, which each of them would have to be entered in. Ids grow with time, except for events
 * that are stored at the same moment: so far are ids looked for beside a time.
 */
const APART_MS = 60_000;

/** The scope: a run, an action, a story, or all stories of these teams. */
export type EventScope =
  | { kind: 'run'; storyRunGuid: string }
  | { kind: 'agent'; agentId: number }
  | { kind: 'story'; storyId: number }
  | { kind: 'teams'; tenantId: number; teamIds: number[] };

type TeamScope = Extract<EventScope, { kind: 'teams' }>;

/** The filter of a list of events. */
export interface EventSearch {
  scope: EventScope;
  /** In the scope of a run: only the events of this action. */
  agentId?: number | undefined;
  /** Events after this one. */
  sinceId?: number | undefined;
  /** Events up to and including this one. */
  untilId?: number | undefined;
  /** Events from this time on. */
  since?: Date | undefined;
  /** Events before this time. */
  until?: Date | undefined;
  /** Only events that were emitted again by hand. */
  reemittedOnly?: boolean | undefined;
  /** Oldest first; otherwise newest first. */
  oldestFirst?: boolean;
}

/** Cost of reading a whole row, relative to reading an entry of an index in its order. */
const ROW_COST = 10;
/** Events of all tenants that one statement may read. */
const MOST_READ = 100_000;
/** A part of the list that does not fill the page is followed by one so many times as long. */
const WIDER = 16;

/** Reads each story's part of its index; the result must be sorted. */
const BY_STORY = 'stories s STRAIGHT_JOIN events e FORCE INDEX (events_story) ON e.story_id = s.id';
/** Reads the newest events of the whole server, within a range of ids, until the page is full. */
const ALL_IN_ORDER = 'events e FORCE INDEX (PRIMARY) STRAIGHT_JOIN stories s ON s.id = e.story_id';

/** Reemitted events are few: their marks are read, and each one's event. */
const REEMITTED: Record<EventScope['kind'], string> = {
  run: 'events e FORCE INDEX (events_run) STRAIGHT_JOIN event_marks m ON m.event_id = e.id',
  agent:
    'event_marks m FORCE INDEX (event_marks_agent) STRAIGHT_JOIN events e ON e.id = m.event_id AND e.agent_id = m.agent_id',
  story: 'event_marks m FORCE INDEX (event_marks_story) STRAIGHT_JOIN events e ON e.id = m.event_id',
  teams:
    'stories s STRAIGHT_JOIN event_marks m FORCE INDEX (event_marks_story) ON m.story_id = s.id STRAIGHT_JOIN events e ON e.id = m.event_id',
};

const SOURCES: Record<EventScope['kind'], string> = {
  run: 'events e FORCE INDEX (events_run)',
  agent: 'events e FORCE INDEX (events_agent)',
  story: 'events e FORCE INDEX (events_story)',
  teams: BY_STORY,
};

/** Returns the ids of a page of events, without the inputs of runs, which belong to no action. */
export async function listEventIds(
  session: Session,
  search: EventSearch,
  window: WalkWindow,
): Promise<WalkPage<number>> {
  const { scope, reemittedOnly = false } = search;
  if (scope.kind === 'teams' && scope.teamIds.length === 0) return NO_PAGE;
  const bounded = await withinIds(session, search);
  const from = (reemittedOnly ? REEMITTED : SOURCES)[scope.kind];
  const query = { id: 'e.id', from, ...conditions(bounded) };
  const total = await countUpTo(session, query);
  if (search.oldestFirst === true) {
    // Grows at its end: pages by number have nothing twice.
    return { ...(await readIds(session, { ...query, order: 'e.id' }, { window, total })), next: null };
  }
  const counted = { window, total };
  if (scope.kind !== 'teams' || reemittedOnly) return readNewest(session, query, counted);
  const reach = await reachOf(session, bounded, counted);
  return reach === undefined
    ? readNewest(session, query, counted)
    : readWidening(session, query, { ...counted, reach, scope });
}

/** Ids: the newest that a page may have, the oldest of all, and how far below the newest the page is expected to end. */
interface Reach {
  top: number;
  bottom: number;
  ids: number;
}

/**
 * Reads the newest part of the list, then longer parts until the page is full: nobody knows how the events of the scope lie
 * among those of others. Only the first part is read from the events of all. An empty part is followed by the newest event
 * below it.
 */
async function readWidening(
  session: Session,
  query: NewestQuery,
  { reach, scope, ...counted }: { window: WalkWindow; total: number; reach: Reach; scope: TeamScope },
): Promise<WalkPage<number>> {
  let from = reach.ids <= MOST_READ ? ALL_IN_ORDER : query.from;
  let { top, ids: length } = reach;
  for (;;) {
    const above = Math.max(reach.bottom - 1, top - length);
    const part = { ...query, from, where: `${query.where} AND e.id > ?`, values: [...query.values, above] };
    const page = await readNewest(session, part, counted);
    if (page.next !== null || above < reach.bottom) return page;
    from = query.from;
    if (page.items.length > 0 || rowsBefore(counted.window) > 0) length *= WIDER;
    else top = await newestOf(session, scope, above);
  }
}

/**
 * Returns the id of the newest event of the scope up to an id; 0: there is none. One entry of each story's index is read; for MAX,
 * MariaDB would read all.
 */
async function newestOf(session: Session, scope: TeamScope, upTo: number): Promise<number> {
  const { tenantId, teamIds } = scope;
  const [row] = await session.rows<{ id: number | null }>(
    `SELECT MAX(n.id) AS id FROM (SELECT (SELECT e.id FROM events e FORCE INDEX (events_story)
        WHERE e.story_id = s.id AND e.id <= ? ORDER BY e.story_id DESC, e.id DESC LIMIT 1) AS id
      FROM stories s WHERE s.tenant_id = ? AND s.team_id IN (?)) n`,
    [upTo, tenantId, teamIds],
  );
  return row?.id ?? 0;
}

/** Narrows the ids to those of the times, so that an index is read in this part only. */
async function withinIds(session: Session, search: EventSearch): Promise<EventSearch> {
  const { since, until, sinceId = 0, untilId = Number.MAX_SAFE_INTEGER } = search;
  if (since === undefined && until === undefined) return search;
  const ids = await idsBetween(session, { since, until });
  return {
    ...search,
    sinceId: Math.max(sinceId, ids.from - 1),
    untilId: Math.min(untilId, ids.below - 1),
  };
}

function conditions(search: EventSearch): { where: string; values: SqlValue[] } {
  const { scope, agentId, sinceId, untilId, since, until, reemittedOnly } = search;
  const terms: [string, SqlValue[]][] = [scopeTerm(scope), ['e.agent_id <> 0', []]];
  if (reemittedOnly === true) terms.push(...reemittedTerms(scope));
  if (agentId !== undefined) terms.push(['e.agent_id = ?', [agentId]]);
  if (sinceId !== undefined) terms.push(['e.id > ?', [sinceId]]);
  if (untilId !== undefined) terms.push(['e.id <= ?', [untilId]]);
  if (since !== undefined) terms.push(['e.created_at >= ?', [since]]);
  if (until !== undefined) terms.push(['e.created_at < ?', [until]]);
  return {
    where: terms.map(([sql]) => sql).join(' AND '),
    values: terms.flatMap(([, values]) => values),
  };
}

/** The scope once more for the marks, whose index begins with it. */
function reemittedTerms(scope: EventScope): [string, SqlValue[]][] {
  const reemitted: [string, SqlValue[]] = ['m.reemitted = 1', []];
  if (scope.kind === 'agent') return [reemitted, ['m.agent_id = ?', [scope.agentId]]];
  return scope.kind === 'story' ? [reemitted, ['m.story_id = ?', [scope.storyId]]] : [reemitted];
}

function scopeTerm(scope: EventScope): [string, SqlValue[]] {
  if (scope.kind === 'run') return ['e.story_run_guid = ?', [scope.storyRunGuid]];
  if (scope.kind === 'agent') return ['e.agent_id = ?', [scope.agentId]];
  if (scope.kind === 'story') return ['e.story_id = ?', [scope.storyId]];
  return ['s.tenant_id = ? AND s.team_id IN (?)', [scope.tenantId, scope.teamIds]];
}

/**
 * Returns how far to read the newest events before the page is full, if they are spread evenly; undefined: sorting the
 * events of the scope costs less.
 */
async function reachOf(
  session: Session,
  { sinceId = 0, untilId = Number.MAX_SAFE_INTEGER }: EventSearch,
  { window, total }: { window: WalkWindow; total: number },
): Promise<Reach | undefined> {
  if (total === 0) return undefined;
  const [row] = await session.rows<{ first: number | null; last: number | null }>(
    'SELECT MIN(id) AS first, MAX(id) AS last FROM events',
  );
  const newest = Math.min(untilId, row?.last ?? 0);
  const bottom = Math.max(sinceId + 1, row?.first ?? 0);
  const each = (newest - bottom) / total;
  const rows = window.limit + 1 + rowsBefore(window);
  if (total < MAX_COUNT && rows * each * ROW_COST >= total) return undefined;
  const top = window.after === undefined ? newest : Math.min(newest, window.after.id - 1);
  return { top, bottom, ids: Math.ceil(2 * rows * Math.max(1, each)) };
}

/** Ids from `from`, below `below`. */
interface EventIdRange {
  from: number;
  below: number;
}

/** Returns the range that has all events between these times, and few others. */
async function idsBetween(
  session: Session,
  { since, until }: { since: Date | undefined; until: Date | undefined },
): Promise<EventIdRange> {
  const [ends] = await session.rows<{ first: number | null; last: number | null }>(
    'SELECT MIN(id) AS first, MAX(id) AS last FROM events',
  );
  const all = { from: ends?.first ?? 0, below: (ends?.last ?? 0) + 1 };
  const from =
    since === undefined ? all.from : await firstIdAt(session, all, new Date(since.getTime() - APART_MS));
  const below =
    until === undefined ? all.below : await firstIdAt(session, all, new Date(until.getTime() + APART_MS));
  return { from, below };
}

/**
 * Returns the id at which events of `time` and later begin: by halving the range, about forty look-ups by primary key for
 * a million million events.
 */
async function firstIdAt(session: Session, { from, below }: EventIdRange, time: Date): Promise<number> {
  let low = from;
  let high = below;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await session.rows<{ id: number; late: number }>(
      'SELECT id, created_at >= ? AS late FROM events WHERE id >= ? ORDER BY id LIMIT 1',
      [time, middle],
    );
    if (row === undefined || row.late === 1) high = middle;
    else low = row.id + 1;
  }
  return low;
}
