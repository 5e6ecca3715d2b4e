import path from 'node:path';
import { METRICS } from '../../src/app/metrics/metric-list.js';
import type { Metric } from '../../src/platform/metrics/metric.js';

export const METRICS_PAGE = path.resolve(__dirname, '../../docs/operate/metrics.md');

const START = '<!-- metrics: written by `npm run docs:metrics` -->';
const END = '<!-- end of metrics -->';

/** The page with its table of metrics written anew from THE list. */
export function withMetrics(page: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start === -1 || end < start) throw new Error('the page has no place for the metrics');
  return `${page.slice(0, start + START.length)}\n\n${table()}\n\n${page.slice(end)}`;
}

function table(): string {
  const rows = Object.values<Metric>(METRICS).map((metric) => [
    `\`${metric.name}\``,
    metric.kind,
    labelsOf(metric),
    metric.help,
    metric.where,
  ]);
  const lines = [
    ['Metric', 'Type', 'Labels', 'Meaning', 'Exported by'],
    ['---', '---', '---', '---', '---'],
    ...rows,
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function labelsOf({ labels }: Metric): string {
  const named = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
  return named.length === 0 ? 'none' : named.join('; ');
}
