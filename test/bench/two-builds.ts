import { MS_PER_TICK } from './bench-process.js';
import { compareInPairs } from './figures.js';
import type { Bench, BuildComparison, Figure, Measure, Product, Row } from './measure.js';

/** For each turn of the bench; with fewer, what comes by chance is larger than most of what is looked for. */
const SHORT_TURNS = 20;

/** Both builds, running at once, each on tables and queues of its own. */
export interface TwoBuilds {
  other: Product;
  product: Product;
}

/**
 * Calls two builds in short turns: within minutes the machine becomes faster or slower by a third. Who is called first
 * changes from turn to turn, as who comes second finds the machine in another state.
 */
export async function compareBuilds(
  { number }: Measure,
  comparison: BuildComparison,
  bench: Bench,
  { other, product }: TwoBuilds,
): Promise<Row[]> {
  for (const build of [other, product]) await comparison.warmUp(bench, build);
  const found: { other: Figure[][]; product: Figure[][] } = { other: [], product: [] };
  const turnOf = async (build: Product) => withCpu(build, () => comparison.turn(bench, build));
  for (let turn = 0; turn < bench.turns * SHORT_TURNS; turn += 1) {
    if (turn % 2 === 0) found.other.push(await turnOf(other));
    found.product.push(await turnOf(product));
    if (turn % 2 === 1) found.other.push(await turnOf(other));
  }
  return (found.product[0] ?? []).map(({ what, unit }, index) => {
    const values = (turns: Figure[][]) => turns.map((figures) => figures[index]?.value ?? Number.NaN);
    const figures = compareInPairs(values(found.other), values(found.product));
    const { floor, product: median, ratio, spread } = figures;
    const note = `${what}: ${ratio.toFixed(3)} ± ${spread.toFixed(3)} (two standard errors) in ${found.product.length} turns`;
    return { measure: number, what, unit, floor, product: median, ratio, verdict: '', notes: [note] };
  });
}

/** Adds what each process used of the processors, which others on the machine change less than times. */
async function withCpu({ processes }: Product, turn: () => Promise<Figure[]>): Promise<Figure[]> {
  const used = () => [...processes].map(([name, { cpuMs }]) => ({ name, ms: cpuMs() }));
  const before = used();
  const figures = await turn();
  const cpu = used().map(({ name, ms }, index) => ({
    what: `CPU time of ${name}, a turn`,
    // Less than the kernel counts is one tick, so that there is a ratio.
    value: Math.max(MS_PER_TICK, ms - (before[index]?.ms ?? 0)),
    unit: 'ms',
  }));
  return [...figures, ...cpu];
}
