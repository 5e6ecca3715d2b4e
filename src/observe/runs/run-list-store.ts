import { countUpTo, MAX_COUNT } from '../../platform/mysql/statements/id-page.js';
import {
  type NewestQuery,
  readNewest,
  type WalkPage,
  type WalkWindow,
} from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import type { DeliveryState } from '../../engine/face.js';
import type { RunSource } from '../../api/face.js';
import { IS_WARNING } from '../attempts/attempt-store.js';
import type { RunStatus } from './run.js';
import { areManyDeliveries, FAILED, hasDelivery, OPEN, runsWithDeliveries } from './run-delivery-store.js';

/** The filter of a list of runs. */
export interface RunFilter {
  storyId: number;
  status?: RunStatus | undefined;
  source?: RunSource | undefined;
  /** Runs that started at `since` or later, and before `until`. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Only runs with steps that logged errors and did not fail. */
  warnings?: boolean | undefined;
}

const ORDER = { id: 'r.id', time: 'r.created_at' };
const BY_TIME = 'story_runs r FORCE INDEX (story_runs_list)';

const NOT_CANCELLED = 'r.cancelled_at IS NULL';
const NO_DELIVERY = 'd.id IS NULL';
/** None of the run's deliveries is open. */
const NONE_OPEN = {
  join:
    ' LEFT JOIN deliveries o FORCE INDEX (deliveries_run)' +
    " ON o.story_run_guid = r.guid AND o.state <> 'failed'",
  where: 'o.id IS NULL',
};
/**
 * The index of runs has the level, so only lines about errors are read. Not EXISTS: databases may turn that into a join that reads
 * all lines first.
 */
const HAS_WARNING =
  '(SELECT l.id FROM agent_logs l FORCE INDEX (agent_logs_run)' +
  ` WHERE l.story_run_guid = r.guid AND ${IS_WARNING} LIMIT 1) IS NOT NULL`;
const ANY = { join: '', where: 'TRUE' };
/** Runs of a story that are looked through for warnings, or for one of many deliveries. */
const MOST_LOOKED_AT = 10_000;

/** Deliveries in these states, and what holds for the other deliveries of the run. */
interface Work {
  states: readonly DeliveryState[];
  others: typeof ANY;
}

const RUNNING: Work = { states: OPEN, others: ANY };
const BROKEN: Work = { states: FAILED, others: NONE_OPEN };
const ALL: Work = { states: [...OPEN, ...FAILED], others: ANY };

/** The query for each status, and for all runs. */
const QUERIES: Record<RunStatus | 'any', (filter: RunFilter) => NewestQuery> = {
  any: (filter) => ofStory(filter, []),
  cancelled: (filter) => ofStory(filter, ['r.cancelled_at IS NOT NULL']),
  running: (filter) => withDeliveries(filter, RUNNING),
  failed: (filter) => withDeliveries(filter, BROKEN),
  completed: withoutDeliveries,
};

/**
 * Returns the ids of a page of a story's runs, newest first. Without a status, and for completed and cancelled runs, the
 * query walks the story's index of runs. For `running` and `failed` it starts from the newest deliveries in these states. One run
 * may have most of them: where there are more, the story's newest runs are looked through too. The total is that of the first page.
 */
export async function listRunIds(
  session: Session,
  filter: RunFilter,
  window: WalkWindow,
): Promise<WalkPage<number>> {
  const queryUpTo = await queriesOf(session, filter);
  const total = await totalOf(session, filter, queryUpTo(undefined));
  return readNewest(session, queryUpTo(window.after?.time), { window, total });
}

/** Returns the query of the list; where deliveries are many, it finds runs that started up to a time. */
async function queriesOf(
  session: Session,
  filter: RunFilter,
): Promise<(upTo: Date | undefined) => NewestQuery> {
  const { status = 'any' } = filter;
  if (status === 'running' || status === 'failed') {
    const work = status === 'failed' ? BROKEN : RUNNING;
    if (await areManyDeliveries(session, work.states, filter))
      return (upTo) => withDeliveries(filter, work, { newest: { upTo } });
  }
  return () => QUERIES[status](filter);
}

/**
 * Completed runs are counted as all runs minus the others: checking the deliveries of each run would take long. Warnings are looked
 * for in few runs, which are checked.
 */
async function totalOf(session: Session, filter: RunFilter, query: NewestQuery): Promise<number> {
  if (filter.status !== 'completed' || filter.warnings === true) return countUpTo(session, query);
  const others = await countUpTo(session, withDeliveries(filter, ALL, { limit: MAX_COUNT }));
  const all = await countUpTo(session, ofStory(filter, [NOT_CANCELLED]), MAX_COUNT + others);
  return Math.max(0, all - others);
}

function ofStory(filter: RunFilter, more: string[]): NewestQuery {
  const { sql, values } = conditions(filter, [warningTerm(filter), ...more]);
  const runs = runsOf(filter);
  return { ...ORDER, from: runs.from, where: sql, values: [...runs.values, ...values] };
}

const warningTerm = ({ warnings }: RunFilter) => (warnings === true ? HAS_WARNING : 'TRUE');

function withoutDeliveries(filter: RunFilter): NewestQuery {
  const { sql, values } = conditions(filter, [NOT_CANCELLED, NO_DELIVERY, warningTerm(filter)]);
  const runs = runsOf(filter);
  const from = `${runs.from} LEFT JOIN deliveries d FORCE INDEX (deliveries_run) ON d.story_run_guid = r.guid`;
  return { ...ORDER, from, where: sql, values: [...runs.values, ...values] };
}

function runsOf(filter: RunFilter): Runs {
  return filter.warnings === true ? newestOf(filter) : { from: BY_TIME, values: [] };
}

interface Runs {
  from: string;
  values: SqlValue[];
}

/** The newest runs of the filter: older ones are found by narrowing the time. */
function newestOf(filter: RunFilter, upTo?: Date): Runs {
  const { sql, values } = conditions(filter, upTo === undefined ? [] : ['r.created_at <= ?']);
  const from =
    `(SELECT r.id FROM ${BY_TIME} WHERE ${sql} ORDER BY r.created_at DESC, r.id DESC LIMIT ${MOST_LOOKED_AT}) n` +
    ' STRAIGHT_JOIN story_runs r FORCE INDEX (PRIMARY) ON r.id = n.id';
  return { from, values: upTo === undefined ? values : [...values, upTo] };
}

/** With `newest`, the newest runs of the filter that have such deliveries are among them. */
function withDeliveries(
  filter: RunFilter,
  { states, others }: Work,
  { newest, limit }: { newest?: { upTo: Date | undefined }; limit?: number } = {},
): NewestQuery {
  const { sql, values } = conditions(filter, [NOT_CANCELLED, others.where, warningTerm(filter)]);
  const found = runsWithDeliveries(states, filter, limit);
  const runs = newest === undefined ? undefined : newestOf(filter, newest.upTo);
  const more = runs && ` UNION SELECT r.guid FROM ${runs.from} WHERE ${hasDelivery(states)}`;
  const from = `(${found.sql}${more ?? ''}) d STRAIGHT_JOIN story_runs r FORCE INDEX (story_runs_guid) ON r.guid = d.guid`;
  return {
    ...ORDER,
    from: `${from}${others.join}`,
    where: sql,
    values: [...found.values, ...(runs?.values ?? []), ...values],
  };
}

function conditions(
  { storyId, source, since, until }: RunFilter,
  more: string[],
): { sql: string; values: SqlValue[] } {
  const terms: [string, SqlValue][] = [['r.story_id = ?', storyId]];
  if (since !== undefined) terms.push(['r.created_at >= ?', since]);
  if (until !== undefined) terms.push(['r.created_at < ?', until]);
  if (source !== undefined) terms.push(['r.source = ?', source]);
  return {
    sql: [...terms.map(([sql]) => sql), ...more].join(' AND '),
    values: terms.map(([, value]) => value),
  };
}
