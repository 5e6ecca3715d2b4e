import type { Queue } from 'bullmq';
import type { QueueName } from '../../src/engine/dispatch/jobs.js';
import type { Queues } from '../../src/engine/dispatch/queues.js';

/** The first part of a queue: all of it, unless a test spreads it. */
export function queueNamed(queues: Pick<Queues, 'at'>, queue: QueueName): Queue {
  return queues.at({ queue, part: 1 });
}
