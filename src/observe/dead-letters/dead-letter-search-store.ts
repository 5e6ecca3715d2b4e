import { readableTextContains } from '../../platform/mysql/statements/readable-text.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import type { DeadLetterSearch } from './dead-letter.js';
import { KIND_CHARS } from './groups/error-kind.js';

/** A condition with its values. */
export type Term = [sql: string, ...values: SqlValue[]];

/** A dead letter's `due_at` is its failure time, or seconds later (rule 9's leases). Unlike `failed_at` it has an index. */
const LATEST_DUE_MINUTES = 1;
const ERROR = { column: 'd.error COLLATE utf8mb4_unicode_520_ci', teamColumn: 's.team_id' };
const REACH = 'STRAIGHT_JOIN stories s ON s.id = d.story_id';

/** Order of lists. */
export const NEWEST_FIRST = { id: 'd.id', time: 'd.due_at' };
/** The part of an error that decides its kind; empty if none was told. */
export const KIND_TEXT = `COALESCE(LEFT(d.error, ${KIND_CHARS}), '')`;

/**
 * Returns the tables and conditions of a search, with `more` conditions: `d` is the delivery, `s` its story. `newest`: only
 * so many dead letters of the installation are read.
 */
export function deadLettersIn(search: DeadLetterSearch, more: Term[] = [], newest?: number) {
  const { storyRunGuid } = search;
  const index = storyRunGuid === undefined ? 'deliveries_due' : 'deliveries_run';
  const terms = [...termsOf(search), ...more];
  return {
    from: `${newest === undefined ? `deliveries d FORCE INDEX (${index})` : within(newest)} ${REACH}`,
    where: terms.map(([sql]) => sql).join(' AND '),
    values: terms.flatMap(([, ...values]) => values),
  };
}

/** Returns the ids of the newest dead letters of the installation as SQL; they are read from the index alone. */
export function newestIds(limit: number): string {
  return (
    "SELECT b.id FROM deliveries b FORCE INDEX (deliveries_due) WHERE b.state = 'failed'" +
    ` ORDER BY b.due_at DESC, b.id DESC LIMIT ${limit}`
  );
}

function within(newest: number): string {
  return `(${newestIds(newest)}) w STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = w.id`;
}

function termsOf(search: DeadLetterSearch): Term[] {
  const { storyId, agentId, storyRunGuid, error, errorTexts, since, until } = search;
  const terms: Term[] = [
    ["d.state = 'failed'"],
    ['s.tenant_id = ? AND s.team_id IN (?)', search.tenantId, search.teamIds],
  ];
  if (storyRunGuid !== undefined) terms.push(['d.story_run_guid = ?', storyRunGuid]);
  if (storyId !== undefined) terms.push(['d.story_id = ?', storyId]);
  if (agentId !== undefined) terms.push(['d.agent_id = ?', agentId]);
  if (error !== undefined) {
    const [sql, values] = readableTextContains(ERROR, error, search);
    terms.push([sql, ...values]);
  }
  if (errorTexts !== undefined) terms.push([`${KIND_TEXT} IN (?)`, errorTexts]);
  if (since !== undefined) terms.push(['d.due_at >= ? AND d.failed_at >= ?', since, since]);
  if (until !== undefined) {
    terms.push([`d.due_at < ? + INTERVAL ${LATEST_DUE_MINUTES} MINUTE AND d.failed_at < ?`, until, until]);
  }
  return terms;
}
