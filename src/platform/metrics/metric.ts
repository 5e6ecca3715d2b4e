/** A declared metric: its name, its meaning, and where it is counted. */
interface Declared<Kind extends string, Label extends string> {
  kind: Kind;
  /** The name that Prometheus shows, with the unit at its end: `fabula_batch_seconds`. */
  name: string;
  /** One sentence. */
  help: string;
  /** The labels, each with its possible values in words. */
  labels: Readonly<Record<Label, string>>;
  /** The processes that export it, in words. */
  where: string;
}

/** A number that only grows while the process lives. */
export type CounterMetric<Label extends string> = Declared<'counter', Label>;

/** A number that goes up and down. */
export type GaugeMetric<Label extends string> = Declared<'gauge', Label>;

/** How values spread: one count for each upper bound. */
export interface HistogramMetric<Label extends string> extends Declared<'histogram', Label> {
  /** Upper bounds, ascending. */
  buckets: readonly number[];
}

/** A declared metric of any kind. */
export type Metric = CounterMetric<string> | GaugeMetric<string> | HistogramMetric<string>;

/** Name, help and place of a metric; `labels` only if it has some. */
interface Facts<Label extends string> {
  name: string;
  help: string;
  where: string;
  labels?: Readonly<Record<Label, string>>;
}

/** Declares a counter. */
export function counter<Label extends string = never>(facts: Facts<Label>): CounterMetric<Label> {
  return { kind: 'counter', ...declared(facts) };
}

/** Declares a gauge. */
export function gauge<Label extends string = never>(facts: Facts<Label>): GaugeMetric<Label> {
  return { kind: 'gauge', ...declared(facts) };
}

/** Declares a histogram. */
export function histogram<Label extends string = never>(
  facts: Facts<Label> & { buckets: readonly number[] },
): HistogramMetric<Label> {
  return { kind: 'histogram', ...declared(facts), buckets: facts.buckets };
}

function declared<Label extends string>({ name, help, where, labels }: Facts<Label>) {
  return { name, help, where, labels: labels ?? ({} as Readonly<Record<Label, string>>) };
}
