import type { Session } from '../../platform/mysql/session.js';

/** The stored mail settings of a tenant. */
export interface StoredMailSettings {
  tenantId: number;
  encryptedSmtpUrl: Buffer;
  mailFrom: string;
  /** Comma-separated. */
  mailFromAllow: string;
  updatedAt: Date;
}

const COLUMNS = `tenant_id AS tenantId, encrypted_smtp_url AS encryptedSmtpUrl, mail_from AS mailFrom,
  mail_from_allow AS mailFromAllow, updated_at AS updatedAt`;

export async function findMailSettings(
  tenantId: number,
  session: Session,
): Promise<StoredMailSettings | undefined> {
  const [row] = await session.rows<StoredMailSettings>(
    `SELECT ${COLUMNS} FROM tenant_mail_settings WHERE tenant_id = ?`,
    [tenantId],
  );
  return row;
}

export async function saveMailSettings(
  settings: Omit<StoredMailSettings, 'updatedAt'>,
  session: Session,
): Promise<void> {
  await session.run(
    `INSERT INTO tenant_mail_settings (tenant_id, encrypted_smtp_url, mail_from, mail_from_allow) VALUES (?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE encrypted_smtp_url = VALUES(encrypted_smtp_url), mail_from = VALUES(mail_from),
       mail_from_allow = VALUES(mail_from_allow), updated_at = NOW(3)`,
    [settings.tenantId, settings.encryptedSmtpUrl, settings.mailFrom, settings.mailFromAllow],
  );
}

export async function deleteMailSettings(tenantId: number, session: Session): Promise<void> {
  await session.run('DELETE FROM tenant_mail_settings WHERE tenant_id = ?', [tenantId]);
}

/** Returns the settings and locks them until the transaction ends. */
export async function lockMailSettings(
  tenantId: number,
  session: Session,
): Promise<StoredMailSettings | undefined> {
  const [row] = await session.rows<StoredMailSettings>(
    `SELECT ${COLUMNS} FROM tenant_mail_settings WHERE tenant_id = ? FOR UPDATE`,
    [tenantId],
  );
  return row;
}

/** Returns the tenants whose mail server is encrypted under another key than the one that `head` begins with. */
export async function findMailSettingsSealedOtherwise(head: Buffer, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    'SELECT tenant_id AS id FROM tenant_mail_settings WHERE LEFT(encrypted_smtp_url, ?) <> ? ORDER BY tenant_id',
    [head.length, head],
  );
  return rows.map(({ id }) => id);
}
