import type { Instruments } from '../../platform/metrics/metric-registry.js';
import { createSharedReading } from '../../platform/metrics/shared-reading.js';
import type { MetricList } from './metric-list.js';

const EVERY_MS = 5_000;
const LIMIT_MS = 2_000;

/** Returns the function that measures how long a store takes to answer this process. */
export function createStoreResponseTime(
  store: 'mysql' | 'redis',
  ping: () => Promise<unknown>,
  { storeUp, storeAnswerSeconds, readingFailures }: Instruments<MetricList>,
): () => Promise<void> {
  return createSharedReading({
    async read() {
      const began = performance.now();
      await ping();
      return performance.now() - began;
    },
    set(tookMs) {
      storeUp.set({ store }, 1);
      storeAnswerSeconds.set({ store }, tookMs / 1000);
    },
    failed() {
      storeUp.set({ store }, 0);
      storeAnswerSeconds.remove({ store });
      readingFailures.inc({ reading: store });
    },
    everyMs: EVERY_MS,
    limitMs: LIMIT_MS,
  });
}
