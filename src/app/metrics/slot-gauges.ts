import type { Instruments } from '../../platform/metrics/metric-registry.js';
import type { MetricList } from './metric-list.js';

/** A queue's worker, as far as its slots matter. */
interface WithSlots {
  name: string;
  slots(): { used: number; limit: number };
}

/** Returns the function that sets how many jobs each worker of this process runs, and how many it can. */
export function createSlotGauges(
  { slots, slotsUsed }: Instruments<MetricList>,
  workers: readonly WithSlots[],
): () => void {
  return () => {
    for (const worker of workers) {
      const { used, limit } = worker.slots();
      slots.set({ queue: worker.name }, limit);
      slotsUsed.set({ queue: worker.name }, used);
    }
  };
}
