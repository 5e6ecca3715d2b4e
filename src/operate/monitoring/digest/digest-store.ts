import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { Session } from '../../../platform/mysql/session.js';

/** The settings of a team's digest. */
export interface DigestSettings {
  recipients: readonly string[];
  /** Hour of the day, in `timezone`. */
  hour: number;
  timezone: string;
}

/** A digest that is on. */
export interface StoredDigest extends DigestSettings {
  teamId: number;
  isSigned: boolean;
  nextAt: Date;
  lastAt: Date | null;
}

/** A digest that is due. `teamName` null: the team was deleted. */
export interface DueDigest extends StoredDigest {
  tenantId: number;
  teamName: string | null;
  /** The database's time. */
  now: Date;
}

type Row<Kind extends StoredDigest> = Omit<Kind, 'recipients' | 'isSigned'> & {
  recipients: string;
  isSigned: number;
};

const COLUMNS = `d.team_id AS teamId, d.recipients, d.hour, d.timezone, d.secret IS NOT NULL AS isSigned,
  d.next_at AS nextAt, d.last_at AS lastAt`;

/** Returns the team's digest; undefined: it is off. */
export async function findDigest(teamId: number, session: Session): Promise<StoredDigest | undefined> {
  const [row] = await session.rows<Row<StoredDigest>>(
    `SELECT ${COLUMNS} FROM team_digests d WHERE d.team_id = ?`,
    [teamId],
  );
  return row && fromRow(row);
}

/** Returns the secret that signs the team's digests; undefined: they are not signed. */
export async function findDigestSecret(teamId: number, session: Session): Promise<string | undefined> {
  const [row] = await session.rows<{ secret: string | null }>(
    'SELECT secret FROM team_digests WHERE team_id = ?',
    [teamId],
  );
  return row?.secret ?? undefined;
}

/** Switches the digest on, or changes it. `secret` undefined: it stays; null: there is none from now on. */
export async function saveDigest(
  digest: DigestSettings & {
    teamId: number;
    tenantId: number;
    nextAt: Date;
    secret: string | null | undefined;
  },
  session: Session,
): Promise<void> {
  const { teamId, tenantId, recipients, hour, timezone, nextAt, secret } = digest;
  const kept = secret === undefined ? '' : ', secret = VALUES(secret)';
  await session.run(
    `INSERT INTO team_digests (team_id, tenant_id, recipients, hour, timezone, secret, next_at) VALUES (?)
     ON DUPLICATE KEY UPDATE recipients = VALUES(recipients), hour = VALUES(hour), timezone = VALUES(timezone),
       next_at = VALUES(next_at)${kept}`,
    [[teamId, tenantId, stringifyJson(recipients), hour, timezone, secret ?? null, nextAt]],
  );
}

/** Switches the digest off. */
export async function deleteDigest(teamId: number, session: Session): Promise<void> {
  await session.run('DELETE FROM team_digests WHERE team_id = ?', [teamId]);
}

/** Returns up to `limit` digests that are due, the oldest first. */
export async function findDueDigests(limit: number, session: Session): Promise<DueDigest[]> {
  const rows = await session.rows<Row<DueDigest>>(
    `SELECT ${COLUMNS}, d.tenant_id AS tenantId, t.name AS teamName, NOW(3) AS now
     FROM team_digests d FORCE INDEX (team_digests_next) LEFT JOIN teams t ON t.id = d.team_id
     WHERE d.next_at <= NOW(3) ORDER BY d.next_at, d.team_id LIMIT ?`,
    [limit],
  );
  return rows.map(fromRow);
}

/** Moves the digest to its next time. Returns true for the one process that found it at its earlier one. */
export async function moveDigest(
  { teamId, nextAt }: Pick<DueDigest, 'teamId' | 'nextAt'>,
  to: Date,
  session: Session,
): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE team_digests SET next_at = ?, last_at = NOW(3) WHERE team_id = ? AND next_at = ?',
    [to, teamId, nextAt],
  );
  return affectedRows > 0;
}

function fromRow<Kind extends StoredDigest>(row: Row<Kind>): Kind {
  const recipients = parseJson(row.recipients) as string[];
  return { ...row, recipients, isSigned: row.isSigned !== 0 } as unknown as Kind;
}
