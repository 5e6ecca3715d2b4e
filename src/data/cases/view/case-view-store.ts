import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import {
  CASE_PAGE,
  type CaseAction,
  type CaseTag,
  type CaseUser,
  type CaseView,
  type LinkedCase,
  type StoredCase,
} from '../case.js';
import { ACTIVITY_COLUMNS, type ActivityRow, userIdsOf, withPeople } from '../links/case-activity-store.js';
import { usersById } from '../people/case-people-store.js';
import { countCaseRecords, firstRecords } from '../links/case-record-store.js';
import { findCases } from '../case-store.js';

/** Number of cases whose activities one statement reads. */
const CASES_A_STATEMENT = 50;

type OfCase<T> = T & { caseId: number };

/**
 * Returns the cases with all parts that a response shows, in the order of `ids`; skips ids without a case. Each
 * kind of part is read for all cases at once. `teamIds` are the teams whose linked cases are shown.
 */
export async function loadCases(
  ids: readonly number[],
  teamIds: readonly number[],
  session: Session,
): Promise<CaseView[]> {
  if (ids.length === 0) return [];
  const cases = await findCases(ids, session);
  const teams = await teamNames(cases, session);
  const assignees = await assigneesOf(ids, session);
  const tags = await tagsOfCases(ids, session);
  const activities = await firstActivities(ids, session);
  const activityCounts = await countActivities(ids, session);
  const actions = await actionsOf(ids, session);
  const linked = await linkedOf(ids, teamIds, session);
  const records = await firstRecords(ids, session);
  const recordCounts = await countCaseRecords(ids, session);
  const users = await usersById(userIds(cases, assignees, activities), session);
  const views = cases.map((stored): [number, CaseView] => [
    stored.id,
    {
      stored,
      teamName: teams.get(stored.teamId) ?? '',
      ...people(stored, users),
      assignees: of(assignees, stored.id).flatMap(({ userId }) => users.get(userId) ?? []),
      tags: of(tags, stored.id),
      activities: of(activities, stored.id).map((row) => withPeople(row, users)),
      activityCount: activityCounts.get(stored.id) ?? 0,
      actions: of(actions, stored.id),
      linkedCases: of(linked, stored.id),
      records: records.get(stored.id) ?? [],
      recordCount: recordCounts.get(stored.id) ?? 0,
    },
  ]);
  const byId = new Map(views);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function of<T>(grouped: Map<number, OfCase<T>[]>, caseId: number): OfCase<T>[] {
  return grouped.get(caseId) ?? [];
}

function people(stored: StoredCase, users: Map<number, CaseUser>) {
  const user = (id: number | null) => (id === null ? undefined : users.get(id));
  return {
    author: user(stored.authorId),
    authorSetBy: stored.authorSetById === stored.authorId ? undefined : user(stored.authorSetById),
    openedBy: user(stored.openedById),
    resolvedBy: user(stored.resolvedById),
  };
}

function* userIds(
  cases: StoredCase[],
  ...groups: Map<number, { userId: number; actingUserId?: number | null }[]>[]
): Generator<number, void> {
  for (const { authorId, authorSetById, openedById, resolvedById } of cases) {
    for (const id of [authorId, authorSetById, openedById, resolvedById]) if (id !== null) yield id;
  }
  for (const group of groups) {
    for (const rows of group.values())
      for (const { userId, actingUserId = null } of rows) yield* userIdsOf({ userId, actingUserId });
  }
}

function byCase<T>(rows: OfCase<T>[]): Map<number, OfCase<T>[]> {
  const grouped = new Map<number, OfCase<T>[]>();
  for (const row of rows) {
    const list = grouped.get(row.caseId);
    if (list === undefined) grouped.set(row.caseId, [row]);
    else list.push(row);
  }
  return grouped;
}

async function teamNames(cases: StoredCase[], session: Session): Promise<Map<number, string>> {
  const teams = await session.rows<{ id: number; name: string }>(
    'SELECT id, name FROM teams WHERE id IN (?)',
    [idsOrNone([...new Set(cases.map(({ teamId }) => teamId))])],
  );
  return new Map(teams.map(({ id, name }) => [id, name]));
}

async function assigneesOf(ids: readonly number[], session: Session) {
  return byCase(
    await session.rows<OfCase<{ userId: number }>>(
      'SELECT case_id AS caseId, user_id AS userId FROM case_assignees WHERE case_id IN (?) ORDER BY id',
      [[...ids]],
    ),
  );
}

async function tagsOfCases(ids: readonly number[], session: Session) {
  return byCase(
    await session.rows<OfCase<CaseTag>>(
      'SELECT ct.case_id AS caseId, t.id, t.name FROM case_tags ct JOIN tags t ON t.id = ct.tag_id' +
        ' WHERE ct.case_id IN (?) ORDER BY ct.id',
      [[...ids]],
    ),
  );
}

async function actionsOf(ids: readonly number[], session: Session) {
  return byCase(
    await session.rows<OfCase<CaseAction>>(
      'SELECT case_id AS caseId, id, url, label, action_type AS actionType, action_text AS actionText FROM case_actions' +
        ' WHERE case_id IN (?) ORDER BY id',
      [[...ids]],
    ),
  );
}

async function linkedOf(ids: readonly number[], teamIds: readonly number[], session: Session) {
  return byCase(
    await session.rows<OfCase<LinkedCase>>(
      'SELECT l.case_id AS caseId, c.id, c.team_id AS teamId, c.name FROM case_links l JOIN cases c ON c.id = l.linked_case_id' +
        ' WHERE l.case_id IN (?) AND c.team_id IN (?) ORDER BY l.id',
      [[...ids], idsOrNone(teamIds)],
    ),
  );
}

/** Reads one index range for each case, so that a case with many activities costs no more than another. */
async function firstActivities(ids: readonly number[], session: Session) {
  const rows: ActivityRow[] = [];
  for (let start = 0; start < ids.length; start += CASES_A_STATEMENT) {
    const some = ids.slice(start, start + CASES_A_STATEMENT);
    const parts = some.map(
      () =>
        `(SELECT ${ACTIVITY_COLUMNS} FROM case_activities WHERE case_id = ? ORDER BY id LIMIT ${CASE_PAGE})`,
    );
    rows.push(...(await session.rows<ActivityRow>(parts.join(' UNION ALL '), some)));
  }
  return byCase(rows.toSorted((a, b) => a.id - b.id));
}

async function countActivities(ids: readonly number[], session: Session): Promise<Map<number, number>> {
  const rows = await session.rows<{ caseId: number; n: number }>(
    'SELECT case_id AS caseId, COUNT(*) AS n FROM case_activities WHERE case_id IN (?) GROUP BY case_id',
    [[...ids]],
  );
  return new Map(rows.map(({ caseId, n }) => [caseId, n]));
}
