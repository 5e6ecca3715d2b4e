import type { DeliveryState } from '../../engine/face.js';
import type { RunSource } from '../../api/face.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import type { RunStatus } from '../runs/run.js';
import {
  areManyDeliveries,
  type DeliveryOwners,
  FAILED,
  hasDelivery,
  OPEN,
  runsWithDeliveries,
} from '../runs/run-delivery-store.js';
import type { RunCursor } from './run-cursor.js';

/** The part of a search that the tables of runs and deliveries can tell. */
export interface CandidateFilter {
  tenantId: number;
  teamIds: number[];
  storyId: number | undefined;
  /** Runs of drafts instead of live stories. */
  ofDrafts: boolean;
  source: RunSource | undefined;
  status: RunStatus | undefined;
  /** Runs that started at `since` or later, and before `until`. */
  since: Date | undefined;
  until: Date | undefined;
}

/** A run that may match. */
export interface RunCandidate {
  id: number;
  createdAt: Date;
}

/** Candidates in the order of the list, and the end of the part that was looked through; undefined: nothing is left. */
export interface CandidatePage {
  candidates: RunCandidate[];
  next: RunCursor | undefined;
}

/** Runs that one statement looks through, of the whole server or of a story with many deliveries. */
const MOST_LOOKED_AT = 20_000;
const STATES: Partial<Record<RunStatus, readonly DeliveryState[]>> = { running: OPEN, failed: FAILED };

/** The way in which a search finds its runs. */
export interface CandidateWalk {
  /** Runs come in the order of their start, not of their ids. */
  isByTime: boolean;
  /** Returns the next runs, newest first. */
  find(batch: Batch): Promise<CandidatePage>;
}

interface Batch {
  after: RunCursor | undefined;
  limit: number;
}

/**
 * Returns where a search finds its runs. Those with deliveries in a state come from these if they are few, those of one story from its
 * index. Others come from the newest runs of the whole server. Where few runs may match, a statement looks through a bounded number.
 * Counts deliveries, so it is asked once for a search.
 */
export async function chooseWalk(session: Session, filter: CandidateFilter): Promise<CandidateWalk> {
  const byTime = (find: CandidateWalk['find']) => ({ isByTime: true, find });
  if (filter.teamIds.length === 0) return byTime(() => Promise.resolve({ candidates: [], next: undefined }));
  const states = statesOf(filter);
  if (states !== undefined && !(await areManyDeliveries(session, states, scopeOf(filter))))
    return byTime((batch) => fromIndex(session, withDeliveries(filter, states), batch));
  if (filter.storyId !== undefined) return byTime((batch) => fromStory(session, filter, batch));
  return { isByTime: false, find: (batch) => fromServer(session, filter, batch) };
}

function statesOf({ status }: CandidateFilter): readonly DeliveryState[] | undefined {
  return status === undefined ? undefined : STATES[status];
}

interface Source {
  from: string;
  where: string[];
  values: SqlValue[];
}

async function fromIndex(session: Session, source: Source, { after, limit }: Batch): Promise<CandidatePage> {
  const { sql, values } = newestOf(source, after);
  const candidates = await session.rows<RunCandidate>(`${sql} LIMIT ?`, [...values, limit]);
  return { candidates, next: candidates.length < limit ? undefined : candidates.at(-1) };
}

/** The runs of a source after a place, newest first. */
function newestOf({ from, where, values }: Source, after: RunCursor | undefined) {
  const place = after === undefined ? [] : ['(r.created_at < ? OR (r.created_at = ? AND r.id < ?))'];
  const placeValues = after === undefined ? [] : [after.createdAt, after.createdAt, after.id];
  return {
    sql:
      `SELECT r.id, r.created_at AS createdAt FROM ${from} WHERE ${[...where, ...place].join(' AND ')}` +
      ' ORDER BY r.created_at DESC, r.id DESC',
    values: [...values, ...placeValues],
  };
}

async function fromStory(session: Session, filter: CandidateFilter, batch: Batch): Promise<CandidatePage> {
  const states = statesOf(filter);
  const source = ofStory(filter);
  if (states === undefined) return fromIndex(session, source, batch);
  // The index alone leads to the end of the part that is looked through.
  const all = newestOf(source, batch.after);
  const [end] = await session.rows<RunCandidate>(
    `${all.sql} LIMIT 1 OFFSET ${MOST_LOOKED_AT - 1}`,
    all.values,
  );
  const where = [...source.where];
  const values = [...source.values];
  if (end !== undefined) {
    where.push('r.created_at >= ? AND (r.created_at > ? OR r.id >= ?)');
    values.push(end.createdAt, end.createdAt, end.id);
  }
  where.push(hasDelivery(states));
  const { candidates, next } = await fromIndex(session, { ...source, where, values }, batch);
  return { candidates, next: next ?? end };
}

async function fromServer(
  session: Session,
  filter: CandidateFilter,
  { after, limit }: Batch,
): Promise<CandidatePage> {
  const [newest] = await session.rows<{ id: number | null }>('SELECT MAX(id) AS id FROM story_runs');
  const below = after?.id ?? (newest?.id ?? 0) + 1;
  const from = Math.max(0, below - MOST_LOOKED_AT);
  const { where, values } = conditions(filter);
  const states = statesOf(filter);
  if (states !== undefined) where.push(hasDelivery(states));
  const candidates = await session.rows<RunCandidate>(
    `SELECT r.id, r.created_at AS createdAt
     FROM story_runs r FORCE INDEX (PRIMARY) STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = r.story_id
     WHERE ${['r.id >= ?', 'r.id < ?', ...where].join(' AND ')} ORDER BY r.id DESC LIMIT ?`,
    [from, below, ...values, limit],
  );
  if (candidates.length === limit) return { candidates, next: candidates.at(-1) };
  if (from === 0) return { candidates, next: undefined };
  // The next page may be read by time.
  const createdAt = (await startAt(session, from)) ?? after?.createdAt ?? new Date();
  return { candidates, next: isBefore(createdAt, filter.since) ? undefined : { id: from, createdAt } };
}

/** Returns when the oldest run with this id or a later one started; undefined if there is none. */
export async function startAt(session: Session, id: number): Promise<Date | undefined> {
  const [run] = await session.rows<{ createdAt: Date }>(
    'SELECT created_at AS createdAt FROM story_runs WHERE id >= ? ORDER BY id LIMIT 1',
    [id],
  );
  return run?.createdAt;
}

/** Whether older runs than this one started before the searched time. A later id hardly ever has an earlier time. */
const isBefore = (createdAt: Date, since: Date | undefined): boolean =>
  since !== undefined && createdAt.getTime() < since.getTime() - CLOCKS_MS;

/** Clocks of processes may differ by so much. */
const CLOCKS_MS = 60_000;

function ofStory(filter: CandidateFilter): Source {
  return {
    from: 'story_runs r FORCE INDEX (story_runs_list) STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = r.story_id',
    ...conditions(filter),
  };
}

function withDeliveries(filter: CandidateFilter, states: readonly DeliveryState[]): Source {
  const { where, values } = conditions(filter);
  const found = runsWithDeliveries(states, scopeOf(filter));
  return {
    from:
      `(${found.sql}) d STRAIGHT_JOIN story_runs r FORCE INDEX (story_runs_guid) ON r.guid = d.guid` +
      ' STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = r.story_id',
    where,
    values: [...found.values, ...values],
  };
}

const scopeOf = ({ storyId, tenantId, teamIds, since }: CandidateFilter): DeliveryOwners =>
  storyId === undefined ? { tenantId, teamIds, since } : { storyId, since };

/** Returns the conditions of the filter on run `r` and its story `s`. */
export function conditions(filter: CandidateFilter): { where: string[]; values: SqlValue[] } {
  const { tenantId, teamIds, storyId, ofDrafts, source, status, since, until } = filter;
  const terms: [string, SqlValue[]][] = [
    ['s.tenant_id = ?', [tenantId]],
    ['s.team_id IN (?)', [teamIds]],
    [`s.draft_of IS ${ofDrafts ? 'NOT ' : ''}NULL`, []],
  ];
  if (storyId !== undefined) terms.push(['r.story_id = ?', [storyId]]);
  if (source !== undefined) terms.push(['r.source = ?', [source]]);
  if (status !== undefined) terms.push([`r.cancelled_at IS ${status === 'cancelled' ? 'NOT ' : ''}NULL`, []]);
  if (since !== undefined) terms.push(['r.created_at >= ?', [since]]);
  if (until !== undefined) terms.push(['r.created_at < ?', [until]]);
  return { where: terms.map(([sql]) => sql), values: terms.flatMap(([, values]) => values) };
}
