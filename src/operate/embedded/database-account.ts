import { randomBytes } from 'node:crypto';
import type { DatabaseKind } from './install/server-binaries.js';

export const DATABASE_USER = 'fabula';
export const DATABASE_NAME = 'fabula';

/** `own`: all rights in the database `fabula`, and none elsewhere. `all`: all rights everywhere, also to grant them. */
export type DatabaseRights = 'own' | 'all';

export interface AccountOptions {
  kind: DatabaseKind;
  password: string;
  rights: DatabaseRights;
}

/**
 * The server runs these statements before it opens its port, at every start. So the account always has a password, and its
 * rights are correct even if an older start granted all. MariaDB's root can connect only through the socket, as the same
 * system user. MySQL's root starts without a password: it gets a random one that is not stored.
 */
export function accountStatements({ kind, password, rights }: AccountOptions): string {
  // The host of connections through the port, and of those through the socket.
  const accounts = ['127.0.0.1', 'localhost'].map((host) => `'${DATABASE_USER}'@'${host}'`);
  const granted = rights === 'all' ? '*.*' : `${DATABASE_NAME}.*`;
  const further = rights === 'all' ? ' WITH GRANT OPTION' : '';
  return [
    ...accounts.flatMap((account) => [
      `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password}';`,
      `ALTER USER ${account} IDENTIFIED BY '${password}';`,
      `REVOKE ALL PRIVILEGES, GRANT OPTION FROM ${account};`,
      `GRANT ALL PRIVILEGES ON ${granted} TO ${account}${further};`,
    ]),
    ...(kind === 'mysql'
      ? [`ALTER USER 'root'@'localhost' IDENTIFIED BY '${randomBytes(24).toString('hex')}';`]
      : []),
    `CREATE DATABASE IF NOT EXISTS ${DATABASE_NAME};`,
    '',
  ].join('\n');
}
