import type { Session } from '../../../platform/mysql/session.js';

/** The row of `settings` that names who does this work. */
export type LeaseName = 'retention_lease' | 'archive_lease';

/** After this, the lease of a process that died no longer blocks others. */
export const LEASE_SECONDS = 60;

const NOW_MS = 'ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)';
/** The row is `<until, ms since 1970> <owner>`, by the database's clock. */
const UNTIL = "CAST(SUBSTRING_INDEX(value, ' ', 1) AS UNSIGNED)";
const OWNER = "SUBSTRING_INDEX(value, ' ', -1)";

/** Takes or renews the lease for a minute. Returns false if another owner has it. */
export async function takeLease(session: Session, name: LeaseName, owner: string): Promise<boolean> {
  await session.run(
    "INSERT INTO settings (name, value) VALUES (?, '0 -') ON DUPLICATE KEY UPDATE name = VALUES(name)",
    [name],
  );
  const { affectedRows } = await session.run(
    `UPDATE settings SET value = CONCAT(${NOW_MS} + ?, ' ', ?)
     WHERE name = ? AND (${UNTIL} < ${NOW_MS} OR ${OWNER} = ?)`,
    [LEASE_SECONDS * 1000, owner, name, owner],
  );
  return affectedRows === 1;
}

/** Releases the lease if this owner has it. */
export async function releaseLease(session: Session, name: LeaseName, owner: string): Promise<void> {
  await session.run(`UPDATE settings SET value = '0 -' WHERE name = ? AND ${OWNER} = ?`, [name, owner]);
}
