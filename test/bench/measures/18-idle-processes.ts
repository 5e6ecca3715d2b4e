import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Measure, Row, Subject } from '../measure.js';
import { atMost } from '../verdicts.js';

const WORKER = 'workers/all.js';
/** Workers of a run. From the last two follows the cost of `MANY`: what each further process adds is the same. */
const NUMBERS = [1, 10, 30];
const QUICK_NUMBERS = [1, 3, 5];
const MANY = 100;
const MOST = { statements: 50, commands: 300, cpu: 0.5 };
/** The time for which a worker waits for a job with one command, so that each process asks once. */
const WINDOW_MS = 60_000;
/** Statements of the start are over, and each kind of work has its leader. */
const SETTLE_MS = 15_000;

/** Statements and commands of all processes a second, and the share of a processor of the busiest worker, in percent. */
interface Cost {
  workers: number;
  statements: number;
  commands: number;
  /** Undefined: not measured. */
  cpu?: number;
}

export const measure: Measure = {
  number: 18,
  sentence: 'what 1, 10, 30 and 100 idle worker processes cost MySQL, Redis and the processors',
  async run(bench) {
    const costs: Cost[] = [];
    for (const workers of bench.quick ? QUICK_NUMBERS : NUMBERS) {
      costs.push(
        await bench.product({ workers: Array.from({ length: workers }, () => WORKER) }, (product) =>
          costOf(bench, product, workers),
        ),
      );
    }
    return [...costs.flatMap((cost) => rowsOf(cost)), ...rowsOf(extrapolated(costs), ', extrapolated')];
  },
};

async function costOf(bench: Bench, { processes }: Subject, workers: number): Promise<Cost> {
  const each = [...processes].filter(([name]) => name !== 'web').map(([, process]) => process);
  await sleep(SETTLE_MS);
  const before = await countersOf(bench);
  const cpuBefore = each.map((process) => process.cpuMs());
  await sleep(bench.quick ? WINDOW_MS / 6 : WINDOW_MS);
  const after = await countersOf(bench);
  const ms = after.at - before.at;
  const shares = each.map((process, index) => (100 * (process.cpuMs() - (cpuBefore[index] ?? 0))) / ms);
  return {
    workers,
    statements: (1000 * (after.statements - before.statements)) / ms,
    commands: (1000 * (after.commands - before.commands)) / ms,
    cpu: Math.max(...shares),
  };
}

async function countersOf({ stores }: Bench) {
  const counters = await stores.counters();
  const commands = await stores.redisCommands();
  return { statements: counters.get('Questions') ?? 0, commands, at: performance.now() };
}

/**
 * Returns the cost of `MANY` workers, by the line through the last two numbers. A further process costs nothing at the least: if
 * the slope is negative, it is the noise of the two windows, and the cost of the last number stands.
 */
function extrapolated(costs: Cost[]): Cost {
  const [fewer, more] = costs.slice(-2) as [Cost, Cost];
  const at = (figure: 'statements' | 'commands') => {
    const each = Math.max(0, (more[figure] - fewer[figure]) / (more.workers - fewer.workers));
    return more[figure] + each * (MANY - more.workers);
  };
  return { workers: MANY, statements: at('statements'), commands: at('commands') };
}

function rowsOf({ workers, statements, commands, cpu }: Cost, how = ''): Row[] {
  const row = (what: string, unit: string, product: number, most: number): Row => ({
    measure: 18,
    what: `${what}, ${workers} idle worker processes${how}`,
    unit,
    product,
    mustReach: `≤ ${most}`,
    verdict: atMost(product, most),
  });
  return [
    row('statements a second', '', statements, MOST.statements),
    row('commands of Redis a second', '', commands, MOST.commands),
    ...(cpu === undefined ? [] : [row('processor time of the busiest', '%', cpu, MOST.cpu)]),
  ];
}
