import type { Session } from '../../../platform/mysql/session.js';

/** A stored token, still encrypted. */
export interface StoredToken {
  encryptedToken: Buffer;
  /** Milliseconds until it expires; its age in milliseconds. */
  leftMs: number;
  ageMs: number;
}

/** Returns the token if it has not expired, by the database's clock. */
export async function findToken(id: number, session: Session): Promise<StoredToken | undefined> {
  const [row] = await session.rows<StoredToken>(
    'SELECT encrypted_token AS encryptedToken,' +
      ' CAST(TIMESTAMPDIFF(MICROSECOND, NOW(3), expires_at) / 1000 AS SIGNED) AS leftMs,' +
      ' CAST(TIMESTAMPDIFF(MICROSECOND, fetched_at, NOW(3)) / 1000 AS SIGNED) AS ageMs' +
      ' FROM credential_tokens WHERE credential_id = ? AND expires_at > NOW(3)',
    [id],
  );
  return row;
}

/** Claims the right to fetch the token for this time. Returns false if somebody else has it. */
export async function claimLease(
  id: number,
  { lease, seconds }: { lease: string; seconds: number },
  session: Session,
): Promise<boolean> {
  await session.run('INSERT IGNORE INTO credential_tokens (credential_id) VALUES (?)', [id]);
  const { affectedRows } = await session.run(
    'UPDATE credential_tokens SET lease = ?, lease_until = NOW(3) + INTERVAL ? SECOND' +
      ' WHERE credential_id = ? AND (lease_until IS NULL OR lease_until < NOW(3))',
    [lease, seconds, id],
  );
  return affectedRows === 1;
}

/** Stores the token and ends the lease; nothing if another process has it, or the credential has changed meanwhile. */
export async function storeToken(
  id: number,
  { lease, encryptedToken, seconds }: { lease: string; encryptedToken: Buffer; seconds: number },
  session: Session,
): Promise<void> {
  await session.run(
    'UPDATE credential_tokens SET encrypted_token = ?, fetched_at = NOW(3),' +
      ' expires_at = NOW(3) + INTERVAL ? SECOND, lease = NULL, lease_until = NULL' +
      ' WHERE credential_id = ? AND lease = ?',
    [encryptedToken, seconds, id, lease],
  );
}

/** Ends the lease without a token. */
export async function endLease(id: number, lease: string, session: Session): Promise<void> {
  await session.run(
    'UPDATE credential_tokens SET lease = NULL, lease_until = NULL WHERE credential_id = ? AND lease = ?',
    [id, lease],
  );
}

/** Lets the token expire if it is older than this: its server refused it. Returns whether it did. */
export async function expireToken(id: number, olderThanSeconds: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE credential_tokens SET expires_at = NULL' +
      ' WHERE credential_id = ? AND fetched_at < NOW(3) - INTERVAL ? SECOND AND expires_at IS NOT NULL',
    [id, olderThanSeconds],
  );
  return affectedRows > 0;
}

/** Deletes the token, and with it the lease of who fetches one for the settings before. */
export async function deleteToken(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM credential_tokens WHERE credential_id = ?', [id]);
}
