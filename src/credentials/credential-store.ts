import type { Knex } from 'knex';
import type { Database } from '../platform/mysql/database.js';
import { assignments, idsOrNone, type Page, readPage, type Window } from '../platform/mysql/page-query.js';
import type { Session } from '../platform/mysql/session.js';

/** A stored credential. */
export interface StoredCredential {
  name: string;
  /** The name that templates may use besides `name`. */
  slug: string;
  encryptedValue: Buffer;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts: string[];
}

/** A credential without its value. */
export interface CredentialRecord {
  id: number;
  teamId: number;
  name: string;
  slug: string;
  description: string | null;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts: string[];
  /** The API key of this server that it contains; null if its value was given. */
  apiKeyId: number | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A credential to be stored. */
export interface NewCredential extends StoredCredential {
  teamId: number;
  description: string | null;
  apiKeyId: number | null;
}

/** An encrypted value and the identity that it is bound to. */
export interface SealedCredential {
  id: number;
  teamId: number;
  name: string;
  encryptedValue: Buffer;
}

const RECORD =
  'id, team_id AS teamId, name, slug, description, allowed_hosts AS allowedHosts, api_key_id AS apiKeyId,' +
  ' created_at AS createdAt, updated_at AS updatedAt';
const SEALED = 'id, team_id AS teamId, name, encrypted_value AS encryptedValue';

export type CredentialStore = ReturnType<typeof createCredentialStore>;

export function createCredentialStore(database: Pick<Database, 'read'>) {
  return {
    /** Returns the team's credentials, oldest first. */
    list: (teamId: number): Promise<StoredCredential[]> =>
      database.read(async (session) => {
        const rows = await session.rows<HostsAsText<StoredCredential>>(
          'SELECT name, slug, encrypted_value AS encryptedValue, allowed_hosts AS allowedHosts' +
            ' FROM credentials WHERE team_id = ? ORDER BY id',
          [teamId],
        );
        return rows.map(withHosts);
      }),

    /** Inserts the credential, or replaces the one with this name; without `allowedHosts` it keeps its hosts. */
    save: async (teamId: number, credential: SavedCredential): Promise<void> => {
      const { name, slug, encryptedValue, allowedHosts } = credential;
      await database.read((session) =>
        session.run(
          'INSERT INTO credentials (team_id, name, slug, encrypted_value, allowed_hosts) VALUES (?, ?, ?, ?, ?)' +
            ' ON DUPLICATE KEY UPDATE encrypted_value = VALUES(encrypted_value), api_key_id = NULL,' +
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

type SavedCredential = Omit<StoredCredential, 'allowedHosts'> & { allowedHosts?: string[] | undefined };

type HostsAsText<Row extends { allowedHosts: string[] }> = Omit<Row, 'allowedHosts'> & {
  allowedHosts: string | null;
};

function withHosts<Row extends { allowedHosts: string | null }>(row: Row) {
  return { ...row, allowedHosts: JSON.parse(row.allowedHosts ?? '[]') as string[] };
}

function hostsText(hosts: string[]): string | null {
  return hosts.length === 0 ? null : JSON.stringify(hosts);
}

/** Returns a page of the credentials of these teams, by id. */
export async function listCredentials(
  teamIds: number[],
  window: Window,
  session: Session,
): Promise<Page<CredentialRecord>> {
  const query = {
    columns: RECORD,
    from: 'credentials',
    where: 'team_id IN (?)',
    values: [idsOrNone(teamIds)],
    order: 'id',
  };
  const page = await readPage<HostsAsText<CredentialRecord>>(session, query, window);
  return { ...page, items: page.items.map(withHosts) };
}

export async function findCredential(id: number, session: Session): Promise<CredentialRecord | undefined> {
  const [row] = await session.rows<HostsAsText<CredentialRecord>>(
    `SELECT ${RECORD} FROM credentials WHERE id = ?`,
    [id],
  );
  return row && withHosts(row);
}

/**
 * Inserts with knex, so that creating the API key can be part of the transaction. A name in use gives a duplicate-key
 * error. Returns undefined if the team is deleted; otherwise the team is locked until the transaction ends.
 */
export async function insertCredential(credential: NewCredential, trx: Knex): Promise<number | undefined> {
  const team: unknown = await trx('teams').where({ id: credential.teamId }).forShare().first('id');
  if (team === undefined) return undefined;
  const [id] = await trx('credentials').insert({
    team_id: credential.teamId,
    name: credential.name,
    slug: credential.slug,
    description: credential.description,
    encrypted_value: credential.encryptedValue,
    allowed_hosts: hostsText(credential.allowedHosts),
    api_key_id: credential.apiKeyId,
  });
  if (id === undefined) throw new Error('The insert of a credential gave no id');
  return id;
}

/** Returns the stored value and locks it until the transaction ends. */
export async function lockCredential(id: number, session: Session): Promise<SealedCredential | undefined> {
  const [row] = await session.rows<SealedCredential>(
    `SELECT ${SEALED} FROM credentials WHERE id = ? FOR UPDATE`,
    [id],
  );
  return row;
}

/** Sets the given columns. A name that the team already uses gives a duplicate-key error. */
export async function updateCredential(
  id: number,
  change: Partial<Pick<NewCredential, 'name' | 'slug' | 'description' | 'encryptedValue' | 'allowedHosts'>>,
  session: Session,
): Promise<void> {
  const set = assignments({
    name: change.name,
    slug: change.slug,
    description: change.description,
    encrypted_value: change.encryptedValue,
    allowed_hosts: change.allowedHosts && hostsText(change.allowedHosts),
  });
  if (set === undefined) return;
  await session.run(`UPDATE credentials SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [
    ...set.values,
    id,
  ]);
}

/** Returns whether it existed. */
export async function deleteCredential(id: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run('DELETE FROM credentials WHERE id = ?', [id]);
  return affectedRows > 0;
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
