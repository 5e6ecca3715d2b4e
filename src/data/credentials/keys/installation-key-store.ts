import type { Session } from '../../../platform/mysql/session.js';

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

/**
 * Returns the fingerprint of the key under which most credentials and mail servers are stored; undefined: there are none. It
 * reads all of them.
 */
export async function findKeyOfMostSecrets(session: Session): Promise<string | undefined> {
  const [row] = await session.rows<{ fingerprint: string }>(
    `SELECT LOWER(HEX(SUBSTRING(sealed, 2, 8))) AS fingerprint
     FROM (SELECT encrypted_value AS sealed FROM credentials
           UNION ALL SELECT encrypted_smtp_url FROM tenant_mail_settings WHERE encrypted_smtp_url IS NOT NULL) secrets
     WHERE LEFT(sealed, 1) = 0x02 GROUP BY fingerprint ORDER BY COUNT(*) DESC LIMIT 1`,
  );
  return row?.fingerprint;
}
