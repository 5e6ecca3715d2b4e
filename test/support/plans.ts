import type { Database } from '../../src/platform/mysql/database.js';
import type { Session } from '../../src/platform/mysql/session.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';

/** A row of what EXPLAIN says in its traditional form. */
export interface PlanRow {
  table: string | null;
  type: string | null;
  key: string | null;
  Extra: string | null;
}

/** The plans of the statements that `work` reads with, as `planOf` tells them, each once. */
export async function plansOf(
  db: Pick<Database, 'read'>,
  work: (session: Session) => Promise<unknown>,
  planOf: (rows: PlanRow[]) => string,
): Promise<string[]> {
  const asked: [string, SqlValue[] | undefined][] = [];
  await db.read((session) =>
    work({
      ...session,
      rows: <Row>(sql: string, values?: SqlValue[]) => {
        // A store may ask for a plan itself.
        if (!sql.startsWith('EXPLAIN')) asked.push([sql, values]);
        return session.rows<Row>(sql, values);
      },
    }),
  );
  const plans: string[] = [];
  for (const [sql, values] of asked) {
    const rows = await db.read((session) =>
      session.rows<PlanRow>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, values),
    );
    plans.push(planOf(rows));
  }
  return [...new Set(plans)];
}

/** Whether the rows that were found are sorted. */
export function sortsRows(rows: PlanRow[]): boolean {
  return rows.some(({ Extra }) => Extra?.includes('filesort'));
}
