import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { METRICS } from '../../src/app/metrics/metric-list.js';
import type { Metric } from '../../src/platform/metrics/metric.js';
import { METRICS_PAGE } from '../support/metrics-page.js';

const ROOT = path.resolve(__dirname, '../..');
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: { summary: string; runbook: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

const rules = (
  parse(textOf('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const panels = (JSON.parse(textOf('deploy/grafana/fabula.json')) as { panels: Panel[] }).panels;
const targets = panels.flatMap(({ title, targets: shown = [] }) =>
  shown.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);
const page = readFileSync(METRICS_PAGE, 'utf8');

/** The names that Prometheus stores for each metric. */
const exported = new Map<string, Metric>(
  Object.values<Metric>(METRICS).flatMap((metric) =>
    (metric.kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map(
      (end) => [metric.name + end, metric] as const,
    ),
  ),
);
/** Labels that all figures have: ours, and those that Prometheus adds. */
const COMMON = ['role', 'instance', 'job'];

/** The faults of an expression: names and labels that are not exported. */
function faultsOf(expr: string, shownLabels: string[] = []): string[] {
  const names = [...expr.matchAll(/\b(?:fabula|process|nodejs)_\w+/g)].map(([name]) => name);
  const metrics = names.map((name) => exported.get(name));
  const known = new Set([...COMMON, ...metrics.flatMap((metric) => Object.keys(metric?.labels ?? {}))]);
  if (names.some((name) => name.endsWith('_bucket'))) known.add('le');
  const selected = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  );
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  return [
    ...(names.length === 0 ? ['no metric'] : []),
    ...names.filter((name) => !exported.has(name)),
    ...[...selected, ...grouped, ...shownLabels].filter((label) => !known.has(label)),
  ];
}

const labelsIn = (text: string) =>
  [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label);

test('finds a metric and a label that are not exported', () => {
  expect(faultsOf('sum(rate(fabula_gone_total[5m]))')).toEqual(['fabula_gone_total']);
  expect(faultsOf('sum by (tenant) (fabula_deliveries{state="held", le="1"})')).toEqual(['le', 'tenant']);
  expect(faultsOf('fabula_run_seconds')).toEqual(['fabula_run_seconds']);
});

test.each(rules)('alert $alert asks for what is exported, and names its section of the page', (rule) => {
  const { alert, expr, labels, annotations } = rule;
  expect(faultsOf(expr, labelsIn(annotations.summary))).toEqual([]);
  expect(['warning', 'critical']).toContain(labels['severity']);
  expect(annotations.runbook).toBe(`docs/operate/metrics.md#${alert.toLowerCase()}`);
  expect(page).toContain(`\n### ${alert}\n`);
});

test('the page has a section for each alert, and for nothing else', () => {
  const sections = [...page.matchAll(/^### (Fabula\w+)$/gm)].map(([, alert]) => alert);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
});

test.each(targets)('panel "$title" shows what is exported: $legendFormat', ({ expr, legendFormat }) => {
  expect(faultsOf(expr, labelsIn(legendFormat))).toEqual([]);
});

test('the dashboard shows every metric but those of single stories', () => {
  const shown = targets.map(({ expr }) => expr).join('\n');
  const missing = Object.values<Metric>(METRICS).filter(
    ({ name }) => !new RegExp(`\\b${name}(?:_bucket|_sum)?\\b`).test(shown),
  );
  expect(missing.map(({ name }) => name)).toEqual(['fabula_story_actions_total']);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
