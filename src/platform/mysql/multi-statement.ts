import { MAX_STATEMENT_BYTES } from './row-statements.js';
import type { RunResult, SqlValue, Statement } from './sql.js';

/** Several statements in the text of one, for a connection that takes such. */
export interface Packet {
  sql: string;
  values: SqlValue[];
  /** The statements that were asked for, each with the place of its result among all. */
  statements: { statement: Statement; place: number }[];
  /** Whether it ends the transaction. */
  commits: boolean;
}

/** What a scalar subquery with two rows is told by the server; no other statement of ours has one. */
const TWO_ROWS = 1242;
const FAIL = '(SELECT 1 UNION ALL SELECT 2)';

/**
 * Puts statements together, in their order, as long as a packet stays well below `max_allowed_packet` (rule 5). What the
 * client would see to between two of them, the server does here: that a statement met its rows, and which id it gave.
 * `commit`: the last packet ends the transaction.
 */
export function packetsOf(statements: Statement[], { commit }: { commit: boolean }): Packet[] {
  const groups = cutByBytes(statements);
  return groups.map((group, index) => toPacket(group, commit && index === groups.length - 1));
}

function cutByBytes(statements: Statement[]): Statement[][] {
  const groups: Statement[][] = [];
  let bytes = 0;
  for (const statement of statements) {
    bytes += statement.bytes;
    const group = groups.at(-1);
    if (group !== undefined && bytes <= MAX_STATEMENT_BYTES) {
      group.push(statement);
    } else {
      groups.push([statement]);
      bytes = statement.bytes;
    }
  }
  return groups;
}

function toPacket(group: Statement[], commits: boolean): Packet {
  const texts: string[] = [];
  const statements = group.map((statement) => {
    const place = texts.length;
    texts.push(statement.sql);
    if (statement.rows !== undefined)
      texts.push(`SET @met = IF(ROW_COUNT() = ${statement.rows}, 1, ${FAIL})`);
    if (statement.idAs !== undefined) texts.push(`SET ${statement.idAs} = LAST_INSERT_ID()`);
    return { statement, place };
  });
  if (commits) texts.push('COMMIT');
  return { sql: texts.join('; '), values: group.flatMap(({ values }) => values), statements, commits };
}

/** Whether a statement of a packet met fewer or more rows than it had to, and nothing after it was run. */
export function isRowsMissed(error: unknown): boolean {
  return (error as { errno?: unknown } | null)?.errno === TWO_ROWS;
}

/** A lone result, or one for each. */
export function resultsOf(results: RunResult | RunResult[]): RunResult[] {
  return Array.isArray(results) ? results : [results];
}
