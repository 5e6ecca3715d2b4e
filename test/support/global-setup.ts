import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';

const START_LIMIT_MS = 15 * 60_000;

interface Addresses {
  databaseUrl?: string;
  redisUrl?: string;
}

/** The process that holds the private stores of this run; undefined when none were needed. */
export interface KeeperHolder {
  fabulaStoreKeeper?: ChildProcess;
}

/**
 * Gives the tests a MySQL and a Redis: those of TEST_DATABASE_URL and TEST_REDIS_URL, or private ones that
 * live as long as this run. The addresses in DATABASE_URL and REDIS_URL are never used: tests delete data.
 */
export default async function setUp(): Promise<void> {
  buildProduct();
  process.env['FABULA_TEST_RUN'] = `fabula_test_${randomBytes(6).toString('hex')}`;
  const needs = [
    ...(process.env.TEST_DATABASE_URL ? [] : ['--database']),
    ...(process.env.TEST_REDIS_URL ? [] : ['--redis']),
  ];
  if (needs.length === 0) return;
  const keeper = spawn(
    process.execPath,
    ['--import', 'tsx', path.join(__dirname, 'store-keeper.ts'), ...needs],
    {
      cwd: path.join(__dirname, '..', '..'),
      // Its lines go to standard error: standard output belongs to Jest's own report (--json).
      stdio: ['ignore', 2, 2, 'ipc'],
      detached: true,
    },
  );
  (globalThis as KeeperHolder).fabulaStoreKeeper = keeper;
  const { databaseUrl, redisUrl } = await addressesFrom(keeper);
  if (databaseUrl !== undefined) process.env.TEST_DATABASE_URL = databaseUrl;
  if (redisUrl !== undefined) process.env.TEST_REDIS_URL = redisUrl;
}

/** Builds the product that test files start, unless its sources have not changed. */
function buildProduct(): void {
  const script = path.join(__dirname, '..', '..', 'bin', 'test-product.mjs');
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The product for the tests was not built; see above');
}

function addressesFrom(keeper: ChildProcess): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      keeper.disconnect();
      reject(new Error('The stores for the tests did not start in time'));
    }, START_LIMIT_MS);
    const settle = (act: () => void): void => {
      clearTimeout(limit);
      act();
    };
    keeper.once('message', (addresses) => settle(() => resolve(addresses as Addresses)));
    keeper.once('error', (error) => settle(() => reject(error)));
    keeper.once('exit', (code) =>
      settle(() =>
        reject(new Error(`The stores for the tests did not start (exit code ${code}); see above`)),
      ),
    );
  });
}
