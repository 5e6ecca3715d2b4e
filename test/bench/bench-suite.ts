import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildProduct } from '../chaos/build.js';
import { startBenchStores } from './bench-stores.js';
import type { Bench, Measure, Row } from './measure.js';
import { withFloor, withProduct } from './subjects.js';

const MEASURES = path.join(__dirname, 'measures');

export interface BenchOptions {
  measures: Measure[];
  quick: boolean;
  turns: number;
  /** Where the servers of the stores are looked for. */
  searchPath: string;
  /** A folder for profiles of all processes. */
  profiles: string | undefined;
  /** Ends the bench before its time; everything it started is stopped. */
  signal: AbortSignal;
  say: (text: string) => void;
}

/** All that was measured, and what could not be. */
export interface BenchResult {
  database: string;
  /** Load averages when it began: a busy machine gives figures that mean little. */
  load: number[];
  rows: Row[];
  failures: string[];
}

/** Every file of `measures/`, by number. */
export async function findMeasures(): Promise<Measure[]> {
  const files = readdirSync(MEASURES).filter((file) => file.endsWith('.ts'));
  const modules = await Promise.all(
    files.map((file) => import(path.join(MEASURES, file)) as Promise<{ measure: Measure }>),
  );
  return modules.map(({ measure }) => measure).toSorted((a, b) => a.number - b.number);
}

/** Builds the product, starts stores of its own, and measures. */
export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const load = os.loadavg();
  const build = await buildProduct(path.join('test', 'bench', 'tsconfig.json'));
  try {
    const stores = await startBenchStores(options.searchPath);
    const deps = { stores, folder: build.folder, profiles: options.profiles };
    const bench: Bench = {
      ...deps,
      quick: options.quick,
      turns: options.turns,
      floor: (work, floorOptions) => withFloor(deps, work, floorOptions),
      product: (product, work) => withProduct(deps, product, work),
      both: ({ floor, product }, work) =>
        withFloor(
          deps,
          (started) => withProduct({ ...deps, areInUse: true }, product, (other) => work(started, other)),
          floor,
        ),
      say: options.say,
    };
    try {
      const result = await Promise.race([runMeasures(options, bench), abortOf(options.signal)]);
      return { database: await stores.version(), load, ...result };
    } finally {
      await stores.close();
    }
  } finally {
    await build.remove();
  }
}

async function runMeasures(
  { measures, signal, say }: BenchOptions,
  bench: Bench,
): Promise<Pick<BenchResult, 'rows' | 'failures'>> {
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const measure of measures) {
    signal.throwIfAborted();
    say(`${measure.number}: ${measure.sentence} …`);
    const began = Date.now();
    await measure.run(bench).then(
      (found) => rows.push(...found),
      (error: unknown) => failures.push(`${measure.number}: ${reasonOf(error)}`),
    );
    say(`${measure.number}: ${Math.round((Date.now() - began) / 1000)} s`);
  }
  return { rows, failures };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The bench was stopped')), { once: true });
  });
}
