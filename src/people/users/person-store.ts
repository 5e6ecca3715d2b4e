import type { Session } from '../../platform/mysql/session.js';

/** A user who may sign in, as far as a sign-in must know it. */
export interface SignInCandidate {
  tenantId: number;
  userId: number;
  email: string;
  /** Undefined: it has no password. */
  hash: string | undefined;
}

type CandidateRow = Omit<SignInCandidate, 'hash'> & { hash: string | null };

const CANDIDATE = `u.tenant_id AS tenantId, u.id AS userId, u.email, p.hash
  FROM users u LEFT JOIN user_passwords p ON p.user_id = u.id
  WHERE u.deactivated_at IS NULL AND u.is_service_account = FALSE`;

/** Most rows whose address the collation takes for the same. */
const MAX_SPELLINGS = 50;

/** Returns an address in the one spelling by which people sign in and limits count: NFKC, in lower case. */
export function accountName(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

/**
 * Returns the active people with this address, one for each tenant; the oldest first. The collation finds other spellings
 * too, with accents or a zero byte: they are nobody's, so that each account has one name (decision 0084).
 */
export async function findByAddress(
  email: string,
  limit: number,
  session: Session,
): Promise<SignInCandidate[]> {
  const name = accountName(email);
  const rows = await session.rows<CandidateRow>(`SELECT ${CANDIDATE} AND u.email = ? ORDER BY u.id LIMIT ?`, [
    name,
    MAX_SPELLINGS,
  ]);
  return rows
    .filter((row) => accountName(row.email) === name)
    .slice(0, limit)
    .map(candidateOf);
}

/** Returns an active person; undefined for a service account, and for a user who was deactivated. */
export async function findActivePerson(
  userId: number,
  session: Session,
): Promise<SignInCandidate | undefined> {
  const [row] = await session.rows<CandidateRow>(`SELECT ${CANDIDATE} AND u.id = ?`, [userId]);
  return row && candidateOf(row);
}

/** Sets the password of a user. */
export async function savePassword(userId: number, hash: string, session: Session): Promise<void> {
  await session.run(
    `INSERT INTO user_passwords (user_id, hash) VALUES (?, ?)
     ON DUPLICATE KEY UPDATE hash = VALUES(hash), changed_at = NOW(3)`,
    [userId, hash],
  );
}

function candidateOf({ hash, ...person }: CandidateRow): SignInCandidate {
  return { ...person, hash: hash ?? undefined };
}
