import { Queue } from 'bullmq';
import type { QueueName } from '../../src/engine/dispatch/jobs.js';
import { bullPrefix, partName } from '../../src/engine/dispatch/parts/queue-part.js';
import type { Queues } from '../../src/engine/dispatch/queues.js';
import type { TestFabula } from './fabula.js';
import type { TestStores } from './stores.js';

/** The first part of a queue: all of it, unless a test spreads it. */
export function queueNamed(queues: Pick<Queues, 'at'>, queue: QueueName): Queue {
  return queues.at({ queue, part: 1 });
}

/** The same of a Fabula in another process, in the Redis that it uses. */
export function queueOf(
  { config }: Pick<TestFabula, 'config'>,
  queue: QueueName,
  stores: Pick<TestStores, 'redis' | 'onClose'>,
): Queue {
  const part = { queue, part: 1 };
  const prefix = bullPrefix(config.queuePrefix, part);
  const opened = new Queue(partName(part), { connection: stores.redis, prefix, skipVersionCheck: true });
  stores.onClose(() => opened.close());
  return opened;
}
