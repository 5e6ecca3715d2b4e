import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type FuzzResult, runFuzz } from './fuzz.js';

/** The longest that any response may take. */
const SLOW_MS = 5_000;

/** `npm run fuzz -- --url URL --key KEY`: sends requests to a server that runs; exit code 1 for any fault. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      key: { type: 'string' },
      requests: { type: 'string', default: '10000' },
      seed: { type: 'string' },
    },
  });
  if (values.key === undefined) throw new Error('--key must be the key of an Owner');
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  say(`seed ${seed}`);
  const requests = Number(values.requests);
  const result = await runFuzz({
    url: values.url,
    key: values.key,
    requests,
    seed,
    atOnce: 4,
    slowMs: SLOW_MS,
  });
  say(reportOf(result));
  return result.faults.length === 0 ? 0 : 1;
}

function reportOf({
  requests,
  statuses,
  operations,
  reached,
  unreached,
  slowestMs,
  faults,
}: FuzzResult): string {
  return [
    `${requests} requests to ${operations} operations; ${reached} answered a success; the slowest took ${Math.round(slowestMs)} ms`,
    `statuses: ${Object.entries(statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
    ...unreached.map((name) => `no success: ${name}`),
    `${faults.length} kinds of faults`,
    ...faults.map(({ kind, count, example }) => `${count} × ${kind}\n    ${example}`),
  ].join('\n');
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
