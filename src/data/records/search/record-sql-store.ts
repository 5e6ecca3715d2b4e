import type { Session } from '../../../platform/mysql/session.js';
import type { SqlValue } from '../../../platform/mysql/statements/sql.js';
import type { Condition } from './filter-condition.js';
import type { Sources } from '../record-sources.js';

/** The parts of a statement beyond its sources. */
export interface Question {
  where?: Condition[];
  /** The columns of ORDER BY, and the page of ids. */
  order?: string;
  limit?: number;
  offset?: number;
}

/** Returns ids of records, in order. The tables are joined in the written order. */
export async function selectIds(sources: Sources, question: Question, session: Session): Promise<number[]> {
  const { where = [], order, limit = 0, offset = 0 } = question;
  const conditions = [...sources.where, ...where];
  const rows = await session.rows<{ id: number }>(
    `SELECT STRAIGHT_JOIN ${sources.id} AS id FROM ${sources.from} WHERE ${sqlOf(conditions)}
     ORDER BY ${order} LIMIT ? OFFSET ?`,
    [...sources.fromValues, ...valuesOf(conditions), limit, offset],
  );
  return rows.map(({ id }) => id);
}

/** Counts the records. */
export async function countIds(sources: Sources, where: Condition[], session: Session): Promise<number> {
  const conditions = [...sources.where, ...where];
  const [row] = await session.rows<{ n: number }>(
    `SELECT STRAIGHT_JOIN COUNT(*) AS n FROM ${sources.from} WHERE ${sqlOf(conditions)}`,
    [...sources.fromValues, ...valuesOf(conditions)],
  );
  return row?.n ?? 0;
}

/**
 * Returns the server's estimate, from its index, of the rows that the driving table is read for. Uses a COUNT, because
 * for a plain query MySQL does not dive into a forced index, and returns an average or 1 instead.
 */
export async function estimateRows(sources: Sources, session: Session): Promise<number> {
  const [row] = await session.rows<{ rows: number | string | null }>(
    `EXPLAIN FORMAT=TRADITIONAL SELECT COUNT(*) FROM ${sources.from} WHERE ${sqlOf(sources.where)}`,
    [...sources.fromValues, ...valuesOf(sources.where)],
  );
  return Number(row?.rows ?? 0);
}

/** Counts all records of a type except those whose value row meets the condition; one statement, so one point in time. */
export async function countOthers(
  counted: { typeId: number; testMode: boolean; fieldId: number },
  condition: Condition,
  session: Session,
): Promise<number> {
  const { typeId, testMode, fieldId } = counted;
  const [row] = await session.rows<{ n: number | string }>(
    `SELECT CAST(
       (SELECT COALESCE(SUM(records), 0) FROM record_counts WHERE record_type_id = ? AND test_mode = ?) -
       (SELECT COUNT(*) FROM record_values d FORCE INDEX (record_values_key)
        WHERE d.field_id = ? AND d.test_mode = ? AND ${condition.sql}) AS SIGNED) AS n`,
    [typeId, testMode, fieldId, testMode, ...condition.values],
  );
  return Number(row?.n ?? 0);
}

function sqlOf(conditions: readonly Condition[]): string {
  return conditions.map(({ sql }) => sql).join(' AND ');
}

function valuesOf(conditions: readonly Condition[]): SqlValue[] {
  return conditions.flatMap(({ values }) => values);
}
