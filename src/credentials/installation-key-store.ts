import type { Session } from '../platform/mysql/session.js';

/** The name of the setting: the fingerprint of the key under which this installation encrypts. */
const SETTING = 'encryption_key';

/** Returns the fingerprint of the database's key; undefined: none was noted yet. */
export async function findKeyFingerprint(session: Session): Promise<string | undefined> {
  const [row] = await session.rows<{ value: string }>('SELECT value FROM settings WHERE name = ?', [SETTING]);
  return row?.value;
}

/** Notes the first key. Of two processes that start together the first wins. */
export async function insertKeyFingerprint(fingerprint: string, session: Session): Promise<void> {
  await session.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON DUPLICATE KEY UPDATE name = VALUES(name)',
    [SETTING, fingerprint],
  );
}

/** Replaces the key `from`, unless another process was faster. */
export async function moveKeyFingerprint(
  { from, to }: { from: string; to: string },
  session: Session,
): Promise<void> {
  await session.run('UPDATE settings SET value = ? WHERE name = ? AND value = ?', [to, SETTING, from]);
}

/** Replaces the key, whatever it was. */
export async function replaceKeyFingerprint(fingerprint: string, session: Session): Promise<void> {
  await session.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON DUPLICATE KEY UPDATE value = VALUES(value)',
    [SETTING, fingerprint],
  );
}

/** Returns the fingerprints of the keys under which credentials are stored. It reads all credentials. */
export async function findKeysOfCredentials(session: Session): Promise<string[]> {
  const rows = await session.rows<{ fingerprint: string }>(
    `SELECT DISTINCT LOWER(HEX(SUBSTRING(encrypted_value, 2, 8))) AS fingerprint FROM credentials
     WHERE LEFT(encrypted_value, 1) = 0x02`,
  );
  return rows.map(({ fingerprint }) => fingerprint);
}
