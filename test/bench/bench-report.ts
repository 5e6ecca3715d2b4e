import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { table } from '../../src/operate/cli/cli.js';
import type { BenchResult } from './bench-suite.js';
import type { Row } from './measure.js';

/** The folder of results. */
export const RESULTS = path.resolve(__dirname, '../../.cache/bench');
const HEADINGS = ['no.', 'measure', 'unit', 'floor', 'product', 'ratio', 'must reach', 'verdict'];
const HEADINGS_OF_BUILDS = ['no.', 'measure', 'unit', 'other', 'this', 'ratio', '', ''];
/** Above this, others were at work on the machine. */
const QUIET_LOAD = 0.5;

/** The table, what is to be said of its rows, and what could not be measured. */
export function benchText(result: BenchResult): string {
  const [load = 0] = result.load;
  const busy =
    load > QUIET_LOAD ? [`The machine was busy (load ${load.toFixed(1)}): only ratios mean something.`] : [];
  return [
    machine(result.database),
    ...busy,
    table(result.against === undefined ? HEADINGS : HEADINGS_OF_BUILDS, result.rows.map(cells)),
    ...result.rows.flatMap(({ notes = [] }) => notes),
    ...result.failures,
  ].join('\n');
}

/** Writes everything as JSON; gives the file. */
export function writeResult(result: BenchResult, quick: boolean): string {
  mkdirSync(RESULTS, { recursive: true });
  const file = path.join(RESULTS, `${new Date().toISOString().replace(/[:.]/g, '-')}.json`);
  writeFileSync(
    file,
    `${JSON.stringify({ machine: machine(result.database), quick, ...result }, null, 2)}\n`,
  );
  return file;
}

function machine(database: string): string {
  const cpus = os.cpus();
  const gib = Math.round(os.totalmem() / 2 ** 30);
  return `${cpus.length} cores (${cpus[0]?.model.trim() ?? 'unknown'}), ${gib} GiB, Node ${process.version}, ${database}`;
}

function cells(row: Row): (string | number | null)[] {
  const { measure, what, unit, floor, product, ratio, mustReach, verdict } = row;
  return [
    measure,
    what,
    unit,
    floor === undefined ? null : short(floor),
    short(product),
    ratio === undefined ? null : ratio.toFixed(2),
    mustReach ?? null,
    verdict,
  ];
}

/** Three digits that count. */
function short(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString('en') : String(Number(figure.toPrecision(3)));
}
