import { readFileSync } from 'node:fs';
import { METRICS } from '../../src/app/metrics/metric-list.js';
import type { Metric } from '../../src/platform/metrics/metric.js';
import { METRICS_PAGE, withMetrics } from '../support/metrics-page.js';

const metrics = Object.values<Metric>(METRICS);
const UNITS = /_(?:seconds|bytes|items)$/;
/** Labels that could have as many values as there are things. */
const UNBOUNDED = /^(?:id|guid|path|url|tenant|team|user|agent|name|host|address)$/;

test('docs/operate/metrics.md is what `npm run docs:metrics` writes', () => {
  const page = readFileSync(METRICS_PAGE, 'utf8');
  expect(page).toBe(withMetrics(page));
});

test('each metric has a name of its own, as Prometheus wants it', () => {
  const names = metrics.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  for (const { name, kind } of metrics) {
    expect(name).toMatch(/^(?:fabula|process|nodejs)_[a-z0-9_]+$/);
    expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
    expect([name, kind !== 'histogram' || UNITS.test(name)]).toEqual([name, true]);
  }
});

test('says what each metric means in one sentence, and what each label may be', () => {
  for (const { name, help, labels } of metrics) {
    expect([name, /^[A-Z].*[^.]\.$/.test(help), help.split(/\s+/).length <= 20]).toEqual([name, true, true]);
    for (const [label, values] of Object.entries(labels)) {
      expect([name, label, UNBOUNDED.test(label), values !== '']).toEqual([name, label, false, true]);
    }
  }
});
