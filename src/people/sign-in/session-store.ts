import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { type ActorRow, toActors } from '../../api/face.js';
import type { FoundSession, Person, PersonSession, SessionPlace } from './person-session.js';

/** A session ends after this time without a request. */
const IDLE_HOURS = 12;
/** A session ends after this time in any case. */
export const LONGEST_DAYS = 7;
/** Sizes of the columns. */
const MAX_IP = 45;
const MAX_USER_AGENT = 512;

const COLUMNS = `s.id, s.method, s.ip, s.user_agent AS userAgent, s.created_at AS createdAt, s.last_seen_at AS lastSeenAt,
  LEAST(s.expires_at, s.last_seen_at + INTERVAL ${IDLE_HOURS} HOUR) AS expiresAt`;

/** A session works while it is young and used, its user is active, and the key that signed in is valid. */
const WORKS = `s.expires_at > NOW(3) AND s.last_seen_at > NOW(3) - INTERVAL ${IDLE_HOURS} HOUR AND u.deactivated_at IS NULL
  AND (s.api_key_id IS NULL OR (k.id IS NOT NULL AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > NOW(3))))`;

const JOINED = `console_sessions s JOIN users u ON u.id = s.user_id AND u.tenant_id = s.tenant_id
  LEFT JOIN api_keys k ON k.id = s.api_key_id`;

type SessionRow = ActorRow & PersonSession & { digest: string };

/** Returns the sessions that work, by the digest of their token. */
export async function findSessions(digests: string[], session: Session): Promise<Map<string, FoundSession>> {
  const rows = await session.rows<SessionRow>(
    `SELECT s.digest, ${COLUMNS}, 0 AS keyId, 'personal' AS kind, u.tenant_id AS tenantId, u.id AS userId,
            NULL AS keyTeamId, u.email AS userEmail, u.is_owner AS isOwner, n.frozen_at IS NOT NULL AS isFrozen
     FROM ${JOINED} LEFT JOIN tenants n ON n.id = u.tenant_id
     WHERE s.digest IN (?) AND ${WORKS}`,
    [digests],
  );
  const actors = await toActors(rows, session);
  return new Map(
    actors.map((actor, index) => {
      const row = rows[index] as SessionRow;
      return [row.digest, { session: sessionOf(row), actor: { ...actor, sessionId: row.id } }];
    }),
  );
}

function sessionOf(row: PersonSession): PersonSession {
  const { id, method, ip, userAgent, createdAt, lastSeenAt, expiresAt } = row;
  return { id, method, ip, userAgent, createdAt, lastSeenAt, expiresAt };
}

/** Stores a new session. Returns its id. */
export async function insertSession(
  { digest, person, place }: { digest: string; person: Person; place: SessionPlace },
  session: Session,
): Promise<number> {
  const { insertId } = await session.run(
    `INSERT INTO console_sessions (digest, tenant_id, user_id, api_key_id, method, ip, user_agent, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, NOW(3) + INTERVAL ${LONGEST_DAYS} DAY)`,
    [
      digest,
      person.tenantId,
      person.userId,
      person.apiKeyId,
      person.method,
      place.ip?.slice(0, MAX_IP) ?? null,
      place.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    ],
  );
  return insertId;
}

/** Sets when the session was used last; all processes together write at most once a minute. */
export async function touchSession(id: number, session: Session): Promise<void> {
  await session.run(
    'UPDATE console_sessions SET last_seen_at = NOW(3) WHERE id = ? AND last_seen_at < NOW(3) - INTERVAL 1 MINUTE',
    [id],
  );
}

/** Returns the newest sessions of the user that work. */
export async function listSessions(
  { tenantId, userId }: Pick<Person, 'tenantId' | 'userId'>,
  limit: number,
  session: Session,
): Promise<PersonSession[]> {
  const rows = await session.rows<PersonSession>(
    `SELECT ${COLUMNS} FROM ${JOINED} WHERE s.user_id = ? AND s.tenant_id = ? AND ${WORKS} ORDER BY s.id DESC LIMIT ?`,
    [userId, tenantId, limit],
  );
  return rows.map(sessionOf);
}

/** Returns the user of the tenant's session; undefined for a session of another tenant. */
export async function findSessionUser(
  tenantId: number,
  id: number,
  session: Session,
): Promise<number | undefined> {
  const [row] = await session.rows<{ userId: number }>(
    'SELECT user_id AS userId FROM console_sessions WHERE id = ? AND tenant_id = ?',
    [id, tenantId],
  );
  return row?.userId;
}

/** Counts the sessions that are not over. */
export async function countSessions(session: Session): Promise<number> {
  const [row] = await session.rows<{ n: number }>(
    `SELECT COUNT(*) AS n FROM console_sessions
     WHERE expires_at > NOW(3) AND last_seen_at > NOW(3) - INTERVAL ${IDLE_HOURS} HOUR`,
  );
  return row?.n ?? 0;
}

/** Ends sessions. Returns the number of those that had not ended before. */
export async function deleteSessions(ids: number[], session: Session): Promise<number> {
  const { affectedRows } = await session.run('DELETE FROM console_sessions WHERE id IN (?)', [
    idsOrNone(ids),
  ]);
  return affectedRows;
}

/** Ends all sessions of the user, except one. Returns their number. */
export async function deleteSessionsOf(userId: number, session: Session, except = 0): Promise<number> {
  const { affectedRows } = await session.run('DELETE FROM console_sessions WHERE user_id = ? AND id <> ?', [
    userId,
    except,
  ]);
  return affectedRows;
}

/** Ends the oldest sessions of the user, so that `most` remain. */
export async function deleteOldestSessions(userId: number, most: number, session: Session): Promise<void> {
  const [oldest] = await session.rows<{ id: number }>(
    'SELECT id FROM console_sessions WHERE user_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?',
    [userId, most],
  );
  if (oldest === undefined) return;
  await session.run('DELETE FROM console_sessions WHERE user_id = ? AND id <= ?', [userId, oldest.id]);
}
