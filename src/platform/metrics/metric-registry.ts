import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CounterMetric, GaugeMetric, HistogramMetric, Metric } from './metric.js';

/** Declared metrics by a short name. */
export type MetricTable = Readonly<Record<string, Metric>>;

/** The instruments of a table, under the same short names. */
export type Instruments<Table extends MetricTable> = {
  [Name in keyof Table]: Table[Name] extends HistogramMetric<infer Label>
    ? Histogram<Label>
    : Table[Name] extends CounterMetric<infer Label>
      ? Counter<Label>
      : Table[Name] extends GaugeMetric<infer Label>
        ? Gauge<Label>
        : never;
};

/** The metrics of one process. */
export interface MetricRegistry<Table extends MetricTable> {
  instruments: Instruments<Table>;
  /** Removes all values of a gauge: it is absent until it is set again. */
  clear(name: keyof Table): void;
  /** Adds labels with fixed values to all metrics, such as the role of the process. */
  labelAll(labels: Readonly<Record<string, string>>): void;
  contentType: string;
  /** Returns all values in the text format of Prometheus. */
  text(): Promise<string>;
}

/**
 * Creates the instruments of a table. A counter without labels begins at 0; a gauge is absent until it is set, as 0 would be
 * a statement.
 */
export function createMetricRegistry<Table extends MetricTable>(table: Table): MetricRegistry<Table> {
  const registry = new Registry();
  const made = new Map(
    Object.entries(table).map(([name, metric]) => [name, instrumentOf(metric, registry)] as const),
  );
  const clear = (name: string) => {
    const instrument = made.get(name);
    instrument?.reset();
    // A reset leaves the value 0 where there are no labels.
    if (instrument instanceof Gauge && !hasLabels(table[name])) instrument.remove();
  };
  for (const [name, { kind }] of Object.entries(table)) if (kind === 'gauge') clear(name);
  return {
    instruments: Object.fromEntries(made) as Instruments<Table>,
    clear: (name) => clear(String(name)),
    labelAll: (labels) => registry.setDefaultLabels(labels),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function instrumentOf(metric: Metric, registry: Registry) {
  const { name, help } = metric;
  const common = { name, help, labelNames: Object.keys(metric.labels), registers: [registry] };
  if (metric.kind === 'counter') return new Counter(common);
  if (metric.kind === 'gauge') return new Gauge(common);
  return new Histogram({ ...common, buckets: [...metric.buckets] });
}

function hasLabels(metric: Metric | undefined): boolean {
  return metric !== undefined && Object.keys(metric.labels).length > 0;
}
