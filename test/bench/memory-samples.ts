import type { Product, Row } from './measure.js';
import { atMost } from './verdicts.js';

const MIB = 2 ** 20;
const SAMPLE_MS = 500;
/** Flat: what a process has at the end is so much more than after a third, at most. */
const FLAT = { times: 1.2, plusMib: 16 };

/** Memory of each process over time, in MiB. */
export type MemorySamples = Map<string, number[]>;

/** Looks at the memory of the product's processes for as long as `work` lasts. */
export async function sampleMemory(
  { processes }: Pick<Product, 'processes'>,
  work: () => Promise<void>,
): Promise<MemorySamples> {
  const samples: MemorySamples = new Map();
  const sampling = setInterval(() => {
    for (const [name, { memory }] of processes)
      samples.set(name, [...(samples.get(name) ?? []), memory() / MIB]);
  }, SAMPLE_MS);
  await work().finally(() => clearInterval(sampling));
  return samples;
}

/** One row for each process: whether its memory stayed as it was. */
export function memoryRows(measure: number, when: string, samples: MemorySamples): Row[] {
  return [...samples].map(([name, values]) => {
    const early = values[Math.floor(values.length / 3)] ?? 0;
    const late = values.at(-1) ?? 0;
    return {
      measure,
      what: `memory of ${name} at the end of ${when} (a third through: ${Math.round(early)})`,
      unit: 'MiB',
      product: late,
      mustReach: 'flat',
      verdict: atMost(late, early * FLAT.times + FLAT.plusMib),
    };
  });
}
