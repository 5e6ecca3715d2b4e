import { type BenchStores, FLOOR_SCHEMA } from './bench-stores.js';
import type { AlertType, AlertValues } from './alert-records.js';

/** How many records each of the narrow lists matches, whatever there is besides. */
export const MATCHES = 100;
export const NEEDLE = 'needle';
/** When the first record was made; each later one came a second after the one before. */
export const FIRST_AT = new Date('2026-01-01T00:00:00.000Z');

/** Records that one statement writes. */
const CHUNK = 20_000;
const NUMBERS = `${FLOOR_SCHEMA}.numbers`;
/** Without a common divisor with any power of ten: scores are all the numbers below `size`, in no order. */
const STRIDE = 7_919;

/** The values of record `n` of `size` (a power of ten), as `valuesSql` has them. */
export function valuesAt(n: number, size: number): AlertValues {
  const place = n % (size / MATCHES);
  return {
    Host: place === 0 ? NEEDLE : `host-${String(n).padStart(7, '0')}.example.test`,
    Score: (n * STRIDE) % size,
    Severity: n % 2 === 1 ? 'high' : 'low',
    Note: place === 1 ? null : `Looked at by shift ${n % 1000}, nothing to be done`,
  };
}

const valuesSql = (size: number) => `
  SELECT n,
    IF(n % ${size / MATCHES} = 0, '${NEEDLE}', CONCAT('host-', LPAD(n, 7, '0'), '.example.test')) AS host,
    n * ${STRIDE} % ${size} AS score,
    IF(n % 2 = 1, 'high', 'low') AS severity,
    IF(n % ${size / MATCHES} = 1, NULL, CONCAT('Looked at by shift ', n % 1000, ', nothing to be done')) AS note
  FROM ${NUMBERS} WHERE n >= ? AND n < ?`;

/** The key of a whole number, not negative: IEEE 754 with the sign turned over (src/data/records/search/sort-key.ts). */
const EXPONENT = 'LENGTH(BIN(v.score)) - 1';
const NUMBER_KEY = `UNHEX(LPAD(HEX((1 << 63) | IF(v.score = 0, 0,
  ((${EXPONENT} + 1023) << 52) | ((v.score << (52 - (${EXPONENT}))) & ((1 << 52) - 1)))), 16, '0'))`;

/**
 * Writes `size` records of the type straight into the tables: a million through the API would take the better part of
 * an hour. `checkFill` holds them against what the API writes.
 */
export async function fillRecords(
  { rows }: Pick<BenchStores, 'rows'>,
  type: AlertType & { teamId: number },
  size: number,
): Promise<{ firstId: number }> {
  await makeNumbers(rows, size);
  const [last] = await rows<{ id: string }>('SELECT COALESCE(MAX(id), 0) AS id FROM records');
  const firstId = Number(last?.id) + 1;
  for (let from = 0; from < size; from += CHUNK) {
    const range = [from, Math.min(from + CHUNK, size)];
    await rows(recordsSql(type, size), [firstId, type.id, type.teamId, ...createdAt(), ...range]);
    await rows(rowsSql(type, size), [firstId, ...range, type.id]);
  }
  await rows(
    `INSERT INTO record_counts (record_type_id, test_mode, shard, records) VALUES (?, FALSE, 0, ?)
     ON DUPLICATE KEY UPDATE records = records + VALUES(records)`,
    [type.id, size],
  );
  await rows('ANALYZE TABLE records, record_values');
  await rows(`DROP TABLE ${NUMBERS}`);
  return { firstId };
}

function createdAt(): string[] {
  const text = FIRST_AT.toISOString().slice(0, -1).replace('T', ' ');
  return [text, text];
}

function recordsSql({ fieldIds }: AlertType, size: number): string {
  const { Host, Score, Severity, Note } = fieldIds;
  return `INSERT INTO records (id, record_type_id, team_id, data, created_at, updated_at)
    SELECT ? + v.n, ?, ?,
      CONCAT('{"${Host}":"', v.host, '","${Score}":', v.score, ',"${Severity}":"', v.severity, '"',
        IF(v.note IS NULL, '', CONCAT(',"${Note}":"', v.note, '"')), '}'),
      TIMESTAMP(?) + INTERVAL v.n SECOND, TIMESTAMP(?) + INTERVAL v.n SECOND
    FROM (${valuesSql(size)}) v ORDER BY v.n`;
}

function rowsSql({ fieldIds }: AlertType, size: number): string {
  const { Host, Score, Severity, Note } = fieldIds;
  return `INSERT INTO record_values (record_id, field_id, test_mode, sort_key)
    SELECT ? + v.n, f.id, FALSE, CASE f.id WHEN ${Host} THEN CAST(v.host AS BINARY) WHEN ${Score} THEN ${NUMBER_KEY}
      WHEN ${Severity} THEN CAST(v.severity AS BINARY) WHEN ${Note} THEN CAST(v.note AS BINARY) END
    FROM (${valuesSql(size)}) v CROSS JOIN record_fields f
    WHERE f.record_type_id = ? AND f.source <> 'timestamp' ORDER BY v.n, f.id`;
}

/** A table of the numbers from 0; both servers know how to double one. */
async function makeNumbers(rows: BenchStores['rows'], size: number): Promise<void> {
  await rows(`DROP TABLE IF EXISTS ${NUMBERS}`);
  await rows(`CREATE TABLE ${NUMBERS} (n INT UNSIGNED NOT NULL PRIMARY KEY)`);
  await rows(`INSERT INTO ${NUMBERS} VALUES (0)`);
  for (let there = 1; there < size; there *= 2) {
    await rows(`INSERT INTO ${NUMBERS} SELECT n + ? FROM ${NUMBERS} WHERE n < ?`, [there, size - there]);
  }
}
