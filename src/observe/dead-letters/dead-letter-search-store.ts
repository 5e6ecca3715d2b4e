import { LOG_LEVELS } from '../../agents/face.js';
import { readableTextContains } from '../../platform/mysql/statements/readable-text.js';
import { newestFirst } from '../../platform/mysql/statements/newest-page.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import type { DeadLetterSearch } from './dead-letter.js';
import { KIND_CHARS } from './groups/error-kind.js';

/** A condition with its values. */
export type Term = [sql: string, ...values: SqlValue[]];

/** A dead letter's `due_at` is its failure time, or seconds later (rule 9's leases). Unlike `failed_at` it has an index. */
const LATEST_DUE_MINUTES = 1;
const ERROR = { column: 'd.error COLLATE utf8mb4_unicode_520_ci', teamColumn: 's.team_id' };
const BY_TIME = 'deliveries d FORCE INDEX (deliveries_due)';
/** Without the index a server may read the stories of a small tenant first, and sort the letters of all. */
const REACH = 'STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = d.story_id';

/** Order of lists. */
export const NEWEST_FIRST = { id: 'd.id', time: 'd.due_at' };
/** The part of an error that decides its kind; empty if none was told. */
export const KIND_TEXT = `COALESCE(LEFT(d.error, ${KIND_CHARS}), '')`;

/**
 * Bounds what a search reads: the newest dead letters of the installation, those that the index alone finds for the search, or the
 * newest lines in the log of an action.
 */
export type Within =
  | { newest: number }
  | { found: number; lastHours?: number }
  | { lines: number; agentId: number };

/** Returns the tables and conditions of a search, with `more` conditions: `d` is the delivery, `s` its story. */
export function deadLettersIn(search: DeadLetterSearch, more: Term[] = [], within?: Within) {
  const [from, ...fromValues] = fromOf(search, within);
  const { where, values } = foundBy([...indexTermsOf(search), ...rowTermsOf(search), ...more]);
  return { from: `${from} ${REACH}`, where, values: [...fromValues, ...values] };
}

/** Returns the letters of which a search with a `found` bound reads the newest; undefined: each that it reads fits. */
export function readBy(search: DeadLetterSearch) {
  if (search.storyRunGuid !== undefined || rowTermsOf(search).length === 0) return undefined;
  return foundBy(indexTermsOf(search));
}

/** Returns the ids of the newest dead letters of the installation as SQL; they are read from the index alone. */
export function newestIds(limit: number): string {
  return (
    "SELECT b.id FROM deliveries b FORCE INDEX (deliveries_due) WHERE b.state = 'failed'" +
    ` ORDER BY b.due_at DESC, b.id DESC LIMIT ${limit}`
  );
}

function fromOf(search: DeadLetterSearch, within: Within | undefined): Term {
  // The index by run leads to no others.
  if (search.storyRunGuid !== undefined) return ['deliveries d FORCE INDEX (deliveries_run)'];
  if (within === undefined) return [BY_TIME];
  const join = 'w STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = w.id';
  if ('newest' in within) return [`(${newestIds(within.newest)}) ${join}`];
  if ('found' in within) {
    const terms = indexTermsOf(search);
    if (within.lastHours !== undefined) terms.push([`d.due_at > NOW(3) - INTERVAL ${within.lastHours} HOUR`]);
    const { from, where, values } = foundBy(terms);
    return [
      `(SELECT d.id FROM ${from} WHERE ${where} ORDER BY ${newestFirst(NEWEST_FIRST)} LIMIT ${within.found}) ${join}`,
      ...values,
    ];
  }
  // The level is in the index of actions: of lines that are no errors no row is read.
  return [
    `(SELECT DISTINCT f.delivery_id AS id
      FROM (SELECT n.id, n.level FROM agent_logs n FORCE INDEX (agent_logs_agent) WHERE n.agent_id = ?
            ORDER BY n.id DESC LIMIT ${within.lines}) e
      STRAIGHT_JOIN agent_logs f FORCE INDEX (PRIMARY) ON f.id = e.id
      WHERE e.level >= ${LOG_LEVELS.error} AND f.attempt IS NOT NULL AND f.delivery_id IS NOT NULL) ${join}`,
    within.agentId,
  ];
}

const foundBy = (terms: Term[]) => ({
  from: `${BY_TIME} ${REACH}`,
  where: terms.map(([sql]) => sql).join(' AND '),
  values: terms.flatMap(([, ...values]) => values),
});

/** The conditions that the index by time decides. */
function indexTermsOf({ tenantId, teamIds, storyId, agentId, since, until }: DeadLetterSearch): Term[] {
  const terms: Term[] = [["d.state = 'failed'"], ['s.tenant_id = ? AND s.team_id IN (?)', tenantId, teamIds]];
  if (storyId !== undefined) terms.push(['d.story_id = ?', storyId]);
  if (agentId !== undefined) terms.push(['d.agent_id = ?', agentId]);
  if (since !== undefined) terms.push(['d.due_at >= ?', since]);
  if (until !== undefined) terms.push([`d.due_at < ? + INTERVAL ${LATEST_DUE_MINUTES} MINUTE`, until]);
  return terms;
}

/** The conditions for which the row must be read. */
function rowTermsOf(search: DeadLetterSearch): Term[] {
  const { storyRunGuid, error, errorTexts, since, until } = search;
  const terms: Term[] = [];
  if (storyRunGuid !== undefined) terms.push(['d.story_run_guid = ?', storyRunGuid]);
  if (error !== undefined) {
    const [sql, values] = readableTextContains(ERROR, error, search);
    terms.push([sql, ...values]);
  }
  if (errorTexts !== undefined)
    terms.push(errorTexts.length === 0 ? ['FALSE'] : [`${KIND_TEXT} IN (?)`, errorTexts]);
  if (since !== undefined) terms.push(['d.failed_at >= ?', since]);
  if (until !== undefined) terms.push(['d.failed_at < ?', until]);
  return terms;
}
