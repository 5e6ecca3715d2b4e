import { countSessions } from '../../people/face.js';
import { countByState, overdueSeconds, readQueueFigures } from '../../engine/face.js';
import { messageOf } from '../../platform/errors.js';
import type { Instruments } from '../../platform/metrics/metric-registry.js';
import { createSharedReading } from '../../platform/metrics/shared-reading.js';
import { scheduleLagSeconds } from '../../stories/face.js';
import { indexLagSeconds } from '../../observe/face.js';
import type { CoreServices } from '../services/core-services.js';
import type { MetricList } from './metric-list.js';

/** Readers within this time share one reading of each store. */
const EVERY_MS = 5_000;
/** Less than Prometheus waits for a response: ten seconds. */
const LIMIT_MS = 2_000;

/** One question to a store, and the gauges that show its answer. */
interface StoreReading<T> {
  name: 'deliveries' | 'lags' | 'queues' | 'spool' | 'sessions';
  read(): Promise<T>;
  set(value: T): void;
  gauges: readonly (keyof MetricList)[];
}

/**
 * Adds what one process says about the whole installation: a question to the stores for each, when somebody reads. While
 * `isOnDuty` is false the process says nothing of it, and asks nothing.
 */
export function addStoreReadings(core: CoreServices, isOnDuty: () => boolean): void {
  const { metrics, loggers } = core;
  if (metrics === undefined) return;
  const add = <T>({ name, gauges, ...reading }: StoreReading<T>) => {
    // A figure that is out of date must not be shown.
    const leave = () => {
      for (const gauge of gauges) metrics.clear(gauge);
    };
    const failed = (error: unknown) => {
      leave();
      metrics.instruments.readingFailures.inc({ reading: name });
      loggers.stores.debug('could not read the metrics of a store', {
        reading: name,
        error: messageOf(error),
      });
    };
    const rules = { everyMs: EVERY_MS, limitMs: LIMIT_MS, isOurs: isOnDuty };
    metrics.onReading(createSharedReading({ ...reading, ...rules, failed, leave }));
  };
  add(deliveriesOf(core, metrics.instruments));
  add(lagsOf(core, metrics.instruments));
  add(queuesOf(core, metrics.instruments));
  add(spoolOf(core, metrics.instruments));
  add(sessionsOf(core, metrics.instruments));
}

function deliveriesOf({ database }: CoreServices, { deliveries, deadLetters }: Instruments<MetricList>) {
  return {
    name: 'deliveries' as const,
    read: () => database.read(countByState),
    set(counted: Awaited<ReturnType<typeof countByState>>) {
      for (const [state, count] of counted) {
        if (state === 'failed') deadLetters.set(count);
        else deliveries.set({ state }, count);
      }
    },
    gauges: ['deliveries', 'deadLetters'] as const,
  };
}

function lagsOf(
  { config, database }: CoreServices,
  { relayLag, scheduleLag, searchIndexLag }: Instruments<MetricList>,
) {
  const hasIndex = config.runSearchIndex === 'on';
  return {
    name: 'lags' as const,
    read: () =>
      database.read(async (session) => ({
        relay: await overdueSeconds(session),
        schedule: await scheduleLagSeconds(session),
        index: hasIndex ? await indexLagSeconds(session) : undefined,
      })),
    set(seconds: { relay: number; schedule: number; index: number | undefined }) {
      relayLag.set(seconds.relay);
      scheduleLag.set(seconds.schedule);
      if (seconds.index !== undefined) searchIndexLag.set(seconds.index);
    },
    gauges: ['relayLag', 'scheduleLag', 'searchIndexLag'] as const,
  };
}

function queuesOf({ queues, redis }: CoreServices, { queueJobs, queueOldest }: Instruments<MetricList>) {
  return {
    name: 'queues' as const,
    read: () => readQueueFigures(queues, redis),
    set(figures: Awaited<ReturnType<typeof readQueueFigures>>) {
      for (const { queue, oldestMs, waiting, active, delayed } of figures) {
        queueOldest.set({ queue }, oldestMs / 1000);
        for (const [state, jobs] of Object.entries({ waiting, active, delayed })) {
          queueJobs.set({ queue, state }, jobs);
        }
      }
    },
    gauges: ['queueJobs', 'queueOldest'] as const,
  };
}

function spoolOf({ spoolLevel }: CoreServices, { spoolBytes, spoolLimit }: Instruments<MetricList>) {
  return {
    name: 'spool' as const,
    read: () => spoolLevel(),
    set({ heldBytes, limitBytes }: Awaited<ReturnType<CoreServices['spoolLevel']>>) {
      spoolBytes.set(heldBytes);
      spoolLimit.set(limitBytes);
    },
    gauges: ['spoolBytes', 'spoolLimit'] as const,
  };
}

function sessionsOf({ database }: CoreServices, { consoleSessions }: Instruments<MetricList>) {
  return {
    name: 'sessions' as const,
    read: () => database.read(countSessions),
    set: (count: number) => consoleSessions.set(count),
    gauges: ['consoleSessions'] as const,
  };
}
