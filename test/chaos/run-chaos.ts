import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runSuite } from './chaos-suite.js';
import { reportText, resultLine, writeReport } from './report.js';
import type { Scenario } from './scenario.js';
import { SCENARIOS, SCENARIOS_OF } from './scenarios/index.js';
import { type Topology, topologyNamed } from './topology.js';

const USAGE = `npm run chaos [-- --scenario a,b] [--short] [--seed n] [--rate calls-a-second] [--mysql folder-of-mysqld] [--topology galera|proxy|group-replication|redis-cluster|redis-sentinel] [--logs folder] [--list]`;

/** Runs the suite; gives the exit code: 1 when anything was lost or doubled, or a promise broke. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string' },
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      rate: { type: 'string', default: '200' },
      mysql: { type: 'string' },
      topology: { type: 'string', default: 'lone' },
      logs: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  if (values.list) {
    say(
      [...SCENARIOS, ...Object.values(SCENARIOS_OF).flat()]
        .map(({ name, sentence }) => `${name}: ${sentence}`)
        .join('\n'),
    );
    return 0;
  }
  const topology = topologyNamed(values.topology);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  say(`seed ${seed}`);
  const suite = await runSuite({
    scenarios: chosen(topology, values.scenario),
    topology,
    short: values.short,
    seed,
    rate: Number(values.rate),
    searchPath: [values.mysql, process.env['PATH']].filter((part) => part !== undefined).join(path.delimiter),
    logs: values.logs,
    signal: stopping.signal,
    onResult: (result) => say(resultLine(result)),
  });
  say(reportText(suite));
  say(`All of it: ${writeReport(suite, seed)}`);
  return suite.results.every(({ failures }) => failures.length === 0) ? 0 : 1;
}

/** Without names: all that the topology is for. */
function chosen(topology: Topology, names: string | undefined): readonly Scenario[] {
  const own = topology === 'lone' ? SCENARIOS : SCENARIOS_OF[topology];
  if (names === undefined) return own;
  return names.split(',').map((name) => {
    const found = [...own, ...SCENARIOS].find((scenario) => scenario.name === name.trim());
    if (found === undefined) throw new Error(`There is no scenario ${name}\n${USAGE}`);
    return found;
  });
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
