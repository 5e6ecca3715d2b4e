import { randomBytes } from 'node:crypto';
import type { DatabaseKind } from './server-binaries.js';

export const DATABASE_USER = 'fabula';
export const DATABASE_NAME = 'fabula';

/** `own`: everything in the database `fabula`, and nothing elsewhere. `all`: everything. */
export type DatabaseRights = 'own' | 'all';

export interface AccountOptions {
  kind: DatabaseKind;
  password: string;
  rights: DatabaseRights;
}

/**
 * Run by the server before it opens its port, at every start: so there is no moment without a password, and the account is
 * right whatever was there before (an older start gave it every right). MariaDB's root can only come through the socket, as the
 * same system user. MySQL's begins without a password: it gets one that nobody knows.
 */
export function accountStatements({ kind, password, rights }: AccountOptions): string {
  // Who comes by the port, and who comes by the socket.
  const accounts = ['127.0.0.1', 'localhost'].map((host) => `'${DATABASE_USER}'@'${host}'`);
  const granted = rights === 'all' ? '*.*' : `${DATABASE_NAME}.*`;
  return [
    ...accounts.flatMap((account) => [
      `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password}';`,
      `ALTER USER ${account} IDENTIFIED BY '${password}';`,
      `REVOKE ALL PRIVILEGES, GRANT OPTION FROM ${account};`,
      `GRANT ALL PRIVILEGES ON ${granted} TO ${account};`,
    ]),
    ...(kind === 'mysql'
      ? [`ALTER USER 'root'@'localhost' IDENTIFIED BY '${randomBytes(24).toString('hex')}';`]
      : []),
    `CREATE DATABASE IF NOT EXISTS ${DATABASE_NAME};`,
    '',
  ].join('\n');
}
