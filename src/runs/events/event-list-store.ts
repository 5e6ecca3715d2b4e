import { countUpTo, MAX_COUNT, readIds } from '../../platform/mysql/id-page.js';
import type { Page, Window } from '../../platform/mysql/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/sql.js';

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
  /** Oldest first; otherwise newest first. */
  oldestFirst?: boolean;
}

/** Cost of reading a whole row, relative to reading an entry of an index in its order. */
const ROW_COST = 10;

/** Reads each story's part of its index; the result must be sorted. */
const BY_STORY = 'stories s STRAIGHT_JOIN events e FORCE INDEX (events_story) ON e.story_id = s.id';
/** Reads the newest events of the whole server until the page is full. */
const ALL_IN_ORDER = 'events e FORCE INDEX (PRIMARY) STRAIGHT_JOIN stories s ON s.id = e.story_id';

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
  window: Window,
): Promise<Page<number>> {
  if (search.scope.kind === 'teams' && search.scope.teamIds.length === 0) return { items: [], total: 0 };
  const order = `e.id ${search.oldestFirst === true ? 'ASC' : 'DESC'}`;
  const query = { id: 'e.id', order, from: SOURCES[search.scope.kind], ...conditions(search) };
  const total = await countUpTo(session, query);
  const from =
    search.scope.kind === 'teams' && (await isDense(session, search, { window, total }))
      ? ALL_IN_ORDER
      : query.from;
  return readIds(session, { ...query, from }, { window, total });
}

function conditions({ scope, agentId, sinceId, untilId }: EventSearch): {
  where: string;
  values: SqlValue[];
} {
  const terms: [string, SqlValue[]][] = [scopeTerm(scope), ['e.agent_id <> 0', []]];
  if (agentId !== undefined) terms.push(['e.agent_id = ?', [agentId]]);
  if (sinceId !== undefined) terms.push(['e.id > ?', [sinceId]]);
  if (untilId !== undefined) terms.push(['e.id <= ?', [untilId]]);
  return {
    where: terms.map(([sql]) => sql).join(' AND '),
    values: terms.flatMap(([, values]) => values),
  };
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
  { window: { offset, limit }, total }: { window: Window; total: number },
): Promise<boolean> {
  if (total === 0) return false;
  if (total === MAX_COUNT) return true;
  const [row] = await session.rows<{ first: number | null; last: number | null }>(
    'SELECT MIN(id) AS first, MAX(id) AS last FROM events',
  );
  const span = Math.min(untilId, row?.last ?? 0) - Math.max(sinceId, row?.first ?? 0);
  return ((offset + limit) * span * ROW_COST) / total < total;
}
