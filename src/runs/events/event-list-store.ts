import { countUpTo, MAX_COUNT, readIds } from '../../platform/mysql/id-page.js';
import {
  NO_PAGE,
  readNewest,
  rowsBefore,
  type WalkPage,
  type WalkWindow,
} from '../../platform/mysql/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/sql.js';
import { idsBetween } from './event-time-store.js';

/** The scope: a run, an action, a story, or all stories of these teams. */
export type EventScope =
  | { kind: 'run'; storyRunGuid: string }
  | { kind: 'agent'; agentId: number }
  | { kind: 'story'; storyId: number }
  | { kind: 'teams'; tenantId: number; teamIds: number[] };

/** The filter of a list of events. */
export interface EventSearch {
  scope: EventScope;
  /** In the scope of a run: only the events of this action. */
  agentId?: number | undefined;
  /** Events after this one. */
  sinceId?: number | undefined;
  /** Events up to and including this one. */
  untilId?: number | undefined;
  /** Events of this time and later. */
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

/** Reads each story's part of its index; the result must be sorted. */
const BY_STORY = 'stories s STRAIGHT_JOIN events e FORCE INDEX (events_story) ON e.story_id = s.id';
/** Reads the newest events of the whole server until the page is full. */
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
  const readsAll =
    scope.kind === 'teams' && !reemittedOnly && (await isDense(session, bounded, { window, total }));
  return readNewest(session, { ...query, from: readsAll ? ALL_IN_ORDER : from }, { window, total });
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
 * Whether reading the newest of all events fills a page sooner than sorting the wanted events. Assumes that these are
 * spread evenly.
 */
async function isDense(
  session: Session,
  { sinceId = 0, untilId = Number.MAX_SAFE_INTEGER }: EventSearch,
  { window, total }: { window: WalkWindow; total: number },
): Promise<boolean> {
  if (total === 0) return false;
  if (total === MAX_COUNT) return true;
  const [row] = await session.rows<{ first: number | null; last: number | null }>(
    'SELECT MIN(id) AS first, MAX(id) AS last FROM events',
  );
  const span = Math.min(untilId, row?.last ?? 0) - Math.max(sinceId, row?.first ?? 0);
  const rows = window.limit + rowsBefore(window);
  return (rows * span * ROW_COST) / total < total;
}
