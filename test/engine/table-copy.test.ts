import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readLines, writeLines } from '../../src/operate/backup/line-files.js';
import { insertLines } from '../../src/operate/backup/take-backup.js';
import { queryRows, withLoader, withSnapshot } from '../../src/platform/mysql/connections/copy-connection.js';
import { readShapes } from '../../src/platform/mysql/schema/table-copy.js';
import { createDatabase } from '../../src/platform/mysql/database.js';
import { createEmptyDatabase, useStores } from '../support/stores.js';

const stores = useStores();
let from = '';
let to = '';
let folder = '';

beforeAll(async () => {
  for (const take of [(url: string) => (from = url), (url: string) => (to = url)]) {
    const { url, drop } = await createEmptyDatabase();
    take(url);
    stores.onClose(drop);
  }
  folder = await mkdtemp(path.join(tmpdir(), 'fabula-copy-'));
  stores.onClose(() => rm(folder, { recursive: true, force: true }));
});

const TABLE = `CREATE TABLE odd (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  part VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  text LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  bytes VARBINARY(300) NULL,
  amount DECIMAL(30,10) NULL,
  ratio DOUBLE NULL,
  at DATETIME(3) NULL,
  day DATE NULL,
  flag TINYINT(1) NOT NULL DEFAULT 0,
  \`key\` INT NULL COMMENT 'a ''quoted'' name; with a semicolon',
  twice INT AS (\`key\` * 2) STORED,
  PRIMARY KEY (part, id), KEY odd_id (id)
) AUTO_INCREMENT = 4711`;

const TEXTS = [
  'it\'s "quoted" \\ back\\\\slash',
  'lines\nand\r\nreturns\tand\0nul\x1a',
  '\u2028 \u2029 \u{1f600} ü \ufeff',
  '',
  '); DROP TABLE odd; --',
  '?',
];

const READ = "SELECT *, HEX(text) AS hex, HEX(bytes) AS bin FROM odd WHERE part <> 'z' ORDER BY part, id";

const rowsOf = (url: string) =>
  withSnapshot({ url }, (connection) => queryRows<Record<string, unknown>>(connection, READ));

test('every value arrives as it was, whatever it holds', async () => {
  const db = createDatabase({ url: from, poolSize: 2, logger: stores.logger });
  stores.onClose(() => db.close());
  await db.read((session) => session.run(TABLE));
  const insert = (values: (string | number | Buffer | null)[]) =>
    db.read((session) =>
      session.run(
        'INSERT INTO odd (id, part, text, bytes, amount, ratio, at, day, flag, `key`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        values,
      ),
    );
  for (const [id, text] of TEXTS.entries()) {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await insert([id + 1, 'a', text, bytes, '12345678901234567890.0123456789', 0.1 + 0.2, null, null, 1, id]);
  }
  await insert([
    '18446744073709551615',
    'b',
    null,
    Buffer.alloc(0),
    '-0.0000000001',
    1e-300,
    '2026-11-25 23:59:59.999',
    '1999-12-31',
    0,
    -1,
  ]);
  await insert([1, 'b', 'x'.repeat(2 * 1024 * 1024), null, null, null, null, null, 0, null]);
  const file = path.join(folder, 'odd.sql.gz');
  const count = { rows: 0 };
  const { create, written } = await withSnapshot({ url: from }, async (connection) => {
    const [shape] = await readShapes(connection);
    // Rows that come after the snapshot are not in it.
    await insert([99, 'z', 'late', null, null, null, null, null, 0, null]);
    return { create: shape!.create, written: await writeLines(file, insertLines(connection, shape!, count)) };
  });
  expect(count.rows).toBe(TEXTS.length + 2);

  await withLoader({ url: to }, async (connection) => {
    await queryRows(connection, create);
    for await (const line of readLines(file)) await queryRows(connection, line);
    await queryRows(connection, 'COMMIT');
  });
  const again = await withSnapshot({ url: to }, async (connection) => {
    const [shape] = await readShapes(connection);
    expect(shape!.create).toBe(create);
    return writeLines(path.join(folder, 'again.sql.gz'), insertLines(connection, shape!, { rows: 0 }));
  });
  expect(again).toEqual(written);
  expect(await rowsOf(to)).toEqual(await rowsOf(from));
});
