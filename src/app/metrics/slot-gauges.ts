import type { Instruments } from '../../platform/metrics/metric-registry.js';
import type { QueuePart } from '../../engine/face.js';
import type { MetricList } from './metric-list.js';

/** The worker of a part of a queue, as far as its slots matter. */
interface WithSlots {
  part: QueuePart;
  slots(): { used: number; limit: number };
}

/** Returns the function that sets how many jobs of each queue this process runs, and how many it can. */
export function createSlotGauges(
  { slots, slotsUsed }: Instruments<MetricList>,
  workers: readonly WithSlots[],
): () => void {
  return () => {
    const sums = new Map<string, { used: number; limit: number }>();
    for (const worker of workers) {
      const { used, limit } = worker.slots();
      const { queue } = worker.part;
      const before = sums.get(queue) ?? { used: 0, limit: 0 };
      sums.set(queue, { used: before.used + used, limit: before.limit + limit });
    }
    for (const [queue, { used, limit }] of sums) {
      slots.set({ queue }, limit);
      slotsUsed.set({ queue }, used);
    }
  };
}
