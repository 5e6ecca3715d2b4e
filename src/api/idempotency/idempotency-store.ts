import type { Session } from '../../platform/mysql/session.js';

/** How long a key is remembered. */
const REMEMBERED_HOURS = 24;

/** A request that was sent with a key before. */
export interface RememberedRequest {
  id: number;
  requestDigest: Buffer;
  /** The sealed response; null: it has none yet, or its outcome is unknown. */
  response: Buffer | null;
  /** Whether the key is forgotten by now; its row waits for retention. */
  isOver: boolean;
}

/** The digests of a request with a key: of its sender and key, and of what it asks for. */
export interface RequestDigests {
  digest: Buffer;
  requestDigest: Buffer;
}

/** Remembers a request that begins. Returns its id. @throws a duplicate key if the key is remembered. */
export async function insertRememberedRequest(
  { digest, requestDigest }: RequestDigests,
  session: Session,
): Promise<number> {
  const { insertId } = await session.run(
    `INSERT INTO idempotency_keys (digest, request_digest, expires_at)
     VALUES (?, ?, NOW(3) + INTERVAL ${REMEMBERED_HOURS} HOUR)`,
    [digest, requestDigest],
  );
  return insertId;
}

export async function findRememberedRequest(
  digest: Buffer,
  session: Session,
): Promise<RememberedRequest | undefined> {
  const [row] = await session.rows<Omit<RememberedRequest, 'isOver'> & { isOver: number }>(
    `SELECT id, request_digest AS requestDigest, answer AS response, expires_at <= NOW(3) AS isOver
     FROM idempotency_keys WHERE digest = ?`,
    [digest],
  );
  return row && { ...row, isOver: row.isOver === 1 };
}

/** Keeps the sealed response of a request. */
export async function keepResponse(id: number, response: Buffer, session: Session): Promise<void> {
  await session.run('UPDATE idempotency_keys SET answer = ? WHERE id = ?', [response, id]);
}

export async function forgetRequest(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM idempotency_keys WHERE id = ?', [id]);
}
