import { table } from '../../src/cli/cli.js';
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
    Math.round(early),
    Math.round(late),
    grew ? 'GREW' : 'flat',
  ]);
  return [
    `${hours.toFixed(2)} hours on ${database}: ${accepted} of ${calls} calls accepted, ${faults} faults`,
    table(['figure', 'most in the 2nd quarter', 'most in the last quarter', 'verdict'], rows),
    failures.length === 0 ? 'Nothing was lost, nothing grew.' : failures.join('\n'),
  ].join('\n');
}
