import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { topologyNamed } from '../chaos/topology.js';
import { benchText, RESULTS, writeResult } from './bench-report.js';
import { type BenchResult, findMeasures, runBench } from './bench-suite.js';
import type { Measure } from './measure.js';

const USAGE = `npm run bench [-- --quick] [--measure 1,2] [--turns n] [--mysql folder-of-mysqld] [--topology galera|proxy|group-replication|redis-cluster|redis-sentinel] [--against checkout] [--profile] [--list]`;
const TURNS = { quick: 1, full: 3 };

/** Runs the bench; gives the exit code (docs/understand/performance.md, Running it). */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      measure: { type: 'string' },
      turns: { type: 'string' },
      mysql: { type: 'string' },
      topology: { type: 'string', default: 'lone' },
      against: { type: 'string' },
      profile: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  const { quick } = values;
  const measures = (await findMeasures()).filter(
    ({ comparison }) => values.against === undefined || comparison !== undefined,
  );
  if (values.list) {
    say(measures.map(({ number, sentence }) => `${number}: ${sentence}`).join('\n'));
    return 0;
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const result = await runBench({
    measures: chosen(measures, values.measure, quick),
    quick,
    turns: turnsOf(values.turns, quick),
    searchPath: [values.mysql, process.env['PATH']].filter((part) => part !== undefined).join(path.delimiter),
    topology: topologyNamed(values.topology),
    profiles: values.profile ? profileFolder() : undefined,
    against: values.against === undefined ? undefined : path.resolve(values.against),
    signal: stopping.signal,
    say,
  });
  say(benchText(result));
  say(`All of it: ${writeResult(result, quick)}`);
  return exitCode(result, quick);
}

function chosen(measures: Measure[], numbers: string | undefined, quick: boolean): Measure[] {
  if (numbers === undefined) return quick ? measures.filter((measure) => measure.quick) : measures;
  return numbers.split(',').map((number) => {
    const found = measures.find((measure) => measure.number === Number(number));
    if (found === undefined) throw new Error(`There is no measure ${number}\n${USAGE}`);
    return found;
  });
}

function turnsOf(text: string | undefined, quick: boolean): number {
  const turns = text === undefined ? (quick ? TURNS.quick : TURNS.full) : Number(text);
  if (!Number.isInteger(turns) || turns < 1) throw new Error(`--turns is a number from 1\n${USAGE}`);
  return turns;
}

function profileFolder(): string {
  const folder = path.join(RESULTS, 'profiles');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A quick look fails on nothing that noise could have done. */
function exitCode({ rows, failures }: BenchResult, quick: boolean): number {
  const bad = quick ? ['gross loss'] : ['gross loss', 'missed'];
  return failures.length > 0 || rows.some(({ verdict }) => bad.includes(verdict)) ? 1 : 0;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  },
);
