import path from 'node:path';
import type { Connection } from 'mysql2';
import type { DatabaseTarget } from '../../platform/mysql/connections/connection-settings.js';
import { queryRows, withLoader, withSnapshot } from '../../platform/mysql/connections/copy-connection.js';
import { dropTables, readShapes, readTableNames } from '../../platform/mysql/schema/table-copy.js';
import { readLines, summarize } from './line-files.js';
import type { Manifest } from './manifest.js';
import { insertLines } from './take-backup.js';

/** Statements between two commits. */
const COMMIT_EVERY = 50;

export interface RestoreOptions {
  /** The largest statement that the server takes, in bytes. */
  maxAllowedPacket: number;
  /** True: the tables of a database that is not empty are deleted first. */
  force: boolean;
}

/**
 * Loads the tables of a checked backup into a database.
 * @throws Error if the database has tables and `force` is false, or if a statement is larger than the server takes.
 */
export async function loadBackup(
  folder: string,
  manifest: Manifest,
  target: DatabaseTarget,
  { maxAllowedPacket, force }: RestoreOptions,
): Promise<void> {
  const longest = Math.max(0, ...manifest.tables.map((each) => each.longest));
  if (longest >= maxAllowedPacket) {
    throw new Error(`max_allowed_packet is ${maxAllowedPacket}; the backup has a row of ${longest} bytes`);
  }
  await withLoader(target, async (connection) => {
    const names = await readTableNames(connection);
    if (names.length > 0 && !force) {
      throw new Error(`the database is not empty: it has ${names.length} tables (--force deletes them)`);
    }
    await dropTables(connection);
    await runAll(connection, path.join(folder, manifest.schema.file));
    for (const { file } of manifest.tables) await runAll(connection, path.join(folder, file));
  });
}

async function runAll(connection: Connection, file: string): Promise<void> {
  let statements = 0;
  for await (const statement of readLines(file)) {
    await queryRows(connection, statement);
    statements += 1;
    if (statements % COMMIT_EVERY === 0) await queryRows(connection, 'COMMIT');
  }
  await queryRows(connection, 'COMMIT');
}

/** Reads the restored tables again; returns a line for each that differs from the backup in its rows or their number. */
export function compareWithBackup(manifest: Manifest, target: DatabaseTarget): Promise<string[]> {
  return withSnapshot(target, async (connection) => {
    const shapes = new Map((await readShapes(connection)).map((shape) => [shape.name, shape]));
    const faults: string[] = [];
    for (const { table, rows, sha256 } of manifest.tables) {
      const shape = shapes.get(table);
      if (shape === undefined) {
        faults.push(`${table} is missing`);
        continue;
      }
      const count = { rows: 0 };
      const found = await summarize(insertLines(connection, shape, count));
      if (count.rows !== rows) faults.push(`${table} has ${count.rows} rows instead of ${rows}`);
      else if (found.sha256 !== sha256) faults.push(`${table} has different values`);
    }
    return faults;
  });
}
