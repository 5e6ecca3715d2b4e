import type { Actor } from '../../api/face.js';
import type { Session } from '../../platform/mysql/session.js';

/** An API key that expires soon, or has expired lately. */
export interface EndingKey {
  id: number;
  kind: Actor['kind'];
  name: string;
  prefix: string;
  /** Only for team keys. */
  teamId: number | null;
  endsAt: Date;
  lastUsedAt: Date | null;
  isOver: boolean;
}

/** Days before and after its end for which a key is shown. A key that was made for fewer days is not shown. */
const DAYS = 7;

/**
 * Returns up to `limit` keys that the actor may see and that expire within a week, or have expired within a week after they
 * were used; the first to expire first. Only its user sees a personal key, only Owners see the keys of the tenant and of teams.
 */
export async function findEndingKeys(
  session: Session,
  { tenantId, userId, isOwner }: Pick<Actor, 'tenantId' | 'userId' | 'isOwner'>,
  limit: number,
): Promise<EndingKey[]> {
  const rows = await session.rows<Omit<EndingKey, 'isOver'> & { isOver: number }>(
    `SELECT k.id, k.kind, k.name, k.prefix, k.team_id AS teamId, k.expires_at AS endsAt, k.last_used_at AS lastUsedAt,
            k.expires_at <= NOW(3) AS isOver
     FROM api_keys k FORCE INDEX (api_keys_ending)
     WHERE k.tenant_id = ? AND k.expires_at > NOW(3) - INTERVAL ${DAYS} DAY AND k.expires_at < NOW(3) + INTERVAL ${DAYS} DAY
       AND k.revoked_at IS NULL AND k.expires_at > k.created_at + INTERVAL ${DAYS} DAY
       AND (k.expires_at > NOW(3) OR k.last_used_at IS NOT NULL)
       AND IF(k.kind = 'personal', k.user_id = ?, ?)
     ORDER BY k.expires_at, k.id LIMIT ?`,
    [tenantId, userId, isOwner, limit],
  );
  return rows.map(({ isOver, ...row }) => ({ ...row, isOver: isOver !== 0 }));
}
