import { setMaxListeners } from 'node:events';
import { createRelayWatch } from '../src/engine/recovery/relay-watch.js';
import { pingRedis } from '../src/platform/redis/masters.js';
import { messageOf } from '../src/platform/errors.js';
import type { WorkerServices } from '../src/app/worker-services.js';
import { endUnhealthy } from './end-unhealthy.js';

/** Listeners of the rest of the worker, at most. */
const OTHER_LISTENERS = 10;

/** The background work of the maintenance worker, until the signal aborts. */
export async function runMaintenance(services: WorkerServices, signal: AbortSignal): Promise<void> {
  const watch = createRelayWatch({
    redisAnswers: () =>
      pingRedis(services.redis).then(
        () => true,
        () => false,
      ),
    onStuck: (error) =>
      endUnhealthy(services.logger, 'the relay has failed for minutes: this process ends', {
        error: messageOf(error),
      }),
  });
  const loops = [
    { run: (until: AbortSignal) => services.relay.run(until, watch) },
    services.feeder,
    services.parkedSweeper,
    services.scheduler,
    services.caseNotifier,
    services.failureNotifier,
    services.actionWatcher,
    services.digestMaker,
    services.noticeSender,
    services.recordChores,
    services.retention,
    services.statisticsCounter,
    ...(services.valueIndexer === undefined ? [] : [services.valueIndexer]),
  ];
  // Each loop listens while it pauses; Node takes more than ten listeners for a leak.
  setMaxListeners(loops.length + OTHER_LISTENERS, signal);
  await Promise.all(loops.map((loop) => loop.run(signal)));
}
