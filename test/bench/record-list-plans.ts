import type { Actor } from '../../src/api/auth/actor.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { createRecordServices } from '../../src/data/records/record-services.js';
import { type PlanRow, plansOf, sortsRows } from '../support/plans.js';
import type { BenchStores } from './bench-stores.js';
import { PER_PAGE, type RecordList } from './record-lists.js';

/** How the server reads for a list. */
export interface ListPlans {
  /** One for each statement that differs. */
  texts: string[];
  /** Whether rows that were found are sorted. */
  sorted: boolean;
}

/** The plans of all statements that the product's own service reads a list with. */
export async function listPlans(
  { db }: Pick<BenchStores, 'db'>,
  actor: Actor,
  { query, page }: RecordList,
): Promise<ListPlans> {
  const window = { offset: (page - 1) * PER_PAGE, limit: PER_PAGE };
  let sorted = false;
  const list = (session: Session) => {
    const database = { ...db, read: <T>(work: (given: Session) => Promise<T>) => work(session) };
    return createRecordServices({ database }).records.list(actor, query, window);
  };
  const texts = await plansOf(db, list, (rows) => {
    sorted ||= sortsRows(rows);
    return rows.map(planText).join(', ');
  });
  return { texts, sorted };
}

function planText({ table, type, key, Extra }: PlanRow): string {
  return `${table ?? '-'} ${type ?? '-'} ${key ?? '-'}${Extra ? ` (${Extra})` : ''}`;
}
