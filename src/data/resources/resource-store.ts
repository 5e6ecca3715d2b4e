import { type Actor, type ReadAccess, visibleTeamIds } from '../../api/face.js';
import { type NamedTeam, replaceShares, sharesOf } from '../../people/face.js';
import type { JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import {
  assignments,
  containsPattern,
  idsOrNone,
  type Page,
  readPage,
  type Window,
} from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';

/** A resource with the columns that the API returns. */
export interface ResourceRecord {
  id: number;
  teamId: number;
  tenantId: number;
  folderId: number | null;
  /** The user who made it; null for those of older versions. */
  userId: number | null;
  name: string;
  slug: string;
  value: JsonValue;
  description: string | null;
  readAccess: ReadAccess;
  /** The teams besides its own, with `SPECIFIC_TEAMS`. */
  sharedTeams: NamedTeam[];
  /** Whether story drafts use the test value. */
  testEnabled: boolean;
  test: TestValue | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** The second value of a resource, for drafts of stories. */
export interface TestValue {
  value: JsonValue;
  createdAt: Date;
  updatedAt: Date;
}

/** The columns of a resource that can be set; undefined ones stay. */
export interface ResourceColumns {
  name?: string | undefined;
  slug?: string | undefined;
  value?: JsonValue | undefined;
  teamId?: number | undefined;
  folderId?: number | null | undefined;
  userId?: number | undefined;
  description?: string | null | undefined;
  readAccess?: ReadAccess | undefined;
  testEnabled?: boolean | undefined;
  testValue?: JsonValue | undefined;
}

/** The filter of a list of resources. */
export interface ResourceFilter {
  /** Resources of this team alone; otherwise all that the actor may use. */
  teamId?: number | undefined;
  folderId?: number | undefined;
  /** Part of the name. */
  search?: string | undefined;
  /** Resources other than these. */
  exceptIds?: readonly number[] | undefined;
}

interface ResourceRow extends Omit<ResourceRecord, 'value' | 'testEnabled' | 'test' | 'sharedTeams'> {
  value: string;
  testEnabled: number;
  testValue: string | null;
  testCreatedAt: Date | null;
  testUpdatedAt: Date | null;
}

const COLUMNS =
  'r.id, r.team_id AS teamId, t.tenant_id AS tenantId, r.folder_id AS folderId, r.user_id AS userId, r.name,' +
  ' r.slug, r.value, r.description, r.read_access AS readAccess, r.test_enabled AS testEnabled,' +
  ' r.test_value AS testValue, r.test_created_at AS testCreatedAt, r.test_updated_at AS testUpdatedAt,' +
  ' r.created_at AS createdAt, r.updated_at AS updatedAt';
const FROM = 'resources r JOIN teams t ON t.id = r.team_id';

/** Returns a page of the resources that the actor may use, by id. */
export async function listResources(
  actor: Actor,
  filter: ResourceFilter,
  window: Window,
  session: Session,
): Promise<Page<ResourceRecord>> {
  const { where, values } = usableBy(actor, filter);
  // Ids first: a sort of whole rows would write each value of the tenant to a temporary table.
  const { items, total } = await readPage<{ id: number }>(
    session,
    { columns: 'r.id', from: FROM, where, values, order: 'r.id' },
    window,
  );
  const rows = await session.rows<ResourceRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE r.id IN (?) ORDER BY r.id`,
    [idsOrNone(items.map(({ id }) => id))],
  );
  return { items: await toRecords(rows, session), total };
}

/** Returns at most `limit` resources that the actor may use, without their values. */
export function listResourceNames(
  actor: Actor,
  filter: ResourceFilter,
  limit: number,
  session: Session,
): Promise<Pick<ResourceRecord, 'id' | 'teamId' | 'slug' | 'readAccess'>[]> {
  const { where, values } = usableBy(actor, filter);
  return session.rows(
    `SELECT r.id, r.team_id AS teamId, r.slug, r.read_access AS readAccess FROM ${FROM} WHERE ${where} ORDER BY r.id LIMIT ?`,
    [...values, limit],
  );
}

/** The tenant comes first: its teams, and theirs resources, are found by index. */
function usableBy(actor: Actor, { teamId, folderId, search = '', exceptIds = [] }: ResourceFilter) {
  const visible = idsOrNone(visibleTeamIds(actor));
  const parts: [sql: string, values: SqlValue[]][] =
    teamId === undefined
      ? [
          ['t.tenant_id = ?', [actor.tenantId]],
          [
            '(r.team_id IN (?) OR (r.read_access = ? AND ?) OR (r.read_access = ? AND EXISTS (SELECT 1' +
              " FROM team_shares s WHERE s.kind = 'resource' AND s.item_id = r.id AND s.team_id IN (?))))",
            [visible, 'GLOBAL', actor.roles.size > 0, 'SPECIFIC_TEAMS', visible],
          ],
        ]
      : [['r.team_id = ?', [teamId]]];
  if (folderId !== undefined) parts.push(['r.folder_id = ?', [folderId]]);
  if (search !== '')
    parts.push(["r.name COLLATE utf8mb4_unicode_520_ci LIKE ? ESCAPE '!'", [containsPattern(search)]]);
  if (exceptIds.length > 0) parts.push(['r.id NOT IN (?)', [[...exceptIds]]]);
  return { where: parts.map(([sql]) => sql).join(' AND '), values: parts.flatMap(([, values]) => values) };
}

export async function findResource(id: number, session: Session): Promise<ResourceRecord | undefined> {
  const rows = await session.rows<ResourceRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE r.id = ?`, [id]);
  const [record] = await toRecords(rows, session);
  return record;
}

/** Locks the resource until the transaction ends. */
export async function lockResource(id: number, session: Session): Promise<void> {
  await session.rows('SELECT id FROM resources WHERE id = ? FOR UPDATE', [id]);
}

/** Returns the new resource's id. A name that the team already uses gives a duplicate-key error. */
export async function insertResource(resource: ResourceColumns, session: Session): Promise<number> {
  const columns = Object.entries(columnsOf(resource)).filter(([, value]) => value !== undefined);
  const { insertId } = await session.run(
    `INSERT INTO resources (${columns.map(([name]) => name).join(', ')}) VALUES (?)`,
    [columns.map(([, value]) => value ?? null)],
  );
  return insertId;
}

/** Sets the given columns. A name that the team already uses gives a duplicate-key error. */
export async function updateResource(id: number, change: ResourceColumns, session: Session): Promise<void> {
  const set = assignments(columnsOf(change));
  if (set === undefined) return;
  const times =
    change.testValue === undefined
      ? ''
      : ', test_created_at = COALESCE(test_created_at, NOW(3)), test_updated_at = NOW(3)';
  await session.run(`UPDATE resources SET ${set.sql}${times}, updated_at = NOW(3) WHERE id = ?`, [
    ...set.values,
    id,
  ]);
}

/** Deletes the resource. Call it in a transaction. */
export async function deleteResource(id: number, session: Session): Promise<void> {
  await replaceShares('resource', id, [], session);
  await session.run('DELETE FROM resources WHERE id = ?', [id]);
}

function columnsOf(resource: ResourceColumns) {
  const { value, testValue } = resource;
  return {
    team_id: resource.teamId,
    folder_id: resource.folderId,
    user_id: resource.userId,
    name: resource.name,
    slug: resource.slug,
    value: value === undefined ? undefined : stringifyJson(value),
    description: resource.description,
    read_access: resource.readAccess,
    test_enabled: resource.testEnabled,
    test_value: testValue === undefined ? undefined : stringifyJson(testValue),
  };
}

async function toRecords(rows: ResourceRow[], session: Session): Promise<ResourceRecord[]> {
  const specific = rows.filter(({ readAccess }) => readAccess === 'SPECIFIC_TEAMS').map(({ id }) => id);
  const shares = await sharesOf('resource', specific, session);
  return rows.map(({ testValue, testCreatedAt, testUpdatedAt, ...row }) => ({
    ...row,
    value: parseJson(row.value),
    sharedTeams: shares.get(row.id) ?? [],
    testEnabled: row.testEnabled === 1,
    test:
      testValue === null
        ? undefined
        : {
            value: parseJson(testValue),
            createdAt: testCreatedAt ?? row.createdAt,
            updatedAt: testUpdatedAt ?? row.updatedAt,
          },
  }));
}
