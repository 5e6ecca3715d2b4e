import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { StoredGrant } from '../modes/credential-modes.js';

/** A credential whose access ends soon, or has ended. */
export interface EndingCredential {
  id: number;
  name: string;
  teamId: number;
  endsAt: Date;
  isOver: boolean;
}

/** Access is told of that ends within so many days. */
const SOON_DAYS = 7;

/** Notes when the access ends that a person allowed; nothing while it can be renewed. */
export async function noteAccessEnd(
  id: number,
  grant: StoredGrant | undefined,
  session: Session,
): Promise<void> {
  const endsAtMs = grant?.refreshToken === undefined ? grant?.expiresAtMs : undefined;
  await session.run('UPDATE credentials SET access_ends_at = ? WHERE id = ?', [
    endsAtMs === undefined ? null : new Date(endsAtMs),
    id,
  ]);
}

/** The end of a credential: of the access that a person allowed, or of the API key of this server that it holds. */
const ENDS_AT = "IF(c.mode = 'OAUTH', c.access_ends_at, COALESCE(k.revoked_at, k.expires_at))";

/** Returns up to `limit` credentials of these teams whose access ends within a week or has ended, the first to end first. */
export async function findEndingCredentials(
  session: Session,
  { tenantId, teamIds }: { tenantId: number; teamIds: readonly number[] },
  limit: number,
): Promise<EndingCredential[]> {
  const rows = await session.rows<Omit<EndingCredential, 'isOver'> & { isOver: number }>(
    `SELECT c.id, c.name, c.team_id AS teamId, ${ENDS_AT} AS endsAt, ${ENDS_AT} <= NOW(3) AS isOver
     FROM teams t STRAIGHT_JOIN credentials c FORCE INDEX (credentials_name) ON c.team_id = t.id
       LEFT JOIN api_keys k ON k.id = c.api_key_id
     WHERE t.tenant_id = ? AND t.id IN (?) AND c.live_credential_id IS NULL
       AND ${ENDS_AT} < NOW(3) + INTERVAL ? DAY
     ORDER BY endsAt, c.id LIMIT ?`,
    [tenantId, idsOrNone([...teamIds]), SOON_DAYS, limit],
  );
  return rows.map(({ isOver, ...row }) => ({ ...row, isOver: isOver !== 0 }));
}
