import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Topology } from '../chaos/topology.js';
import { buildProduct } from '../chaos/build.js';
import { startBenchStores, withOtherStores } from './bench-stores.js';
import type { Bench, Measure, Row } from './measure.js';
import { type SubjectDeps, withFloor, withProduct } from './subjects.js';
import { compareBuilds } from './two-builds.js';

const MEASURES = path.join(__dirname, 'measures');
const OTHER_PREFIX = 'other';

export interface BenchOptions {
  measures: Measure[];
  quick: boolean;
  turns: number;
  /** The folder in which the stores' servers are searched for. */
  searchPath: string;
  /** One server of each store, or a cluster of one of them. */
  topology: Topology;
  /** A folder for profiles of all processes. */
  profiles: string | undefined;
  /** Another checkout, whose build takes the place of the floor (docs/understand/performance.md, Two builds). */
  against: string | undefined;
  /** Ends the bench before its time; everything it started is stopped. */
  signal: AbortSignal;
  say: (text: string) => void;
}

/** All that was measured, and what could not be. */
export interface BenchResult {
  database: string;
  /** Load averages when it began: a busy machine gives figures that mean little. */
  load: number[];
  /** The checkout whose build was in the floor's place. */
  against: string | undefined;
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

/** Builds the product, and what it is compared with, starts stores of its own, and measures. */
export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const load = os.loadavg();
  const { against } = options;
  const result = await withBuild(undefined, (folder) => {
    if (against === undefined) return runBuild(options, folder, takeMeasure);
    return withBuild(against, (other) => runBuild(options, folder, takeComparison(other)));
  });
  return { ...result, load, against };
}

/** `checkout`: this one unless another is given. */
async function withBuild<T>(checkout: string | undefined, work: (folder: string) => Promise<T>): Promise<T> {
  const build = await buildProduct(path.join('test', 'bench', 'tsconfig.json'), checkout);
  try {
    return await work(build.folder);
  } finally {
    await build.remove();
  }
}

/** Takes one measure. */
type Take = (measure: Measure, bench: Bench, deps: SubjectDeps) => Promise<Row[]>;

async function runBuild(
  options: BenchOptions,
  folder: string,
  take: Take,
): Promise<Omit<BenchResult, 'load' | 'against'>> {
  const stores = await startBenchStores(options.searchPath, options.topology);
  const deps = { stores, folder, profiles: options.profiles };
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
    const running = runMeasures(options, (measure) => take(measure, bench, deps));
    const result = await Promise.race([running, abortOf(options.signal)]);
    return { database: await stores.version(), ...result };
  } finally {
    await stores.close();
  }
}

const takeMeasure: Take = (measure, bench) => measure.run(bench);

/** The product against another build of it, which is in `folder`. */
function takeComparison(folder: string): Take {
  return async (measure, bench, deps) => {
    const { comparison } = measure;
    if (comparison === undefined) throw new Error('Two builds are not compared by this measure');
    return bench.product(comparison.product, (product) =>
      withOtherStores(deps.stores, (stores) =>
        withProduct(
          { ...deps, folder, stores, areInUse: true, queuePrefix: OTHER_PREFIX },
          comparison.product,
          (other) => compareBuilds(measure, comparison, bench, { other, product }),
        ),
      ),
    );
  };
}

async function runMeasures(
  { measures, signal, say }: BenchOptions,
  take: (measure: Measure) => Promise<Row[]>,
): Promise<Pick<BenchResult, 'rows' | 'failures'>> {
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const measure of measures) {
    signal.throwIfAborted();
    say(`${measure.number}: ${measure.sentence} …`);
    const began = Date.now();
    await take(measure).then(
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
