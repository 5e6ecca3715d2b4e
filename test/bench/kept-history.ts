import type { BenchStores } from './bench-stores.js';
import { addHistoryStory, type Days, fillHistory } from './history.js';
import type { Product } from './measure.js';

const SCHEMA = 'bench_history';
const TABLES = ['story_runs', 'events'];

/** History in tables of its own, that can take the place of the product's: it is filled once, and there in any turn. */
export interface KeptHistory {
  /** Puts its tables in the product's place for as long as `work` lasts. */
  withProduct<T>(product: Product, work: () => Promise<T>): Promise<T>;
}

/** Fills history, and removes it when `work` is done. */
export async function withKeptHistory<T>(
  stores: BenchStores,
  options: { runs: number; days: Days; say: (text: string) => void },
  work: (history: KeptHistory) => Promise<T>,
): Promise<T> {
  const { db, schema } = stores;
  const run = (sql: string) => db.read((session) => session.run(sql));
  await run(`CREATE DATABASE ${SCHEMA}`);
  try {
    for (const table of TABLES) await run(`CREATE TABLE ${SCHEMA}.${table} LIKE ${schema}.${table}`);
    await fillHistory(stores, { ...options, schema: SCHEMA }, options.say);
    return await work({
      async withProduct(product, inner) {
        await addHistoryStory(stores, product);
        await run(
          renames((table) => [
            `${schema}.${table} TO ${SCHEMA}.empty_${table}`,
            `${SCHEMA}.${table} TO ${schema}.${table}`,
          ]),
        );
        await run(countedAll(schema));
        try {
          return await inner();
        } finally {
          await run(
            renames((table) => [
              `${schema}.${table} TO ${SCHEMA}.${table}`,
              `${SCHEMA}.empty_${table} TO ${schema}.${table}`,
            ]),
          );
        }
      },
    });
  } finally {
    await run(`DROP DATABASE ${SCHEMA}`);
  }
}

/** Moves the walks behind (decision 0057) to the end of history, as in a system where these runs have happened. */
function countedAll(schema: string): string {
  const ends = [
    ['events', 'events'],
    ['runs', 'story_runs'],
    ['run_values', 'story_runs'],
  ].map(([walk, table]) => `SELECT '${walk}', MAX(id) FROM ${schema}.${table}`);
  return `INSERT INTO ${schema}.counting_positions (name, after_id) ${ends.join(' UNION ALL ')}
          ON DUPLICATE KEY UPDATE after_id = VALUES(after_id)`;
}

/** All at once: nobody meets a table that is not there. */
function renames(ofTable: (table: string) => string[]): string {
  return `RENAME TABLE ${TABLES.flatMap(ofTable).join(', ')}`;
}
