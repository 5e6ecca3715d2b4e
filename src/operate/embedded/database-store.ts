import { existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import mysql from 'mysql2/promise';
import { accountStatements, DATABASE_USER, type DatabaseRights } from './database-account.js';
import { makePrivateFolder, writePrivateFile } from './private-file.js';
import { runTool } from './run-tool.js';
import { type DatabaseBinaries, libraryEnvironment } from './install/server-binaries.js';
import type { StoreFolders } from './store-folders.js';
import { createStoreProcess } from './store-process.js';

/** The default ports of system services stay unused, even if they are free at the moment. */
const AVOID_PORTS = [3306, 33060];
const INITIALISE_LIMIT_MS = 180_000;
const CHECK_LIMIT_MS = 2_000;
/** The kernel's limit for a socket's path is 107 bytes. */
const SOCKET_PATH_LIMIT = 100;

export interface DatabaseStoreOptions {
  binaries: DatabaseBinaries;
  folders: StoreFolders;
  password: string;
  bufferPoolMb: number;
  rights: DatabaseRights;
  /** Additional arguments of the server. */
  more?: string[] | undefined;
  env: NodeJS.ProcessEnv;
}

/** The path of its socket at every start; undefined if the path is too long: then each start uses a new temporary path. */
export function databaseSocket(folders: StoreFolders): string | undefined {
  const socket = path.join(folders.run, 'mysql.sock');
  return Buffer.byteLength(socket) <= SOCKET_PATH_LIMIT ? socket : undefined;
}

/** A private MariaDB or MySQL on `folders.mysql`; creates the data folder if there is none. */
export async function createDatabaseStore(options: DatabaseStoreOptions) {
  const { binaries, folders, password, rights } = options;
  const env = libraryEnvironment(options.env, binaries.libraries);
  if (!existsSync(folders.mysql)) await initialise(binaries, folders.mysql, env);
  const initFile = path.join(folders.run, 'mysql-init.sql');
  const inside = databaseSocket(folders);
  let socket = inside ?? '';
  return createStoreProcess({
    name: 'mysql',
    pidFile: path.join(folders.run, 'mysql.pid.json'),
    logFile: path.join(folders.logs, 'mysql.log'),
    avoidPorts: AVOID_PORTS,
    prepare(port) {
      writePrivateFile(initFile, accountStatements({ kind: binaries.kind, password, rights }));
      if (inside === undefined)
        socket = path.join(mkdtempSync(path.join(os.tmpdir(), 'fabula-')), 'mysql.sock');
      // A starting server deletes the files of others in a shared temporary folder.
      const temporary = path.join(folders.run, 'mysql-tmp');
      makePrivateFolder(temporary);
      const files = [
        ...exchangeArguments(binaries, folders),
        `--tmpdir=${temporary}`,
        `--socket=${socket}`,
        `--pid-file=${path.join(folders.run, 'mysql.pid')}`,
        `--init-file=${initFile}`,
      ];
      const args = [
        ...placeArguments(binaries, folders.mysql),
        ...files,
        `--port=${port}`,
        ...settings(options),
      ];
      return { command: binaries.server, args, env };
    },
    async check(port) {
      const connection = await mysql.createConnection({
        host: '127.0.0.1',
        port,
        user: DATABASE_USER,
        password,
        connectTimeout: CHECK_LIMIT_MS,
      });
      try {
        await connection.query({ sql: 'SELECT 1', timeout: CHECK_LIMIT_MS });
        await connection.end();
      } finally {
        connection.destroy();
      }
      rmSync(initFile, { force: true });
    },
    cleanUp() {
      if (inside === undefined) rmSync(path.dirname(socket), { recursive: true, force: true });
    },
  });
}

/** Creates the folder beside its place and renames it when complete, so that an interrupted try can be repeated. */
async function initialise(binaries: DatabaseBinaries, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  if (binaries.installer === undefined) {
    const args = [...placeArguments(binaries, fresh), '--initialize-insecure'];
    await runTool(binaries.server, args, { timeoutMs: INITIALISE_LIMIT_MS, env });
  } else {
    await runInstaller(binaries.installer, binaries, { folder: fresh, env });
  }
  renameSync(fresh, folder);
}

/** mariadb-install-db is a shell script that fails on spaces in paths, so it gets links without spaces. */
async function runInstaller(
  installer: string,
  binaries: DatabaseBinaries,
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  makePrivateFolder(folder);
  const links = mkdtempSync(path.join(os.tmpdir(), 'fabula-'));
  const linked = (target: string, name: string): string => {
    symlinkSync(target, path.join(links, name));
    return path.join(links, name);
  };
  const prefix = linked(binaries.prefix, 'base');
  const { messages } = binaries;
  const places = { ...binaries, prefix, messages: messages && linked(messages, 'messages') };
  const args = [
    ...placeArguments(places, linked(folder, 'data')),
    '--auth-root-authentication-method=socket',
    '--skip-test-db',
    '--skip-name-resolve',
    // Otherwise it fails on machines that cannot resolve their own name, which is not needed here.
    '--force',
  ];
  try {
    // Starting servers clear the temporary folder that they share with others.
    await runTool(installer, args, { timeoutMs: INITIALISE_LIMIT_MS, env: { ...env, TMPDIR: links } });
  } finally {
    rmSync(links, { recursive: true, force: true });
  }
}

function placeArguments({ prefix, messages, installer }: DatabaseBinaries, folder: string): string[] {
  return [
    '--no-defaults',
    `--basedir=${prefix}`,
    `--datadir=${folder}`,
    ...(messages === undefined ? [] : [`--lc-messages-dir=${messages}`]),
    // The server refuses to run as root without it; mariadb-install-db would also change the owner to it.
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    ...(installer === undefined ? ['--mysqlx=OFF', '--secure-file-priv=NULL'] : []),
  ];
}

/**
 * The only folder in which statements may read and write files: none for MySQL, a private one for MariaDB, which is
 * emptied at each start.
 */
function exchangeArguments({ installer }: DatabaseBinaries, folders: StoreFolders): string[] {
  if (installer === undefined) return ['--secure-file-priv=NULL'];
  const exchange = path.join(folders.run, 'mysql-files');
  rmSync(exchange, { recursive: true, force: true });
  makePrivateFolder(exchange);
  return [`--secure-file-priv=${exchange}`, '--symbolic-links=0'];
}

/** Safety first: every commit is on disk before the server confirms it (promise 1). */
function settings({ binaries, bufferPoolMb, more = [] }: DatabaseStoreOptions): string[] {
  const redoLog =
    binaries.kind === 'mariadb'
      ? ['--innodb-log-file-size=128M']
      : ['--innodb-redo-log-capacity=256M', '--disable-log-bin'];
  return [
    '--bind-address=127.0.0.1',
    `--innodb-buffer-pool-size=${bufferPoolMb}M`,
    '--innodb-flush-log-at-trx-commit=1',
    '--transaction-isolation=READ-COMMITTED',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_520_ci',
    '--default-time-zone=+00:00',
    '--max-allowed-packet=64M',
    '--max-connections=300',
    '--skip-name-resolve',
    '--local-infile=0',
    '--performance-schema=OFF',
    ...redoLog,
    ...more,
  ];
}
