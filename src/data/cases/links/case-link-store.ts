import {
  idsOrNone,
  type Page,
  readPage,
  type Window,
} from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { LinkedCase } from '../case.js';

/** Returns a page of the linked cases in these teams, in the order they were linked. */
export function listLinkedCases(
  caseId: number,
  teamIds: readonly number[],
  window: Window,
  session: Session,
): Promise<Page<LinkedCase>> {
  return readPage<LinkedCase>(
    session,
    {
      columns: 'c.id, c.team_id AS teamId, c.name',
      from: 'case_links l JOIN cases c ON c.id = l.linked_case_id',
      where: 'l.case_id = ? AND c.team_id IN (?)',
      values: [caseId, idsOrNone(teamIds)],
      order: 'l.id',
    },
    window,
  );
}

/** Counts the cases linked to each of these cases. */
export async function countCaseLinks(
  caseIds: readonly number[],
  session: Session,
): Promise<Map<number, number>> {
  const rows = await session.rows<{ caseId: number; n: number }>(
    'SELECT case_id AS caseId, COUNT(*) AS n FROM case_links WHERE case_id IN (?) GROUP BY case_id',
    [idsOrNone(caseIds)],
  );
  return new Map(rows.map(({ caseId, n }) => [caseId, n]));
}

/** Returns those of `otherIds` that are linked to the case. */
export async function linkedAmong(
  caseId: number,
  otherIds: readonly number[],
  session: Session,
): Promise<Set<number>> {
  const rows = await session.rows<{ id: number }>(
    'SELECT linked_case_id AS id FROM case_links WHERE case_id = ? AND linked_case_id IN (?)',
    [caseId, idsOrNone(otherIds)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Links the case to others in both directions. */
export async function linkToAll(
  caseId: number,
  otherIds: readonly number[],
  session: Session,
): Promise<void> {
  if (otherIds.length === 0) return;
  await session.run('INSERT IGNORE INTO case_links (case_id, linked_case_id) VALUES ?', [
    otherIds.flatMap((otherId) => [
      [caseId, otherId],
      [otherId, caseId],
    ]),
  ]);
}

/** Removes the link between two cases. Returns true if they were linked. */
export async function unlinkCases(one: number, other: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run(
    'DELETE FROM case_links WHERE (case_id, linked_case_id) IN ((?, ?), (?, ?))',
    [one, other, other, one],
  );
  return affectedRows > 0;
}
