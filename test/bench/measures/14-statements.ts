import type { Bench, Measure, Row, Subject } from '../measure.js';
import { measureRuns } from '../runs.js';
import { alertBody, TWO_TEMPLATES } from '../two-templates.js';
import { atMost } from '../verdicts.js';

const CONNECTIONS = 64;
const MOST_STATEMENTS = 1;
/** Bytes on the disk that each further byte of a body may cost: pages are not all full. */
const LONGER_BYTES = 100 * 1024;
const MOST_BYTES_A_BYTE = 1.5;
const TABLES = ['story_runs', 'events'];
/** Server counters of the product's statements; the rest (SHOW, SET) is the measuring side's. */
const STATEMENTS =
  /^Com_(begin|commit|rollback|select|insert|update|update_multi|delete|delete_multi|replace)$/;

/** For each run. */
interface Cost {
  transactions: number;
  statements: number;
  bytes: number;
  /** Bytes of InnoDB's redo log. */
  redoBytes: number;
  redisCommands: number;
}

export const measure: Measure = {
  number: 14,
  sentence: 'transactions, statements, commands and bytes on the disk for each run of measure 1',
  quick: true,
  async run(bench) {
    const calls = bench.quick ? 2_000 : 20_000;
    const floor = await bench.floor((subject) => costOf(bench, subject, calls));
    const product = await bench.product(TWO_TEMPLATES, (subject) => costOf(bench, subject, calls));
    const long = await bench.product(TWO_TEMPLATES, (subject) =>
      costOf(bench, subject, calls / 20, LONGER_BYTES),
    );
    const slope = (long.bytes - product.bytes) / LONGER_BYTES;
    return [
      row('transactions a run', '', [floor.transactions, product.transactions]),
      row('statements a run', '', [floor.statements, product.statements], {
        mustReach: `≤ ${MOST_STATEMENTS}`,
        verdict: atMost(product.statements, MOST_STATEMENTS),
      }),
      row('stored a run, indexes included', 'B', [floor.bytes, product.bytes]),
      row('redo log a run', 'B', [floor.redoBytes, product.redoBytes]),
      row('commands of Redis a run, those in scripts too', '', [floor.redisCommands, product.redisCommands]),
      row('stored for each byte of a longer body', 'B', [undefined, slope], {
        mustReach: `≤ ${MOST_BYTES_A_BYTE}`,
        verdict: atMost(slope, MOST_BYTES_A_BYTE),
      }),
    ];
  },
};

async function costOf(bench: Bench, subject: Subject, calls: number, padding = 0): Promise<Cost> {
  const body = alertBody(padding);
  const sizeBefore = await sizeOf(bench, subject);
  const before = await bench.stores.counters();
  const commandsBefore = await bench.stores.redisCommands();
  await measureRuns(bench, subject, { connections: CONNECTIONS, calls, warm: 0, body });
  const after = await bench.stores.counters();
  const commands = (await bench.stores.redisCommands()) - commandsBefore;
  const grown = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / calls;
  const names = [...after.keys()].filter((name) => STATEMENTS.test(name));
  return {
    transactions: grown('Com_commit'),
    statements: names.map(grown).reduce((sum, statements) => sum + statements, 0),
    redoBytes: grown('Innodb_os_log_written'),
    redisCommands: commands / calls,
    bytes: ((await sizeOf(bench, subject)) - sizeBefore) / calls,
  };
}

async function sizeOf({ stores }: Bench, { schema }: Subject): Promise<number> {
  const names = TABLES.map((table) => `${schema}.${table}`).join(', ');
  await stores.rows(`ANALYZE TABLE ${names}`);
  const [row] = await stores.rows<{ bytes: string }>(
    `SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables
     WHERE table_schema = ? AND table_name IN ('story_runs', 'events')`,
    [schema],
  );
  return Number(row?.bytes);
}

function row(
  what: string,
  unit: string,
  [floor, product]: [floor: number | undefined, product: number],
  aim: Pick<Row, 'mustReach' | 'verdict'> = { verdict: '' },
): Row {
  const compared = floor === undefined ? {} : { floor, ratio: product / floor };
  return { measure: 14, what, unit, product, ...compared, ...aim };
}
