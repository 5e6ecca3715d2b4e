import path from 'node:path';
import { escapeId } from 'mysql2';
import type { Database } from '../../../../platform/mysql/database.js';
import { isDuplicateKey } from '../../../../platform/mysql/db-errors.js';
import { retryLockConflicts } from '../../../../platform/mysql/commit/retry-conflicts.js';
import { insertHead, type TableShape, tupleOf } from '../../../../platform/mysql/schema/table-copy.js';
import { messageOf } from '../../../../platform/errors.js';
import { readLines } from '../../line-files.js';
import { isKnownHash } from '../../../../people/face.js';
import { isMailServerOfTenant } from '../../../../data/face.js';
import { type IdMaps, mapOf } from '../id-map.js';
import { movedRow, type Move, type CopiedRow } from '../moved-row.js';
import { cellsOf, rowOf } from '../row-line.js';
import type { TenantFile } from '../tenant-manifest.js';
import type { TenantTable } from './tenant-table.js';

type Writer = Pick<Database, 'transaction'>;

const STATEMENT_CHARACTERS = 512 * 1024;
const DELETED_AT_ONCE = 1_000;

/**
 * Inserts the rows of a table with their new ids, but for those that are not admitted. Returns how many there were.
 * @throws Error if one is there already, or fewer were stored.
 */
export async function loadRows(
  file: string,
  { table, shape, move }: { table: TenantTable; shape: TableShape; move: Move },
  database: Writer,
): Promise<{ stored: number; refused: number }> {
  let [stored, refused, characters] = [0, 0, 0];
  let tuples: string[] = [];
  const flush = async () => {
    if (tuples.length > 0) stored += await insert(insertHead(shape) + tuples.join(','), database);
    [tuples, characters] = [[], 0];
  };
  for await (const line of readLines(file)) {
    const { row, also } = rowOf(line, shape);
    const moved = movedRow(table, row, move, also);
    if (!isAdmitted(table.name, moved, move)) {
      refused += 1;
      continue;
    }
    const tuple = tupleOf(cellsOf(moved, shape), shape);
    if (characters + tuple.length > STATEMENT_CHARACTERS) await flush();
    tuples.push(tuple);
    characters += tuple.length;
  }
  await flush();
  return { stored, refused };
}

async function insert(sql: string, database: Writer): Promise<number> {
  try {
    const { affectedRows } = await retryLockConflicts(() =>
      database.transaction((session) => session.run(sql)),
    );
    return affectedRows;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new Error(`this installation already has a part of the tenant: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Deletes what an import has stored, by the ids that were reserved for it. */
export async function unloadRows(
  tables: readonly TenantTable[],
  maps: IdMaps,
  database: Writer,
): Promise<void> {
  for (const table of tables.toReversed()) {
    const column = table.owner ?? 'id';
    const kind = table.ids[column];
    if (typeof kind !== 'string') throw new Error(`The owner of ${table.name} has no ids of a table`);
    const { first, last } = mapOf(maps, kind);
    const where = `${escapeId(column)} BETWEEN ? AND ?`;
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; ) {
      ({ affectedRows: deleted } = await retryLockConflicts(() =>
        database.transaction((session) =>
          session.run(`DELETE FROM ${escapeId(table.name)} WHERE ${where} LIMIT ?`, [
            first,
            last,
            DELETED_AT_ONCE,
          ]),
        ),
      ));
    }
  }
}

/** Returns the file of a table's rows. @throws Error if the copy has none. */
export function fileOf(
  folder: string,
  files: readonly TenantFile[],
  table: string,
): TenantFile & { place: string } {
  const found = files.find((each) => each.table === table);
  if (found === undefined) throw new Error(`The copy has no rows of ${table}`);
  return { ...found, place: path.join(folder, found.file) };
}

/**
 * Whether a moved row may be stored: whoever hands over a copy gets no rights beyond the tenant (decision 0079). What is not,
 * is noted in `leftOut` of the move.
 */
function isAdmitted(table: string, row: CopiedRow, { keepQuotas, leftOut, secrets }: Move): boolean {
  if (table === 'tenant_quotas') return keepQuotas;
  if (table === 'user_passwords' && !isKnownHash(String(row['hash']))) {
    leftOut.passwords.push(Number(row['user_id']));
    return false;
  }
  if (table !== 'tenant_mail_settings') return true;
  const isTenants = isMailServerOfTenant(secrets.openMailServer(row));
  leftOut.mailServer ||= !isTenants;
  return isTenants;
}
