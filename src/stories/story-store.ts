import type { Session } from '../platform/mysql/session.js';
import type { SqlValue } from '../platform/mysql/sql.js';

/** A story without its agents and links. */
export interface StoryRecord {
  id: number;
  teamId: number;
  folderId: number | null;
  userId: number;
  name: string;
  description: string | null;
  guid: string;
  schemaVersion: number;
  keepEventsForSeconds: number;
  disabled: boolean;
  priority: boolean;
  synchronousWebhooksEnabled: boolean;
  /** Its actions, links and notes may not be changed. */
  locked: boolean;
  /** Its actions, links and notes change only by a promoted change request. */
  changeControlEnabled: boolean;
  /** Incremented by every change of the story. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The filter of a list of stories. `teamIds` are the teams that the actor may see. */
export interface StoryFilter {
  tenantId: number;
  teamIds: number[];
  folderId?: number | undefined;
  /** Part of the name, in any letter case. */
  search?: string | undefined;
}

const COLUMNS =
  'id, team_id AS teamId, folder_id AS folderId, user_id AS userId, name, description, guid,' +
  ' schema_version AS schemaVersion, keep_events_for AS keepEventsForSeconds, disabled, priority,' +
  ' synchronous_webhooks_enabled AS synchronousWebhooksEnabled, locked,' +
  ' change_control_enabled AS changeControlEnabled, version, created_at AS createdAt, updated_at AS updatedAt';

type Flag = 'disabled' | 'priority' | 'synchronousWebhooksEnabled' | 'locked' | 'changeControlEnabled';
type StoryRow = Omit<StoryRecord, Flag> & Record<Flag, number>;

function toRecord(row: StoryRow): StoryRecord {
  return {
    ...row,
    disabled: row.disabled === 1,
    priority: row.priority === 1,
    synchronousWebhooksEnabled: row.synchronousWebhooksEnabled === 1,
    locked: row.locked === 1,
    changeControlEnabled: row.changeControlEnabled === 1,
  };
}

/** Returns a page of stories, newest first; all of them without a page. */
export async function listStories(
  filter: StoryFilter,
  page: { limit: number; offset: number } | undefined,
  session: Session,
): Promise<StoryRecord[]> {
  if (filter.teamIds.length === 0) return [];
  const { sql, values } = whereOf(filter);
  const limit = page === undefined ? '' : ' LIMIT ? OFFSET ?';
  const rows = await session.rows<StoryRow>(
    `SELECT ${COLUMNS} FROM stories WHERE ${sql} ORDER BY created_at DESC, id DESC${limit}`,
    page === undefined ? values : [...values, page.limit, page.offset],
  );
  return rows.map(toRecord);
}

/** Returns the number of stories under this filter. */
export async function countStories(filter: StoryFilter, session: Session): Promise<number> {
  if (filter.teamIds.length === 0) return 0;
  const { sql, values } = whereOf(filter);
  const [row] = await session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM stories WHERE ${sql}`, values);
  return row?.n ?? 0;
}

function whereOf(filter: StoryFilter): { sql: string; values: SqlValue[] } {
  const terms: [string, SqlValue][] = [
    ['tenant_id = ?', filter.tenantId],
    ['team_id IN (?)', filter.teamIds],
  ];
  if (filter.folderId !== undefined) terms.push(['folder_id = ?', filter.folderId]);
  if (filter.search !== undefined && filter.search !== '') {
    terms.push(["name LIKE ? ESCAPE '!'", `%${filter.search.replace(/[!%_]/g, '!$&')}%`]);
  }
  return { sql: terms.map(([sql]) => sql).join(' AND '), values: terms.map(([, value]) => value) };
}

/** Returns the tenant's story with this id. */
export async function findStory(
  id: number,
  tenantId: number,
  session: Session,
): Promise<StoryRecord | undefined> {
  const [row] = await session.rows<StoryRow>(
    `SELECT ${COLUMNS} FROM stories WHERE id = ? AND tenant_id = ?`,
    [id, tenantId],
  );
  return row === undefined ? undefined : toRecord(row);
}

/** Returns the team that a folder belongs to. */
export async function findFolderTeam(folderId: number, session: Session): Promise<number | undefined> {
  const [row] = await session.rows<{ teamId: number }>('SELECT team_id AS teamId FROM folders WHERE id = ?', [
    folderId,
  ]);
  return row?.teamId;
}
