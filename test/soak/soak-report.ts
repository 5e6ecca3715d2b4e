import { table } from '../../src/operate/cli/cli.js';
import type { Spread } from './growth.js';
import type { SoakResult } from './soak.js';

/** Returns the figures of a soak as a table, and what did not hold. */
export function soakReport({
  database,
  hours,
  calls,
  accepted,
  faults,
  growth,
  failures,
}: SoakResult): string {
  const rows = growth.map(({ figure, early, late, grew }) => [
    figure,
    shown(early),
    shown(late),
    grew ? 'GREW' : 'flat',
  ]);
  return [
    `${hours.toFixed(2)} hours on ${database}: ${accepted} of ${calls} calls accepted, ${faults} faults`,
    table(['figure', '2nd quarter: median, most', 'last quarter: median, most', 'verdict'], rows),
    failures.length === 0 ? 'Nothing was lost, nothing grew.' : failures.join('\n'),
  ].join('\n');
}

function shown({ median, most }: Spread): string {
  return `${Math.round(median)}, ${Math.round(most)}`;
}
