import { parseJson } from '../../platform/json/parse-json.js';
import type { Session } from '../../platform/mysql/session.js';
import type { JsonObject } from '../../platform/json.js';

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
  /** Whether its actions, links and notes cannot be changed. */
  locked: boolean;
  /** Its actions, links and notes change only by a promoted change request. */
  changeControlEnabled: boolean;
  /** The story that this is a draft of; null: it is no draft (spec §3.17). */
  draftOf: number | null;
  draftName: string | null;
  /** The person who answers for it; null: none, or a team. */
  ownerUserId: number | null;
  /** The team that answers for it; null: none, or a person. */
  ownerTeamId: number | null;
  /** Incremented by every change of the story. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** When its actions, links or notes last changed. */
  editedAt: Date;
  /** See `pickSettings`. */
  settings: JsonObject;
}

/** The columns of a `StoryRow`. */
export const COLUMNS =
  'id, team_id AS teamId, folder_id AS folderId, user_id AS userId, name, description, guid,' +
  ' schema_version AS schemaVersion, keep_events_for AS keepEventsForSeconds, disabled, priority,' +
  ' synchronous_webhooks_enabled AS synchronousWebhooksEnabled, locked,' +
  ' change_control_enabled AS changeControlEnabled, version, created_at AS createdAt, updated_at AS updatedAt,' +
  ' draft_of AS draftOf, draft_name AS draftName, owner_user_id AS ownerUserId, owner_team_id AS ownerTeamId,' +
  ' COALESCE(edited_at, created_at) AS editedAt, settings';

type Flag = 'disabled' | 'priority' | 'synchronousWebhooksEnabled' | 'locked' | 'changeControlEnabled';
export type StoryRow = Omit<StoryRecord, Flag | 'settings'> &
  Record<Flag, number> & { settings: string | null };

/** Returns the story that a row holds. */
export function toRecord(row: StoryRow): StoryRecord {
  return {
    ...row,
    disabled: row.disabled === 1,
    priority: row.priority === 1,
    synchronousWebhooksEnabled: row.synchronousWebhooksEnabled === 1,
    locked: row.locked === 1,
    changeControlEnabled: row.changeControlEnabled === 1,
    settings: parseJson(row.settings ?? '{}') as JsonObject,
  };
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
