import { setMaxListeners } from 'node:events';
import { createRelayWatch } from '../../engine/face.js';
import { isTransient } from '../../platform/mysql/db-errors.js';
import { createLeaderElection } from '../../platform/redis/leader-election.js';
import { pingRedis } from '../../platform/redis/masters.js';
import { messageOf } from '../../platform/errors.js';
import type { WorkerServices } from '../services/worker-services.js';
import { endUnhealthy } from './end-unhealthy.js';

/** Listeners of the rest of the worker, at most. */
const OTHER_LISTENERS = 10;

/**
 * The background work of the maintenance worker, until the signal aborts. One of the processes is the leader; the others only ask
 * whether it still is. A process that does not reach the database yields. `onLeadership` gets whether this process leads.
 */
export async function runMaintenance(
  services: WorkerServices,
  signal: AbortSignal,
  onLeadership: (isOn: boolean) => void,
): Promise<void> {
  const { config, loggers, redis } = services;
  const leadership = createLeaderElection({
    redis,
    key: `${config.queuePrefix}:duty:maintenance`,
    logger: loggers.upkeep,
  });
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
      if (isTransient(error)) leadership.yield();
      await watch.failed(error);
    },
  };
  const { relay, ...others } = services.loops;
  const loops = [
    { run: (until: AbortSignal) => relay.run(until, relayWatch) },
    ...Object.values(others).filter((loop) => loop !== undefined),
  ];
  await leadership.run(signal, {
    work(until) {
      onLeadership(!until.aborted);
      // Each loop listens while it pauses; Node takes more than ten listeners for a leak.
      setMaxListeners(loops.length + OTHER_LISTENERS, until);
      return Promise.all(loops.map((loop) => loop.run(until)));
    },
    onFollower: () => onLeadership(false),
  });
}
