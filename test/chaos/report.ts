import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { table } from '../../src/operate/cli/cli.js';
import type { Result, SuiteResult } from './chaos-suite.js';

const FOLDER = path.resolve(__dirname, '../../.cache/chaos');
const HEADINGS = [
  'scenario',
  'accepted',
  'completed',
  'lost',
  'in window',
  'doubled',
  'repeats http/mail',
  'unknown',
  'refused',
  'recovered in s',
  'verdict',
];

/** The table, and what did not hold. */
export function reportText({ database, results }: SuiteResult): string {
  const failures = results.flatMap(({ scenario, failures: sentences, remark }) =>
    [...sentences, ...(remark === undefined ? [] : [remark])].map((sentence) => `${scenario}: ${sentence}`),
  );
  return [machine(database), table(HEADINGS, results.map(row)), ...failures].join('\n');
}

/** One line, for those who watch. */
export function resultLine(result: Result): string {
  const { scenario, accepted = 0, callsPerSecond = 0, recoveredInMs = 0, failures, remark } = result;
  const verdict = failures.length === 0 ? (remark ?? 'holds') : `BROKEN: ${failures.join(' | ')}`;
  return `${scenario}: ${accepted} accepted at ${callsPerSecond} calls/s, ${seconds(recoveredInMs)} s: ${verdict}`;
}

/** Writes everything as JSON; gives the file. */
export function writeReport(suite: SuiteResult, seed: number): string {
  mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, `${new Date().toISOString().replace(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${JSON.stringify({ seed, machine: machine(suite.database), ...suite }, null, 2)}\n`);
  return file;
}

function machine(database: string): string {
  const cpus = os.cpus();
  const gib = Math.round(os.totalmem() / 2 ** 30);
  return `${cpus.length} cores (${cpus[0]?.model.trim() ?? 'unknown'}), ${gib} GiB, Node ${process.version}, ${database}`;
}

function row(result: Result): (string | number)[] {
  const { scenario, accepted, completed, lost, inWindow, doubled, unknown, refused, failures } = result;
  return [
    scenario,
    accepted ?? '-',
    completed ?? '-',
    lost ?? '-',
    inWindow ?? '-',
    doubled ?? '-',
    `${result.httpRepeats ?? '-'}/${result.mailRepeats ?? '-'}`,
    unknown ?? '-',
    refused ?? '-',
    seconds(result.recoveredInMs ?? 0),
    failures.length === 0 ? 'holds' : 'BROKEN',
  ];
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
