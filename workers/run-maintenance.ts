import { createRelayWatch } from '../src/engine/recovery/relay-watch.js';
import { messageOf } from '../src/platform/errors.js';
import type { WorkerServices } from '../src/app/worker-services.js';
import { endUnhealthy } from './end-unhealthy.js';

/** The background work of the maintenance worker, until the signal aborts. */
export async function runMaintenance(services: WorkerServices, signal: AbortSignal): Promise<void> {
  const watch = createRelayWatch({
    redisAnswers: () =>
      services.redis.ping().then(
        () => true,
        () => false,
      ),
    onStuck: (error) =>
      endUnhealthy(services.logger, 'the relay has failed for minutes: this process ends', {
        error: messageOf(error),
      }),
  });
  await Promise.all([
    services.relay.run(signal, watch),
    services.feeder.run(signal),
    services.parkedSweeper.run(signal),
    services.scheduler.run(signal),
    services.caseNotifier.run(signal),
    services.failureNotifier.run(signal),
    services.actionWatcher.run(signal),
    services.recordChores.run(signal),
    services.retention.run(signal),
    services.statisticsCounter.run(signal),
  ]);
}
