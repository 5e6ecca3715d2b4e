import { growthOf } from '../soak/growth.js';
import type { Sample } from '../soak/soak-samples.js';
import type { Product, Row } from './measure.js';

const MIB = 2 ** 20;
const SAMPLE_MS = 500;

/** Looks at the memory of the product's processes, in MiB, for as long as `work` lasts. */
export async function sampleMemory(
  { processes }: Pick<Product, 'processes'>,
  work: () => Promise<void>,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const sampling = setInterval(() => {
    samples.push(new Map([...processes].map(([name, { memory }]) => [`memory of ${name}`, memory() / MIB])));
  }, SAMPLE_MS);
  await work().finally(() => clearInterval(sampling));
  return samples;
}

/**
 * One row for each process: whether its memory stayed as it was. Medians of quarters are compared, because memory rises and
 * falls by a quarter between two collections of garbage.
 */
export function memoryRows(measure: number, when: string, samples: Sample[]): Row[] {
  return growthOf(samples).map(({ figure, early, late, grew }) => ({
    measure,
    what: `${figure} in the last quarter of ${when} (in the second: ${Math.round(early.median)})`,
    unit: 'MiB',
    product: late.median,
    mustReach: 'flat',
    verdict: grew ? 'missed' : 'reached',
  }));
}
