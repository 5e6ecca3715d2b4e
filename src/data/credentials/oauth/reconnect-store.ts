import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';

/** Since when, and why, a person must connect a credential. */
export interface ReconnectNeed {
  since: Date;
  /** In words, without any secret. */
  reason: string;
}

/** A credential that a person must connect. */
export interface UnconnectedCredential extends ReconnectNeed {
  id: number;
  name: string;
  /** Whether this is its test value, which drafts get. */
  isTest: boolean;
  teamId: number;
}

/** A credential that a person must connect, of which nobody was told. */
export interface UnreportedCredential extends ReconnectNeed {
  id: number;
  tenantId: number;
  teamId: number;
  name: string;
  slug: string;
  readAccess: 'TEAM' | 'GLOBAL' | 'SPECIFIC_TEAMS';
}

/** Notes that a person must connect the credential, unless it is known. Returns for how many seconds this has been known. */
export async function noteReconnect(id: number, reason: string, session: Session): Promise<number> {
  await session.run(
    'UPDATE credentials SET reconnect_since = NOW(3), reconnect_reason = LEFT(?, 512)' +
      ' WHERE id = ? AND reconnect_since IS NULL',
    [reason, id],
  );
  const [row] = await session.rows<{ seconds: number | null }>(
    'SELECT TIMESTAMPDIFF(SECOND, reconnect_since, NOW(3)) AS seconds FROM credentials WHERE id = ?',
    [id],
  );
  return Math.max(0, row?.seconds ?? 0);
}

/** Notes that the credential works again. */
export async function endReconnect(id: number, session: Session): Promise<void> {
  await session.run(
    'UPDATE credentials SET reconnect_since = NULL, reconnect_reason = NULL, reconnect_told_at = NULL' +
      ' WHERE id = ? AND reconnect_since IS NOT NULL',
    [id],
  );
}

const OWNER = 'credentials c FORCE INDEX (credentials_reconnect) STRAIGHT_JOIN teams t ON t.id = c.team_id';

/** Returns up to `limit` credentials of these teams that a person must connect, those that need it longest first. */
export async function findUnconnected(
  session: Session,
  { tenantId, teamIds }: { tenantId: number; teamIds: readonly number[] },
  limit: number,
): Promise<UnconnectedCredential[]> {
  const rows = await session.rows<Omit<UnconnectedCredential, 'isTest'> & { isTest: number }>(
    `SELECT COALESCE(l.id, c.id) AS id, COALESCE(l.name, c.name) AS name, l.id IS NOT NULL AS isTest,
            c.team_id AS teamId, c.reconnect_since AS since, COALESCE(c.reconnect_reason, '') AS reason
     FROM ${OWNER} LEFT JOIN credentials l ON l.id = c.live_credential_id
     WHERE c.reconnect_since IS NOT NULL AND t.tenant_id = ? AND c.team_id IN (?)
     ORDER BY c.reconnect_since, c.id LIMIT ?`,
    [tenantId, idsOrNone([...teamIds]), limit],
  );
  return rows.map(({ isTest, ...row }) => ({ ...row, isTest: isTest !== 0 }));
}

/** Returns the number of credentials that a person must connect, counted up to `most`, and since when the first does. */
export async function countUnconnected(
  session: Session,
  most: number,
): Promise<{ count: number; since: Date | null }> {
  const [row] = await session.rows<{ count: number; since: Date | null }>(
    `SELECT COUNT(*) AS count, MIN(c.reconnect_since) AS since
     FROM (SELECT reconnect_since FROM credentials FORCE INDEX (credentials_reconnect)
           WHERE reconnect_since IS NOT NULL ORDER BY reconnect_since LIMIT ?) c`,
    [most],
  );
  return row ?? { count: 0, since: null };
}

/** Returns up to `limit` credentials of which nobody was told. Test values are told to nobody. */
export function findUnreportedCredentials(limit: number, session: Session): Promise<UnreportedCredential[]> {
  return session.rows<UnreportedCredential>(
    `SELECT c.id, t.tenant_id AS tenantId, c.team_id AS teamId, c.name, c.slug, c.read_access AS readAccess,
            c.reconnect_since AS since, COALESCE(c.reconnect_reason, '') AS reason
     FROM ${OWNER}
     WHERE c.reconnect_since IS NOT NULL AND c.reconnect_told_at IS NULL AND c.live_credential_id IS NULL
     ORDER BY c.reconnect_since, c.id LIMIT ?`,
    [limit],
  );
}

/** Notes that people were told of the credential. Returns true for the one process that may tell them. */
export async function claimUnreported(id: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE credentials SET reconnect_told_at = NOW(3)' +
      ' WHERE id = ? AND reconnect_since IS NOT NULL AND reconnect_told_at IS NULL',
    [id],
  );
  return affectedRows > 0;
}
