import {
  type Cursor,
  NO_PAGE,
  readNewestRows,
  type WalkPage,
  type WalkWindow,
} from '../../platform/mysql/statements/newest-page.js';
import { assignments, idsOrNone, type Page, readPage } from '../../platform/mysql/statements/page-query.js';
import { claimRows } from '../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import { readableTextContains, type SearchedTeams } from '../../platform/mysql/statements/readable-text.js';
import type { JsonObject } from '../../platform/json.js';
import type { CasePriority, CaseStatus, ClosureCondition, StoredCase } from './case.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** Fields of a new case. */
export type NewCase = Omit<StoredCase, 'id' | 'createdAt' | 'updatedAt' | 'resolvedById'>;

/** Columns that an update can change; absent keys stay unchanged. */
export type CaseChanges = Partial<Omit<StoredCase, 'id' | 'tenantId' | 'createdAt' | 'updatedAt'>>;

/** Filters and order of a list of cases. `teamIds` are the teams whose cases the list shows. */
export interface CaseFilter extends SearchedTeams {
  teamIds: number[];
  status?: CaseStatus | undefined;
  priority?: CasePriority | undefined;
  /** Part of the name or description; case-insensitive. */
  search?: string | undefined;
  /** The name of a tag. */
  tag?: string | undefined;
  /** Email address of an assignee. */
  assigneeEmail?: string | undefined;
  order: CaseOrder;
}

/** Columns a list can be ordered by, each ascending or descending. */
const ORDERS = {
  CREATED_AT: 'c.created_at',
  UPDATED_AT: 'c.updated_at',
  OPENED_AT: 'c.opened_at',
  RESOLVED_AT: 'c.resolved_at',
  NAME: 'c.name',
  PRIORITY: "FIELD(c.priority, 'INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL')",
} as const;
export const CASE_ORDERS = Object.keys(ORDERS) as (keyof typeof ORDERS)[];
export interface CaseOrder {
  by: keyof typeof ORDERS;
  direction: 'ASC' | 'DESC';
}

const COLUMNS =
  'c.id, c.tenant_id AS tenantId, c.team_id AS teamId, c.name, c.description, c.status, c.priority, c.metadata,' +
  ' c.closure_conditions AS closureConditions, c.author_id AS authorId, c.author_set_by_id AS authorSetById, c.opened_by_id AS openedById,' +
  ' c.resolved_by_id AS resolvedById, c.opened_at AS openedAt, c.resolved_at AS resolvedAt,' +
  ' c.created_at AS createdAt, c.updated_at AS updatedAt';

type CaseRow = Omit<StoredCase, 'metadata' | 'closureConditions'> & {
  metadata: string;
  closureConditions: string;
};

function toCase(row: CaseRow): StoredCase {
  return {
    ...row,
    metadata: parseJson(row.metadata) as JsonObject,
    closureConditions: JSON.parse(row.closureConditions) as ClosureCondition[],
  };
}

/** Returns the case with this id in the tenant. */
export async function findCase(
  id: number,
  tenantId: number,
  session: Session,
): Promise<StoredCase | undefined> {
  const [row] = await session.rows<CaseRow>(
    `SELECT ${COLUMNS} FROM cases c WHERE c.id = ? AND c.tenant_id = ?`,
    [id, tenantId],
  );
  return row === undefined ? undefined : toCase(row);
}

/** Returns the cases with these ids, ordered by id, of any tenant. */
export async function findCases(ids: readonly number[], session: Session): Promise<StoredCase[]> {
  const rows = await session.rows<CaseRow>(`SELECT ${COLUMNS} FROM cases c WHERE c.id IN (?) ORDER BY c.id`, [
    idsOrNone(ids),
  ]);
  return rows.map(toCase);
}

/** Locks the cases until the transaction ends, in ascending order of ids, so that two writers cannot deadlock. */
export async function lockCases(ids: number[], tenantId: number, session: Session): Promise<StoredCase[]> {
  await claimRows(session, 'cases', { ids, tenantId });
  const rows = await session.rows<CaseRow>(
    `SELECT ${COLUMNS} FROM cases c WHERE c.id IN (?) AND c.tenant_id = ? ORDER BY c.id`,
    [idsOrNone(ids), tenantId],
  );
  return rows.map(toCase);
}

/** Both tables have an index that begins with the case. */
const HAS_TAG =
  'EXISTS (SELECT 1 FROM case_tags ct JOIN tags t ON t.id = ct.tag_id WHERE ct.case_id = c.id AND t.name = ?)';
const HAS_ASSIGNEE =
  'EXISTS (SELECT 1 FROM case_assignees ca JOIN users u ON u.id = ca.user_id WHERE ca.case_id = c.id AND u.email = ?)';

/** Returns the ids of one page of a list, in its order. */
export async function listCaseIds(
  filter: CaseFilter,
  window: WalkWindow,
  session: Session,
): Promise<Page<number> & { next?: Cursor | null }> {
  if (filter.teamIds.length === 0) return NO_PAGE;
  const { by, direction } = filter.order;
  if (by === 'CREATED_AT' && direction === 'DESC') return listNewestIds(filter, window, session);
  const { items, total } = await readPage<{ id: number }>(
    session,
    {
      columns: 'c.id',
      from: 'cases c',
      ...whereOf(filter),
      order: `${ORDERS[by]} ${direction}, c.id ${direction}`,
    },
    window,
  );
  return { items: items.map(({ id }) => id), total };
}

async function listNewestIds(
  filter: CaseFilter,
  window: WalkWindow,
  session: Session,
): Promise<WalkPage<number>> {
  const page = await readNewestRows<{ id: number; time: Date }>(
    session,
    {
      columns: 'c.id, c.created_at AS time',
      from: 'cases c',
      ...whereOf(filter),
      order: { id: 'c.id', time: ORDERS.CREATED_AT },
      placeOf: (row) => row,
    },
    window,
  );
  return { ...page, items: page.items.map(({ id }) => id) };
}

function whereOf(filter: CaseFilter): { where: string; values: SqlValue[] } {
  const terms: [string, SqlValue[]][] = [['c.team_id IN (?)', [filter.teamIds]]];
  if (filter.status !== undefined) terms.push(['c.status = ?', [filter.status]]);
  if (filter.priority !== undefined) terms.push(['c.priority = ?', [filter.priority]]);
  if (filter.tag !== undefined) terms.push([HAS_TAG, [filter.tag]]);
  if (filter.assigneeEmail !== undefined) terms.push([HAS_ASSIGNEE, [filter.assigneeEmail]]);
  if (filter.search !== undefined && filter.search !== '') {
    const teamColumn = 'c.team_id';
    const [name, inName] = readableTextContains({ column: 'c.name', teamColumn }, filter.search, filter);
    const [description, inDescription] = readableTextContains(
      { column: 'c.description', teamColumn },
      filter.search,
      filter,
    );
    terms.push([`(${name} OR ${description})`, [...inName, ...inDescription]]);
  }
  return {
    where: terms.map(([sql]) => sql).join(' AND '),
    values: terms.flatMap(([, values]) => values),
  };
}

export async function insertCase(made: NewCase, session: Session): Promise<number> {
  const columns = { tenant_id: made.tenantId, ...columnsOf(made) };
  const { insertId } = await session.run(
    `INSERT INTO cases (${Object.keys(columns).join(', ')}) VALUES (?)`,
    [Object.values(columns)],
  );
  return insertId;
}

/** Changes the case and sets `updated_at`. */
export async function updateCase(id: number, changes: CaseChanges, session: Session): Promise<void> {
  const set = assignments(columnsOf(changes));
  const columns = set === undefined ? '' : `${set.sql}, `;
  await session.run(`UPDATE cases SET ${columns}updated_at = NOW(3) WHERE id = ?`, [
    ...(set?.values ?? []),
    id,
  ]);
}

/** Returns the columns of the given changes. */
function columnsOf(changes: CaseChanges): Record<string, SqlValue> {
  const { metadata, closureConditions } = changes;
  const columns: Record<string, SqlValue | undefined> = {
    team_id: changes.teamId,
    name: changes.name,
    description: changes.description,
    status: changes.status,
    priority: changes.priority,
    metadata: metadata && stringifyJson(metadata),
    closure_conditions: closureConditions && JSON.stringify(closureConditions),
    author_id: changes.authorId,
    author_set_by_id: changes.authorSetById,
    opened_by_id: changes.openedById,
    resolved_by_id: changes.resolvedById,
    opened_at: changes.openedAt,
    resolved_at: changes.resolvedAt,
  };
  return Object.fromEntries(
    Object.entries(columns).filter((entry): entry is [string, SqlValue] => entry[1] !== undefined),
  );
}

/** Deletes the case and all its parts. */
export async function deleteCase(id: number, session: Session): Promise<void> {
  for (const table of [
    'case_notifications',
    'case_subscribers',
    'case_actions',
    'case_activities',
    'case_tags',
    'case_assignees',
    'case_records',
  ]) {
    await session.run(`DELETE FROM ${table} WHERE case_id = ?`, [id]);
  }
  await session.run('DELETE FROM case_links WHERE case_id = ?', [id]);
  await session.run('DELETE FROM case_links WHERE linked_case_id = ?', [id]);
  await session.run('DELETE FROM cases WHERE id = ?', [id]);
}
