import path from 'node:path';
import type { Database } from '../../../platform/mysql/database.js';
import type { TableShape } from '../../../platform/mysql/schema/table-copy.js';
import { readLines } from '../line-files.js';
import { createIdMap, type IdMap, type IdMaps } from './id-map.js';
import { reserveIds } from './tables/reserved-ids-store.js';
import type { TenantManifest } from './tenant-manifest.js';
import { TENANT_TABLES } from './tables/tenant-tables.js';

/** Returns new ids for all rows of a copy. They are reserved: nobody else gets them. Each needs eight bytes of memory. */
export async function readIdMaps(
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
export function shapeOfCopy(
  shape: TableShape | undefined,
  table: string,
  columns: readonly string[],
): TableShape {
  const known = new Map(shape?.columns.map((column) => [column.name, column]));
  const ordered = columns.flatMap((name) => known.get(name) ?? []);
  if (shape === undefined || ordered.length !== columns.length || known.size !== columns.length) {
    throw new Error(`The table ${table} has different columns than in the export`);
  }
  return { ...shape, columns: ordered };
}
