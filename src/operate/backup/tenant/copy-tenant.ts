import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Connection } from 'mysql2';
import type { DatabaseTarget } from '../../../platform/mysql/connections/connection-settings.js';
import { withSnapshot } from '../../../platform/mysql/connections/copy-connection.js';
import {
  readDatabaseTime,
  readMigrationNames,
  readRows,
  readShapes,
  type TableShape,
} from '../../../platform/mysql/schema/table-copy.js';
import { productVersion } from '../../../platform/outbound/product-version.js';
import { writeLines } from '../line-files.js';
import { readCounted } from './tables/counted-store.js';
import { signatureOf } from './manifest-signature.js';
import { cellsOf, lineOf, rowOf } from './row-line.js';
import { createSecretMove, keysOfPassphrase, type SecretKeys, type SecretMove } from './secret-move.js';
import type { TenantFile, TenantManifest } from './tenant-manifest.js';
import type { TenantTable } from './tables/tenant-table.js';
import { TENANT_TABLES } from './tables/tenant-tables.js';

/** A tenant to copy. */
export interface TenantSource {
  database: DatabaseTarget;
  tenant: { id: number; name: string };
  /** The keys of this installation. */
  keys: SecretKeys;
  /** Encrypts the secrets in the copy; undefined: they stay encrypted with the key of this installation. */
  passphrase: string | undefined;
}

const SALT_BYTES = 16;

/**
 * Copies all rows of one moment of a tenant into a folder that `makeFolder` has made; returns the manifest, which is not
 * written yet.
 * @throws Error if a secret cannot be decrypted.
 */
export async function copyTenant(folder: string, source: TenantSource): Promise<TenantManifest> {
  const salt = source.passphrase === undefined ? null : randomBytes(SALT_BYTES).toString('hex');
  const copied = await withSnapshot(source.database, async (connection) => ({
    takenAt: await readDatabaseTime(connection),
    migrations: await readMigrationNames(connection),
    counted: await readCounted(connection),
    tables: await copyTables(folder, connection, source, salt),
  }));
  const { id, name } = source.tenant;
  const head = { format: 1, kind: 'tenant', version: productVersion() } as const;
  const manifest = { ...head, tenant: { id, name }, salt, ...copied };
  const { passphrase } = source;
  const signature =
    salt === null || passphrase === undefined ? null : signatureOf(manifest, passphrase, salt);
  return { ...manifest, signature };
}

async function copyTables(
  folder: string,
  connection: Connection,
  { tenant, keys, passphrase }: TenantSource,
  salt: string | null,
): Promise<TenantFile[]> {
  const shapes = new Map((await readShapes(connection)).map((shape) => [shape.name, shape]));
  const move =
    salt === null || passphrase === undefined
      ? undefined
      : createSecretMove(keys, keysOfPassphrase(passphrase, salt));
  const files: TenantFile[] = [];
  for (const table of TENANT_TABLES) {
    const shape = shapes.get(table.name);
    if (shape === undefined) throw new Error(`The table ${table.name} is missing; run "migrate" first`);
    const lines = linesOf(connection, { table, shape, tenantId: tenant.id, move });
    const file = `tables/${table.name}.jsonl.gz`;
    const summary = await writeLines(path.join(folder, file), lines);
    const columns = shape.columns.map(({ name }) => name);
    files.push({ table: table.name, file, ...summary, rows: summary.lines, columns });
  }
  return files;
}

interface Copying {
  table: TenantTable;
  shape: TableShape;
  tenantId: number;
  move: SecretMove | undefined;
}

async function* linesOf(
  connection: Connection,
  { table, shape, tenantId, move }: Copying,
): AsyncGenerator<string> {
  const where = table.where.replaceAll(':tenant', String(tenantId));
  const also = table.also === undefined ? [] : [table.also];
  for await (const cells of readRows(connection, shape, { where, also })) {
    const line = lineOf(cells, shape);
    yield move === undefined ? line : resealed(line, { table, shape, move });
  }
}

/** Returns the line with its secrets under the key of the passphrase. Teams keep their ids. */
function resealed(
  line: string,
  { table, shape, move }: Pick<Copying, 'table' | 'shape'> & { move: SecretMove },
): string {
  const { row, also } = rowOf(line, shape);
  const changed = { ...row };
  if (table.name === 'credentials') changed['encrypted_value'] = move.credential(row, row);
  if (table.name === 'tenant_mail_settings') changed['encrypted_smtp_url'] = move.mailServer(row, row);
  for (const column of table.texts ?? []) changed[column] = move.text(row[column] ?? null, (id) => id);
  const cells = cellsOf(changed, shape);
  return lineOf(
    table.also === undefined ? cells : [...cells, also === null ? null : Buffer.from(also)],
    shape,
  );
}
