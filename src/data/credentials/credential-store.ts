import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';

/** A stored credential. */
export interface StoredCredential {
  id: number;
  teamId: number;
  name: string;
  /** Alternative name for templates. */
  slug: string;
  /** How it provides its secret. */
  mode: string;
  encryptedValue: Buffer;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts: string[];
  /** The credential whose test value this is; null: none. */
  liveId: number | null;
  /** Whether drafts get its test value, if it has one. */
  testEnabled: number;
}

/** A credential that stories may use, with the value that drafts get. */
export interface UsableCredential extends StoredCredential {
  test?: StoredCredential;
}

/** An encrypted value and the identity that it is bound to. */
export interface SealedCredential {
  id: number;
  teamId: number;
  name: string;
  mode: string;
  encryptedValue: Buffer;
}

const SEALED = 'id, team_id AS teamId, name, mode, encrypted_value AS encryptedValue';

/** Own credentials, those of all teams of the tenant, and those shared with this team; each part by an index. */
const USABLE_COLUMNS =
  'c.id, c.team_id AS teamId, c.name, c.slug, c.mode, c.encrypted_value AS encryptedValue,' +
  ' c.allowed_hosts AS allowedHosts, c.live_credential_id AS liveId, c.test_enabled AS testEnabled';
const USABLE =
  `SELECT ${USABLE_COLUMNS}, 0 AS rank_ FROM credentials c WHERE c.team_id = ? AND c.live_credential_id IS NULL` +
  ` UNION ALL SELECT ${USABLE_COLUMNS}, 1 FROM teams own` +
  ' JOIN teams t ON t.tenant_id = own.tenant_id AND t.id <> own.id' +
  " JOIN credentials c ON c.team_id = t.id AND c.read_access = 'GLOBAL' AND c.live_credential_id IS NULL WHERE own.id = ?" +
  ` UNION ALL SELECT ${USABLE_COLUMNS}, 1 FROM team_shares s JOIN teams own ON own.id = s.team_id` +
  " JOIN credentials c ON c.id = s.item_id AND c.read_access = 'SPECIFIC_TEAMS' AND c.team_id <> s.team_id" +
  ' JOIN teams t ON t.id = c.team_id AND t.tenant_id = own.tenant_id' +
  " WHERE s.team_id = ? AND s.kind = 'credential' ORDER BY rank_, id";

export type CredentialStore = ReturnType<typeof createCredentialStore>;

export function createCredentialStore(database: Pick<Database, 'read'>) {
  return {
    /** Returns the team's credentials, and test values of them, oldest first. */
    list: (teamId: number): Promise<StoredCredential[]> =>
      database.read(async (session) => {
        const rows = await session.rows<HostsAsText<StoredCredential>>(
          `SELECT ${USABLE_COLUMNS} FROM credentials c WHERE c.team_id = ? ORDER BY c.id`,
          [teamId],
        );
        return rows.map(withHosts);
      }),

    /** Returns the credentials that stories of the team may use, its own first, each group oldest first. */
    listUsable: (teamId: number): Promise<UsableCredential[]> =>
      database.read(async (session) => {
        const values = [teamId, teamId, teamId];
        const usable = (await session.rows<HostsAsText<StoredCredential>>(USABLE, values)).map(withHosts);
        return withTests(usable, session);
      }),

    /** Inserts the credential, or replaces the one with this name; without `allowedHosts` it keeps its hosts. */
    save: async (teamId: number, credential: SavedCredential): Promise<void> => {
      const { name, slug, encryptedValue, allowedHosts } = credential;
      await database.read((session) =>
        session.run(
          'INSERT INTO credentials (team_id, name, slug, encrypted_value, allowed_hosts) VALUES (?, ?, ?, ?, ?)' +
            ' ON DUPLICATE KEY UPDATE encrypted_value = VALUES(encrypted_value), api_key_id = NULL,' +
            " mode = 'TEXT', settings = NULL, reconnect_since = NULL, reconnect_reason = NULL, reconnect_told_at = NULL," +
            ' allowed_hosts = IF(?, VALUES(allowed_hosts), allowed_hosts), updated_at = NOW(3)',
          [teamId, name, slug, encryptedValue, hostsText(allowedHosts ?? []), allowedHosts !== undefined],
        ),
      );
    },

    /** Returns the hosts of the team's credential with this name; undefined if there is none. */
    findHosts: (teamId: number, name: string): Promise<string[] | undefined> =>
      database.read(async (session) => {
        const [row] = await session.rows<HostsAsText<Pick<StoredCredential, 'allowedHosts'>>>(
          'SELECT allowed_hosts AS allowedHosts FROM credentials WHERE team_id = ? AND name = ?',
          [teamId, name],
        );
        return row && withHosts(row).allowedHosts;
      }),
  };
}

/** Reads test values only if a credential has one for drafts. */
async function withTests(usable: StoredCredential[], session: Session): Promise<UsableCredential[]> {
  const enabled = usable.filter(({ testEnabled }) => testEnabled === 1).map(({ id }) => id);
  if (enabled.length === 0) return usable;
  const rows = await session.rows<HostsAsText<StoredCredential>>(
    `SELECT ${USABLE_COLUMNS} FROM credentials c WHERE c.live_credential_id IN (?)`,
    [enabled],
  );
  const tests = new Map(rows.map((row) => [row.liveId, withHosts(row)]));
  return usable.map((credential) => {
    const test = tests.get(credential.id);
    return test === undefined ? credential : { ...credential, test };
  });
}

interface SavedCredential extends Pick<StoredCredential, 'name' | 'slug' | 'encryptedValue'> {
  allowedHosts?: string[] | undefined;
}

/** A row whose list of hosts is still JSON. */
export type HostsAsText<Row extends { allowedHosts: string[] }> = Omit<Row, 'allowedHosts'> & {
  allowedHosts: string | null;
};

/** Returns the row with its list of hosts. */
export function withHosts<Row extends { allowedHosts: string | null }>(row: Row) {
  return { ...row, allowedHosts: JSON.parse(row.allowedHosts ?? '[]') as string[] };
}

/** Returns a list of hosts as it is stored. */
export function hostsText(hosts: string[]): string | null {
  return hosts.length === 0 ? null : JSON.stringify(hosts);
}

/** Returns the stored value. */
export async function findSealed(id: number, session: Session): Promise<SealedCredential | undefined> {
  const [row] = await session.rows<SealedCredential>(`SELECT ${SEALED} FROM credentials WHERE id = ?`, [id]);
  return row;
}

/** Returns the stored value and locks it until the transaction ends. */
export async function lockCredential(id: number, session: Session): Promise<SealedCredential | undefined> {
  const [row] = await session.rows<SealedCredential>(
    `SELECT ${SEALED} FROM credentials WHERE id = ? FOR UPDATE`,
    [id],
  );
  return row;
}

/** Returns the ids above `afterId`, ascending, of credentials whose stored value does not begin with `head`. */
export async function findSealedOtherwise(
  head: Buffer,
  afterId: number,
  limit: number,
  session: Session,
): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    'SELECT id FROM credentials WHERE id > ? AND LEFT(encrypted_value, ?) <> ? ORDER BY id LIMIT ?',
    [afterId, head.length, head, limit],
  );
  return rows.map(({ id }) => id);
}

/** Stores the value encrypted under another key; the credential itself does not change. */
export async function reseal(id: number, encryptedValue: Buffer, session: Session): Promise<void> {
  await session.run('UPDATE credentials SET encrypted_value = ? WHERE id = ?', [encryptedValue, id]);
}

/** Returns the number of credentials. */
export async function countCredentials(session: Session): Promise<number> {
  const [row] = await session.rows<{ n: number }>('SELECT COUNT(*) AS n FROM credentials');
  return row?.n ?? 0;
}
