import type { Knex } from 'knex';
import { type Actor, type ReadAccess, visibleTeamIds } from '../../api/face.js';
import { type NamedTeam, replaceShares, sharesOf } from '../../people/face.js';
import type { JsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import {
  assignments,
  idsOrNone,
  type Page,
  containsPattern,
  readPage,
  type Window,
} from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import { type HostsAsText, hostsText, withHosts } from './credential-store.js';
import type { CredentialMode } from './modes/credential-modes.js';
import { endReconnect } from './oauth/reconnect-store.js';

/** A credential without its secret. */
export interface CredentialRecord {
  id: number;
  teamId: number;
  tenantId: number;
  folderId: number | null;
  name: string;
  slug: string;
  mode: CredentialMode;
  /** The settings of its mode that may be shown. */
  settings: JsonObject;
  metadata: JsonObject;
  description: string | null;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts: string[];
  readAccess: ReadAccess;
  /** The teams besides its own, with `SPECIFIC_TEAMS`. */
  sharedTeams: NamedTeam[];
  /** The API key of this server that it contains; null if its value was given. */
  apiKeyId: number | null;
  /** The credential whose test value this is; null: none. */
  liveId: number | null;
  /** Whether drafts get its test value, if it has one. */
  testEnabled: boolean;
  test?: CredentialRecord;
  /** Since when and why a person must connect it; nulls: nobody must. */
  reconnectSince: Date | null;
  reconnectReason: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The columns of a credential that can be set; undefined ones stay. */
export interface CredentialColumns {
  teamId?: number | undefined;
  name?: string | undefined;
  slug?: string | undefined;
  mode?: CredentialMode | undefined;
  settings?: JsonObject | undefined;
  metadata?: JsonObject | undefined;
  description?: string | null | undefined;
  encryptedValue?: Buffer | undefined;
  allowedHosts?: string[] | undefined;
  folderId?: number | null | undefined;
  readAccess?: ReadAccess | undefined;
  apiKeyId?: number | null | undefined;
  liveId?: number | undefined;
  testEnabled?: boolean | undefined;
}

/** The filter of a list of credentials. */
export interface CredentialFilter {
  /** Credentials of this team alone; otherwise all that the actor may use. */
  teamId?: number | undefined;
  folderId?: number | undefined;
  /** Whether they have allowed hosts. */
  isRestricted?: boolean | undefined;
  /** A part of the name. */
  search?: string | undefined;
  exceptIds?: readonly number[] | undefined;
}

interface CredentialRow
  extends Omit<CredentialRecord, 'settings' | 'metadata' | 'sharedTeams' | 'testEnabled' | 'test'> {
  testEnabled: number;
  settings: string | null;
  metadata: string | null;
}

const COLUMNS =
  'c.id, c.team_id AS teamId, t.tenant_id AS tenantId, c.folder_id AS folderId, c.name, c.slug, c.mode,' +
  ' c.settings, c.metadata, c.description, c.allowed_hosts AS allowedHosts, c.read_access AS readAccess,' +
  ' c.live_credential_id AS liveId, c.test_enabled AS testEnabled, c.api_key_id AS apiKeyId,' +
  ' c.reconnect_since AS reconnectSince, c.reconnect_reason AS reconnectReason, c.created_at AS createdAt, c.updated_at AS updatedAt';
const FROM = 'credentials c JOIN teams t ON t.id = c.team_id';

/** Returns a page of the credentials that the actor may use, by id. */
export async function listCredentials(
  actor: Actor,
  filter: CredentialFilter,
  window: Window,
  session: Session,
): Promise<Page<CredentialRecord>> {
  const { where, values } = usableBy(actor, filter);
  // Ids first: a sort of whole rows would write each secret of the tenant to a temporary table.
  const query = { columns: 'c.id', from: FROM, where, values, order: 'c.id' };
  const { items, total } = await readPage<{ id: number }>(session, query, window);
  const rows = await session.rows<HostsAsText<CredentialRow>>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE c.id IN (?) ORDER BY c.id`,
    [idsOrNone(items.map(({ id }) => id))],
  );
  return { items: await toRecords(rows, session), total };
}

/** Returns at most `limit` credentials that the actor may use, for a search of their names. */
export function listCredentialNames(
  actor: Actor,
  filter: CredentialFilter,
  limit: number,
  session: Session,
): Promise<Pick<CredentialRecord, 'id' | 'teamId' | 'slug' | 'readAccess'>[]> {
  const { where, values } = usableBy(actor, filter);
  return session.rows(
    `SELECT c.id, c.team_id AS teamId, c.slug, c.read_access AS readAccess FROM ${FROM} WHERE ${where}` +
      ' ORDER BY c.id LIMIT ?',
    [...values, limit],
  );
}

/** The tenant comes first: its teams, and their credentials, are found by index. */
function usableBy(actor: Actor, filter: CredentialFilter) {
  const { teamId, folderId, isRestricted, search, exceptIds = [] } = filter;
  const visible = idsOrNone(visibleTeamIds(actor));
  const parts: [sql: string, values: SqlValue[]][] =
    teamId === undefined
      ? [
          ['t.tenant_id = ?', [actor.tenantId]],
          [
            '(c.team_id IN (?) OR (c.read_access = ? AND ?) OR (c.read_access = ? AND EXISTS (SELECT 1' +
              " FROM team_shares s WHERE s.kind = 'credential' AND s.item_id = c.id AND s.team_id IN (?))))",
            [visible, 'GLOBAL', actor.roles.size > 0, 'SPECIFIC_TEAMS', visible],
          ],
        ]
      : [['c.team_id = ?', [teamId]]];
  // This is an expression: by its index the database would read the credentials of all tenants, in the order of their ids.
  parts.push(['COALESCE(c.live_credential_id, 0) = 0', []]);
  if (folderId !== undefined) parts.push(['c.folder_id = ?', [folderId]]);
  if (isRestricted !== undefined) parts.push([`c.allowed_hosts IS ${isRestricted ? 'NOT ' : ''}NULL`, []]);
  if (search !== undefined)
    parts.push(["c.name COLLATE utf8mb4_unicode_520_ci LIKE ? ESCAPE '!'", [containsPattern(search)]]);
  if (exceptIds.length > 0) parts.push(['c.id NOT IN (?)', [[...exceptIds]]]);
  return { where: parts.map(([sql]) => sql).join(' AND '), values: parts.flatMap(([, values]) => values) };
}

export async function findCredential(id: number, session: Session): Promise<CredentialRecord | undefined> {
  const rows = await session.rows<HostsAsText<CredentialRow>>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE c.id = ?`,
    [id],
  );
  const [record] = await toRecords(rows, session);
  return record;
}

/**
 * Inserts with knex, so that creating the API key can be part of the transaction. A name in use gives a duplicate-key
 * error. Returns undefined if the team is deleted; otherwise the team is locked until the transaction ends.
 */
export async function insertCredential(
  credential: CredentialColumns & { teamId: number },
  trx: Knex,
): Promise<number | undefined> {
  const teams = await trx('teams').where({ id: credential.teamId }).increment('claims');
  if (teams === 0) return undefined;
  const given = Object.entries(columnsOf(credential)).filter(([, value]) => value !== undefined);
  const [id] = await trx('credentials').insert(Object.fromEntries(given));
  if (id === undefined) throw new Error('The insert of a credential gave no id');
  return id;
}

/** Inserts a test value. */
export async function insertTestValue(
  credential: CredentialColumns & { teamId: number; liveId: number },
  session: Session,
): Promise<void> {
  const given = Object.entries(columnsOf(credential)).flatMap(([column, value]): [string, SqlValue][] =>
    value === undefined ? [] : [[column, value]],
  );
  await session.run(`INSERT INTO credentials (${given.map(([column]) => column).join(', ')}) VALUES (?)`, [
    given.map(([, value]) => value),
  ]);
}

/** Sets the given columns. A name that the team already uses gives a duplicate-key error. */
export async function updateCredential(
  id: number,
  change: CredentialColumns,
  session: Session,
): Promise<void> {
  const set = assignments(columnsOf(change));
  if (set === undefined) return;
  // With other settings or another name it is tried anew.
  if (change.encryptedValue !== undefined) await endReconnect(id, session);
  await session.run(`UPDATE credentials SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [
    ...set.values,
    id,
  ]);
}

/** Deletes the credential with its shares. Returns whether it existed. Call it in a transaction. */
export async function deleteCredential(id: number, session: Session): Promise<boolean> {
  await replaceShares('credential', id, [], session);
  const { affectedRows } = await session.run('DELETE FROM credentials WHERE id = ?', [id]);
  return affectedRows > 0;
}

function columnsOf(change: CredentialColumns) {
  return {
    team_id: change.teamId,
    name: change.name,
    slug: change.slug,
    mode: change.mode,
    settings: change.settings && stringifyJson(change.settings),
    metadata: change.metadata && stringifyJson(change.metadata),
    description: change.description,
    encrypted_value: change.encryptedValue,
    allowed_hosts: change.allowedHosts && hostsText(change.allowedHosts),
    folder_id: change.folderId,
    read_access: change.readAccess,
    api_key_id: change.apiKeyId,
    live_credential_id: change.liveId,
    test_enabled: change.testEnabled,
  };
}

async function toRecords(rows: HostsAsText<CredentialRow>[], session: Session): Promise<CredentialRecord[]> {
  const tests = await testsOf(rows, session);
  const specific = rows.filter(({ readAccess }) => readAccess === 'SPECIFIC_TEAMS').map(({ id }) => id);
  const shares = await sharesOf('credential', specific, session);
  return rows.map((row) => ({
    ...withHosts(row),
    settings: parseJson(row.settings ?? '{}') as JsonObject,
    metadata: parseJson(row.metadata ?? '{}') as JsonObject,
    sharedTeams: shares.get(row.id) ?? [],
    testEnabled: row.testEnabled === 1,
    ...tests.get(row.id),
  }));
}

/** Returns the test values of these credentials, by id of the credential. */
async function testsOf(
  rows: readonly Pick<CredentialRow, 'id' | 'liveId'>[],
  session: Session,
): Promise<Map<number, { test: CredentialRecord }>> {
  const ids = rows.filter(({ liveId }) => liveId === null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await session.rows<HostsAsText<CredentialRow>>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE c.live_credential_id IN (?)`,
    [ids],
  );
  const tests = await toRecords(found, session);
  return new Map(tests.map((test) => [test.liveId ?? 0, { test }]));
}
