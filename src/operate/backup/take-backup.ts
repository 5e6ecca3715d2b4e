import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Queue } from 'bullmq';
import type { Connection } from 'mysql2';
import type { Config } from '../../config/face.js';
import type { DatabaseTarget } from '../../platform/mysql/connections/connection-settings.js';
import { withSnapshot } from '../../platform/mysql/connections/copy-connection.js';
import {
  readDatabaseTime,
  readInserts,
  readMigrationNames,
  readShapes,
  type TableShape,
} from '../../platform/mysql/schema/table-copy.js';
import { productVersion } from '../../platform/outbound/product-version.js';
import { writeLines } from './line-files.js';
import { type BackupFile, type Manifest, type TableFile, writeManifest } from './manifest.js';
import { readSpool } from './spool-copy.js';

export interface BackupSource {
  config: Config;
  database: DatabaseTarget;
  /** The spool; undefined: it is left out. */
  spool: Queue | undefined;
}

/**
 * Writes a backup into a new folder, while everything runs; returns its manifest. The spool is read before the database: a
 * request that moves from one to the other is in one of them at least.
 * @throws Error if the folder has content, or if a store cannot be read; the folder then has no manifest.
 */
export async function takeBackup(folder: string, source: BackupSource): Promise<Manifest> {
  await makeFolder(folder);
  const { spool } = source;
  const spooled = spool === undefined ? null : await copySpool(folder, spool);
  const copied = await withSnapshot(source.database, (connection) => copyTables(folder, connection));
  const manifest: Manifest = {
    format: 1,
    version: productVersion(),
    ...copied,
    spool: spooled,
    keys: keysOf(source.config),
  };
  await writeManifest(folder, manifest);
  return manifest;
}

/** Makes the folder of a copy. @throws Error if it has content. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(path.join(folder), { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`);
  await mkdir(path.join(folder, 'tables'), { mode: 0o700 });
}

async function copySpool(folder: string, queue: Queue): Promise<BackupFile & { jobs: number }> {
  const file = 'spool.jsonl.gz';
  const summary = await writeLines(path.join(folder, file), readSpool(queue));
  return { file, ...summary, jobs: summary.lines };
}

async function copyTables(
  folder: string,
  connection: Connection,
): Promise<Pick<Manifest, 'takenAt' | 'migrations' | 'schema' | 'tables'>> {
  const takenAt = await readDatabaseTime(connection);
  const migrations = await readMigrationNames(connection);
  const shapes = await readShapes(connection);
  const file = 'schema.sql.gz';
  const schema = { file, ...(await writeLines(path.join(folder, file), createStatements(shapes))) };
  const tables: TableFile[] = [];
  for (const shape of shapes) tables.push(await copyTable(folder, connection, shape));
  return { takenAt, migrations, schema, tables };
}

async function* createStatements(shapes: TableShape[]): AsyncGenerator<string> {
  for (const { create } of shapes) yield `${create};`;
}

async function copyTable(folder: string, connection: Connection, shape: TableShape): Promise<TableFile> {
  const file = `tables/${shape.name}.sql.gz`;
  const count = { rows: 0 };
  const summary = await writeLines(path.join(folder, file), insertLines(connection, shape, count));
  return { table: shape.name, file, ...summary, rows: count.rows };
}

/** Returns the lines of a table's file, and adds to the count of rows. */
export async function* insertLines(
  connection: Connection,
  shape: TableShape,
  count: { rows: number },
): AsyncGenerator<string> {
  for await (const { sql, rows } of readInserts(connection, shape)) {
    count.rows += rows;
    yield `${sql};`;
  }
}

function keysOf({ encryptionKey, encryptionKeysPrevious }: Config): string[] {
  return [
    ...(encryptionKey === undefined ? [] : ['ENCRYPTION_KEY']),
    ...(encryptionKeysPrevious.length === 0 ? [] : ['ENCRYPTION_KEY_PREVIOUS']),
  ];
}
