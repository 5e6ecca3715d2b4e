import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Instruments } from '../../platform/metrics/metric-registry.js';
import { productVersion } from '../../platform/outbound/product-version.js';
import type { MetricList } from './metric-list.js';

/** Interval of the timer whose delay is measured: Node counts the interval as part of the delay. */
const LOOP_RESOLUTION_MS = 20;
/** Readers within this time see the same delays. */
const LOOP_WINDOW_MS = 10_000;
const PERCENTILES = [50, 99, 100];

/** Returns the function that sets what is known of the process itself, at the time of a reading. */
export function createProcessGauges(instruments: Instruments<MetricList>): () => void {
  const { build, startTime, cpu, loopActive, residentMemory, heapUsed } = instruments;
  build.set({ version: productVersion(), node: process.versions.node }, 1);
  startTime.set(performance.timeOrigin / 1000);
  const cpuSeconds = growing(() => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const activeSeconds = growing(() => performance.eventLoopUtilization().active / 1000);
  const setLoopDelay = createLoopDelay(instruments.loopDelay);
  return () => {
    cpu.inc(cpuSeconds());
    loopActive.inc(activeSeconds());
    const { rss, heapUsed: used } = process.memoryUsage();
    residentMemory.set(rss);
    heapUsed.set(used);
    setLoopDelay();
  };
}

/** Returns a function for the growth of `total` since its last call. */
function growing(total: () => number): () => number {
  let before = 0;
  return () => {
    const now = total();
    const grown = Math.max(0, now - before);
    before = now;
    return grown;
  };
}

/** Measures from the first reading on: a process that nobody reads has no timer for it. */
function createLoopDelay(gauge: Instruments<MetricList>['loopDelay']): () => void {
  let delays: IntervalHistogram | undefined;
  let since = 0;
  return () => {
    if (delays === undefined) {
      delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
      delays.enable();
      since = performance.now();
    }
    if (delays.count === 0) return;
    for (const percentile of PERCENTILES) {
      gauge.set({ percentile: String(percentile) }, secondsAt(delays, percentile));
    }
    if (performance.now() - since < LOOP_WINDOW_MS) return;
    delays.reset();
    since = performance.now();
  };
}

function secondsAt(delays: IntervalHistogram, percentile: number): number {
  return Math.max(0, delays.percentile(percentile) / 1e6 - LOOP_RESOLUTION_MS) / 1000;
}
