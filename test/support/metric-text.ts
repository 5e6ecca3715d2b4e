/** One line of the text format of Prometheus. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The figures of one or several processes. */
export interface Figures {
  samples: readonly Sample[];
  /** The sum of all samples with the name and at least these labels; undefined if there is none. */
  sum(name: string, labels?: Record<string, string>): number | undefined;
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;

/** Reads the text format of Prometheus. @throws Error for a line that is none. */
export function figuresIn(...texts: string[]): Figures {
  const lines = texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== '' && !line.startsWith('#'));
  const samples = lines.map(sampleIn);
  return {
    samples,
    sum(name, labels = {}) {
      const found = samples.filter((sample) => sample.name === name && bears(sample, labels));
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

function sampleIn(line: string): Sample {
  const { name = '', labels = '', value = '' } = LINE.exec(line)?.groups ?? {};
  if (name === '') throw new Error(`no figure: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text])),
    value: Number(value),
  };
}

function bears({ labels }: Sample, wanted: Record<string, string>): boolean {
  return Object.entries(wanted).every(([label, value]) => labels[label] === value);
}
