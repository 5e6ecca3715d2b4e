import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { StoreProcess } from '../../../src/operate/embedded/store-process.js';

const CHECK_LIMIT_MS = 2_000;
const STATEMENT_LIMIT_MS = 60_000;
/** The user of the servers, if the tests are run as root: tools of a state transfer refuse to work as root. */
export const NOBODY = 65_534;

/** The account that the system under test uses: all rights in its database, and none elsewhere. */
const ACCOUNT = { user: 'fabula', password: 'fabula', database: 'fabula' } as const;

/** Returns an address that lists the servers in this order. */
export function addressOf(nodes: readonly { port: number }[]): string {
  const { user, password, database } = ACCOUNT;
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `mysql://${user}:${password}@${hosts}/${database}`;
}

/** Makes the database and the account of `ACCOUNT`, through a server that takes writes. */
export async function makeAccount(node: { ask(sql: string): Promise<unknown> }): Promise<void> {
  const { user, password, database } = ACCOUNT;
  await node.ask(`CREATE DATABASE ${database}`);
  await node.ask(`CREATE USER '${user}'@'127.0.0.1' IDENTIFIED BY '${password}'`);
  await node.ask(`GRANT ALL PRIVILEGES ON ${database}.* TO '${user}'@'127.0.0.1'`);
}

/** One server of a cluster, and what a test can do to it. */
export function createClusterNode(name: string, store: StoreProcess) {
  const pid = () => {
    if (store.pid === undefined) throw new Error(`${name} does not run`);
    return store.pid;
  };
  return {
    name,
    /** Ends it cleanly; the others know. */
    stop: () => store.stop(),
    /** Ends it at once, without its knowing. */
    async kill(): Promise<void> {
      const exited = new Promise((resolve) => store.onExit(resolve));
      process.kill(pid(), 'SIGKILL');
      await exited;
    },
    /** To the others, and to its clients, the network is gone; `thaw` ends it. */
    freeze: () => process.kill(pid(), 'SIGSTOP'),
    thaw: () => process.kill(pid(), 'SIGCONT'),
    /** Runs one statement as an administrator of this node. */
    ask: (sql: string) => ask(store.port, sql),
  };
}

/** Opens a connection as an administrator; it is the caller's to destroy. */
export function connect(port: number): Promise<mysql.Connection> {
  return mysql.createConnection({ host: '127.0.0.1', port, user: 'root', connectTimeout: CHECK_LIMIT_MS });
}

/** Runs one statement as an administrator of the server on this port; returns its rows. */
export async function ask(port: number, sql: string): Promise<Record<string, unknown>[]> {
  const connection = await connect(port);
  try {
    const timeout = /^(?:SHOW|SELECT) /.test(sql) ? CHECK_LIMIT_MS : STATEMENT_LIMIT_MS;
    const [rows] = await connection.query<RowDataPacket[]>({ sql, timeout });
    return Array.isArray(rows) ? rows : [];
  } finally {
    connection.destroy();
  }
}

/** Returns the command as another user than root, if the tests are run as root. */
export function unprivileged(command: string, args: string[]): { command: string; args: string[] } {
  if (process.getuid?.() !== 0) return { command, args };
  const who = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  return { command: 'setpriv', args: [...who, command, ...args] };
}
