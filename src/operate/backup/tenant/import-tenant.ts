import { isDeepStrictEqual } from 'node:util';
import path from 'node:path';
import { FORMER } from '../../../../migrations/former.js';
import { isKnownMigration } from '../../../../migrations/index.js';
import { releaseTenant } from '../../../people/face.js';
import { wakeRestingOf } from '../../../stories/face.js';
import type { DatabaseTarget } from '../../../platform/mysql/connections/connection-settings.js';
import { withSnapshot } from '../../../platform/mysql/connections/copy-connection.js';
import type { Database } from '../../../platform/mysql/database.js';
import {
  readDatabaseTime,
  readMigrationNames,
  readShapes,
  type TableShape,
} from '../../../platform/mysql/schema/table-copy.js';
import { forgetImported, type ImportedRows, noteImported } from '../../../observe/face.js';
import { requireUndamaged } from '../check-backup.js';
import { createIdMap, type IdMap, type IdMaps, mapOf } from './id-map.js';
import { type LeftOut, nothingLeftOut } from './moved-row.js';
import { requireSigned } from './manifest-signature.js';
import { fileOf, loadRows, unloadRows } from './tables/tenant-rows-store.js';
import { readLines } from '../line-files.js';
import { reserveIds } from './tables/reserved-ids-store.js';
import { createSecretMove, keysOfPassphrase, type SecretKeys } from './secret-move.js';
import { type CountedUpTo, readTenantManifest, type TenantManifest } from './tenant-manifest.js';
import { TENANT_TABLES } from './tables/tenant-tables.js';
import { newPathsOf } from './webhook-paths.js';

/** The installation into which a tenant is imported. */
export interface TenantTarget {
  database: Database;
  target: DatabaseTarget;
  keys: SecretKeys;
  passphrase: string | undefined;
  /** The tenant's new name; undefined: it keeps its own. */
  name: string | undefined;
  /** Whether it keeps the quotas of the copy, and `dedicated`; else it has those of this installation. */
  keepQuotas: boolean;
  /** Whether webhooks whose paths are in use here get other paths. */
  newWebhookAddresses: boolean;
}

/** A tenant that was imported. */
export interface ImportedTenant {
  id: number;
  rows: number;
  manifest: TenantManifest;
  leftOut: LeftOut;
  /** Paths of webhooks that were in use, with those that they got instead. */
  newPaths: ReadonlyMap<string, string>;
}

/**
 * Loads the copy of a tenant with new ids, and then lets its work go on.
 * @throws Error that says why it failed; everything that was stored is deleted again.
 */
export async function importTenant(folder: string, into: TenantTarget): Promise<ImportedTenant> {
  const { database, passphrase } = into;
  const manifest = await readTenantManifest(folder);
  requirePassphrase(manifest, passphrase);
  if (passphrase !== undefined) requireSigned(manifest, passphrase);
  await requireUndamaged(folder, manifest.tables);
  const found = await withSnapshot(into.target, async (connection) => ({
    now: await readDatabaseTime(connection),
    migrations: await readMigrationNames(connection),
    shapes: new Map((await readShapes(connection)).map((shape) => [shape.name, shape])),
  }));
  requireSameSchema(manifest.migrations, found.migrations);
  const actions = fileOf(folder, manifest.tables, 'agents');
  const newPaths = await newPathsOf(actions, database, into.newWebhookAddresses);
  const maps = await readIdMaps(folder, manifest, database);
  const from =
    manifest.salt === null || passphrase === undefined
      ? into.keys
      : keysOfPassphrase(passphrase, manifest.salt);
  const now = found.now.replace('T', ' ').replace('Z', '');
  const secrets = createSecretMove(from, into.keys);
  const leftOut = nothingLeftOut();
  const move = { maps, secrets, now, name: into.name, keepQuotas: into.keepQuotas, newPaths, leftOut };
  const id = mapOf(maps, 'tenants').first;
  const counted = countedElsewhere(maps, manifest.counted);
  let rows = 0;
  try {
    for (const imported of counted) {
      await database.transaction((session) => noteImported(imported, session));
    }
    for (const table of TENANT_TABLES) {
      const file = fileOf(folder, manifest.tables, table.name);
      const shape = shapeOfCopy(found.shapes.get(table.name), table.name, file.columns);
      const { stored, refused } = await loadRows(file.place, { table, shape, move }, database);
      if (stored + refused !== file.rows)
        throw new Error(`${table.name} has ${stored} rows instead of ${file.rows}`);
      rows += stored;
    }
    await database.transaction((session) => releaseTenant(id, session));
  } catch (error) {
    await unloadRows(TENANT_TABLES, maps, database);
    for (const imported of counted)
      await database.transaction((session) => forgetImported(imported, session));
    throw error;
  }
  await wakeStories(maps, database);
  return { id, rows, manifest, leftOut, newPaths };
}

function requirePassphrase({ salt }: TenantManifest, passphrase: string | undefined): void {
  if (salt !== null && passphrase === undefined) {
    throw new Error('the secrets of this export are encrypted: use --passphrase-file');
  }
  if (salt === null && passphrase !== undefined) {
    throw new Error('the secrets of this export are not encrypted with a passphrase: omit --passphrase-file');
  }
}

/** The baseline stands for the former migrations: installations that began before it have both. */
function requireSameSchema(copied: readonly string[], present: readonly string[]): void {
  const [there, here] = [copied, present].map((ids) => ids.filter((id) => !FORMER.includes(id)).toSorted());
  if (copied.every(isKnownMigration) && isDeepStrictEqual(there, here)) return;
  throw new Error(
    'the export was created by another version: both installations must run the same, migrated version',
  );
}

/** Returns the rows that the statistics of the source have counted; the others are counted here. */
function countedElsewhere(maps: IdMaps, counted: CountedUpTo): ImportedRows[] {
  const [events, runs, letters] = ['events', 'story_runs', 'deliveries'].map((table) => mapOf(maps, table));
  if (events === undefined || runs === undefined || letters === undefined) return [];
  const ranges: ImportedRows[] = [
    { table: 'events', firstId: events.first, lastId: events.upTo(counted.events), countedUntil: null },
    { table: 'story_runs', firstId: runs.first, lastId: runs.upTo(counted.runs), countedUntil: null },
    {
      table: 'deliveries',
      firstId: letters.first,
      lastId: letters.last,
      countedUntil: counted.deadLetters,
    },
  ];
  return ranges.filter(({ firstId, lastId }) => lastId >= firstId);
}

/** Workers that were early let deliveries rest. */
async function wakeStories(maps: IdMaps, database: Database): Promise<void> {
  const { first, last } = mapOf(maps, 'stories');
  await wakeRestingOf(
    database,
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}

/** Returns new ids for all rows of a copy. They are reserved: nobody else gets them. Each needs eight bytes of memory. */
async function readIdMaps(
  folder: string,
  { tables }: TenantManifest,
  database: Pick<Database, 'read'>,
): Promise<IdMaps> {
  const numbered = new Set(TENANT_TABLES.filter(({ ids }) => 'id' in ids).map(({ name }) => name));
  const files = tables.filter(({ table }) => numbered.has(table));
  const counts = new Map(files.map(({ table, rows }) => [table, rows + 1]));
  const first = await reserveIds(database, counts);
  const maps = new Map<string, IdMap>();
  for (const { table, file, rows, columns } of files) {
    const oldIds = await readIds(path.join(folder, file), { rows, at: columns.indexOf('id') });
    maps.set(table, createIdMap(oldIds, first.get(table) ?? 0));
  }
  return maps;
}

async function readIds(file: string, { rows, at }: { rows: number; at: number }): Promise<Float64Array> {
  const ids = new Float64Array(rows);
  let index = 0;
  for await (const line of readLines(file)) {
    ids[index] = Number((JSON.parse(line) as (string | null)[])[at]);
    index += 1;
  }
  return ids;
}

/** Returns a table's columns in the order of a copy. @throws Error if they are not the same. */
function shapeOfCopy(shape: TableShape | undefined, table: string, columns: readonly string[]): TableShape {
  const known = new Map(shape?.columns.map((column) => [column.name, column]));
  const ordered = columns.flatMap((name) => known.get(name) ?? []);
  if (shape === undefined || ordered.length !== columns.length || known.size !== columns.length) {
    throw new Error(`The table ${table} has different columns than in the export`);
  }
  return { ...shape, columns: ordered };
}
