import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runSoak } from './soak.js';
import { soakReport } from './soak-report.js';

/** Runs the soak; gives the exit code: 1 if anything was lost or grew. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string', default: '2' },
      rate: { type: 'string', default: '20' },
      seed: { type: 'string' },
      mysql: { type: 'string' },
    },
  });
  const hours = Number(values.hours);
  const rate = Number(values.rate);
  if (!(hours > 0) || !(rate > 0)) throw new Error('--hours and --rate must be numbers above 0');
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  say(`seed ${seed}`);
  const result = await runSoak({
    durationMs: hours * 3_600_000,
    rate,
    seed,
    searchPath: [values.mysql, process.env['PATH']].filter((part) => part !== undefined).join(path.delimiter),
    signal: stopping.signal,
    onSample: say,
  });
  say(soakReport(result));
  return result.failures.length === 0 ? 0 : 1;
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
