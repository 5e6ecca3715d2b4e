import { setMaxListeners } from 'node:events';
import { createRelayWatch } from '../../engine/face.js';
import { isTransient } from '../../platform/mysql/db-errors.js';
import { createDuty } from '../../platform/redis/duty.js';
import { pingRedis } from '../../platform/redis/masters.js';
import { messageOf } from '../../platform/errors.js';
import type { WorkerServices } from '../services/worker-services.js';
import { endUnhealthy } from './end-unhealthy.js';

/** Listeners of the rest of the worker, at most. */
const OTHER_LISTENERS = 10;

/**
 * The background work of the maintenance worker, until the signal aborts. One of the processes is on duty; the others only ask
 * whether it still is. A process that does not reach the database lets another one try. `onDuty` is told whether this process is on duty.
 */
export async function runMaintenance(
  services: WorkerServices,
  signal: AbortSignal,
  onDuty: (isOn: boolean) => void,
): Promise<void> {
  const { config, loggers, redis } = services;
  const duty = createDuty({ redis, key: `${config.queuePrefix}:duty:maintenance`, logger: loggers.upkeep });
  const watch = createRelayWatch({
    redisAnswers: () =>
      pingRedis(services.redis).then(
        () => true,
        () => false,
      ),
    onStuck: (error) =>
      endUnhealthy(services.logger, 'the relay has been failing for minutes: exiting', {
        error: messageOf(error),
      }),
  });
  const relayWatch = {
    ...watch,
    async failed(error: unknown) {
      if (isTransient(error)) duty.offer();
      await watch.failed(error);
    },
  };
  const { relay, ...others } = services.loops;
  const loops = [
    { run: (until: AbortSignal) => relay.run(until, relayWatch) },
    ...Object.values(others).filter((loop) => loop !== undefined),
  ];
  await duty.run(signal, {
    work(until) {
      onDuty(!until.aborted);
      // Each loop listens while it pauses; Node takes more than ten listeners for a leak.
      setMaxListeners(loops.length + OTHER_LISTENERS, until);
      return Promise.all(loops.map((loop) => loop.run(until)));
    },
    rest: () => onDuty(false),
  });
}
