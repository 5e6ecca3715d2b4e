import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { makePrivateFolder, readJsonFile, writePrivateJson } from './private-file.js';
import type { DatabaseKind } from './install/server-binaries.js';

/** The folders of the embedded stores, below one data folder. */
export interface StoreFolders {
  data: string;
  mysql: string;
  redis: string;
  /** Files that are used only while it runs: locks, pid files, sockets. */
  run: string;
  logs: string;
}

/** Values that must stay the same across starts. */
export interface StoreSecrets {
  mysql_password: string;
  redis_password: string;
  /** The kind of server that wrote the data folder: the other kind cannot read it. */
  database_kind?: DatabaseKind;
}

/** Returns the folders below `dataDir` (made absolute); creates `run` and `logs`, for this user only. */
export function prepareFolders(dataDir: string): StoreFolders {
  const data = path.resolve(dataDir);
  const [mysql = '', redis = '', run = '', logs = ''] = ['mysql', 'redis', 'run', 'logs'].map((name) =>
    path.join(data, name),
  );
  for (const folder of [data, run, logs]) makePrivateFolder(folder);
  return { data, mysql, redis, run, logs };
}

/** Returns the passwords in `$DATA_DIR/store-passwords.json` (mode 0600); the first call creates them. */
export function readSecrets(folders: StoreFolders): StoreSecrets {
  const file = secretsFile(folders);
  const stored = readJsonFile(file);
  if (isSecrets(stored)) return stored;
  if (stored !== undefined) throw new Error(`${file} does not contain the passwords of the embedded stores`);
  const secrets = { mysql_password: newPassword(), redis_password: newPassword() };
  writeSecrets(folders, secrets);
  return secrets;
}

/** Replaces the stored secrets. */
export function writeSecrets(folders: StoreFolders, secrets: StoreSecrets): void {
  writePrivateJson(secretsFile(folders), secrets);
}

const secretsFile = (folders: StoreFolders): string => path.join(folders.data, 'store-passwords.json');

/** Hexadecimal, so that it needs no quoting in SQL, URLs and configuration files. */
const newPassword = (): string => randomBytes(24).toString('hex');

function isSecrets(value: unknown): value is StoreSecrets {
  if (typeof value !== 'object' || value === null) return false;
  const { mysql_password: mysql, redis_password: redis } = value as Partial<StoreSecrets>;
  return [mysql, redis].every((password) => /^[0-9a-f]{16,}$/.test(password ?? ''));
}
