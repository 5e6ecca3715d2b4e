import {
  assignments,
  type Page,
  readPage,
  type Window,
} from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { CaseAction } from '../case.js';

const COLUMNS = 'id, url, label, action_type AS actionType, action_text AS actionText';
const SET_COLUMNS = 'case_id, url, label, action_type, action_text';

/** Returns a page of the case's actions, oldest first. */
export function listActions(caseId: number, window: Window, session: Session): Promise<Page<CaseAction>> {
  const query = {
    columns: COLUMNS,
    from: 'case_actions',
    where: 'case_id = ?',
    values: [caseId],
    order: 'id',
  };
  return readPage<CaseAction>(session, query, window);
}

/** Returns all actions of the case, oldest first; there are at most `CASE_LIMITS.actions`. */
export function allActions(caseId: number, session: Session): Promise<CaseAction[]> {
  return session.rows<CaseAction>(`SELECT ${COLUMNS} FROM case_actions WHERE case_id = ? ORDER BY id`, [
    caseId,
  ]);
}

/** Deletes all actions of the case, and inserts these. */
export async function replaceActions(
  caseId: number,
  actions: readonly Omit<CaseAction, 'id'>[],
  session: Session,
): Promise<void> {
  await session.run('DELETE FROM case_actions WHERE case_id = ?', [caseId]);
  if (actions.length === 0) return;
  await session.run(`INSERT INTO case_actions (${SET_COLUMNS}) VALUES ?`, [
    actions.map((action) => valuesOf(caseId, action)),
  ]);
}

export async function findCaseAction(
  caseId: number,
  id: number,
  session: Session,
): Promise<CaseAction | undefined> {
  const [row] = await session.rows<CaseAction>(
    `SELECT ${COLUMNS} FROM case_actions WHERE id = ? AND case_id = ?`,
    [id, caseId],
  );
  return row;
}

function valuesOf(caseId: number, { url, label, actionType, actionText }: Omit<CaseAction, 'id'>) {
  return [caseId, url, label, actionType, actionText];
}

/** Returns the new action's id. */
export async function insertAction(
  caseId: number,
  action: Omit<CaseAction, 'id'>,
  session: Session,
): Promise<number> {
  const { insertId } = await session.run(`INSERT INTO case_actions (${SET_COLUMNS}) VALUES (?)`, [
    valuesOf(caseId, action),
  ]);
  return insertId;
}

export async function updateAction(
  id: number,
  changes: Partial<{ [Key in 'url' | 'label' | 'actionType']: string | undefined }> & {
    actionText?: string | null | undefined;
  },
  session: Session,
): Promise<void> {
  const { url, label, actionType, actionText } = changes;
  const set = assignments({ url, label, action_type: actionType, action_text: actionText });
  if (set !== undefined)
    await session.run(`UPDATE case_actions SET ${set.sql} WHERE id = ?`, [...set.values, id]);
}

/** Returns true if the action existed. */
export async function deleteAction(caseId: number, id: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run('DELETE FROM case_actions WHERE id = ? AND case_id = ?', [
    id,
    caseId,
  ]);
  return affectedRows > 0;
}
