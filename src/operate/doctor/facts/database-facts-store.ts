import type { Session } from '../../../platform/mysql/session.js';

interface NameAndValue {
  Variable_name: string;
  Value: string;
}

/** Returns the server's variables by name in lower case, as this session has them. */
export async function readServerVariables(session: Session): Promise<Map<string, string>> {
  return byName(await session.rows<NameAndValue>('SHOW SESSION VARIABLES'));
}

/** Returns the server's figures about connections, by name in lower case. */
export async function readConnectionFigures(session: Session): Promise<Map<string, string>> {
  return byName(
    await session.rows<NameAndValue>("SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected')"),
  );
}

function byName(rows: NameAndValue[]): Map<string, string> {
  return new Map(rows.map(({ Variable_name, Value }) => [Variable_name.toLowerCase(), Value]));
}

/** Returns the version of the server, with the name that MariaDB has in it. */
export async function readVersion(session: Session): Promise<string> {
  const [row] = await session.rows<{ version: string }>('SELECT VERSION() AS version');
  return row?.version ?? '';
}

/** Returns the time of the server, in ms since 1970. */
export async function readServerTime(session: Session): Promise<number> {
  const [row] = await session.rows<{ seconds: string }>('SELECT UNIX_TIMESTAMP(NOW(3)) AS seconds');
  return Number(row?.seconds) * 1000;
}

/** The character sets of a database that are not the ones of its tables. */
export interface CharacterSets {
  database: string;
  /** Tables with another character set than utf8mb4, at most ten. */
  tables: string[];
}

/** Returns the character set of the database, and the tables whose texts cannot hold every character. */
export async function readCharacterSets(session: Session): Promise<CharacterSets> {
  const [schema] = await session.rows<{ name: string }>(
    'SELECT default_character_set_name AS name FROM information_schema.schemata WHERE schema_name = DATABASE()',
  );
  const tables = await session.rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = DATABASE() AND table_collation NOT LIKE 'utf8mb4%' ORDER BY table_name LIMIT 10`,
  );
  return { database: schema?.name ?? 'unknown', tables: tables.map(({ name }) => name) };
}

/** Returns the grants of this account, those of its active roles included, and the name of the database. */
export async function readGrants(session: Session): Promise<{ grants: string[]; database: string }> {
  const [row] = await session.rows<{ name: string; role: string | null }>(
    'SELECT DATABASE() AS name, CURRENT_ROLE() AS role',
  );
  const grants = await session.rows<Record<string, string>>(
    `SHOW GRANTS FOR CURRENT_USER()${using(row?.role)}`,
  );
  return { grants: grants.flatMap((grant) => Object.values(grant)), database: row?.name ?? '' };
}

/** MySQL quotes the names of active roles: `` `role`@`%` ``. MariaDB lists the rights of a role without being asked. */
function using(role: string | null | undefined): string {
  const quoted = /^(?:`[^`]+`@`[^`]+`,?)+$/;
  return role !== null && role !== undefined && quoted.test(role) ? ` USING ${role}` : '';
}
