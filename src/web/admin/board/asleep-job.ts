import { Job, type Queue } from 'bullmq';
import { BadRequest } from '../../../platform/errors.js';
import type { DeliveryJob } from '../../../engine/face.js';
import type { OpenDelivery } from './delivery-titles-store.js';
import { titleOf } from './job-title.js';

const PREFIX = 'delivery-';

/** Returns the id of a delivery that has no job; undefined for the id of a job. */
export function asleepIdOf(jobId: string): number | undefined {
  const [, id] = new RegExp(`^${PREFIX}(\\d{1,16})$`).exec(jobId) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** A delivery that waits without a job, in the form of a job. It is shown, and cannot be changed. */
export class AsleepJob extends Job<DeliveryJob> {
  readonly #state: 'delayed' | 'waiting-children';

  constructor(queue: Queue, delivery: OpenDelivery) {
    const { id, generation, createdAt, dueAt } = delivery;
    const isParked = delivery.state === 'parked';
    const timestamp = createdAt.getTime();
    const delay = isParked ? 0 : Math.max(0, dueAt.getTime() - timestamp);
    super(queue, titleOf(delivery), { deliveryId: id, generation }, { timestamp, delay }, `${PREFIX}${id}`);
    this.#state = isParked ? 'waiting-children' : 'delayed';
    this.attemptsMade = delivery.attempts;
    if (delivery.error !== null) this.failedReason = delivery.error;
  }

  override getState(): Promise<'delayed' | 'waiting-children'> {
    return Promise.resolve(this.#state);
  }

  override promote(): Promise<void> {
    return refused();
  }

  override remove(): Promise<void> {
    return refused();
  }

  override retry(): Promise<void> {
    return refused();
  }

  override updateData(): Promise<void> {
    return refused();
  }

  override changeDelay(): Promise<void> {
    return refused();
  }

  override changePriority(): Promise<void> {
    return refused();
  }

  override removeUnprocessedChildren(): Promise<void> {
    return refused();
  }
}

function refused(): Promise<never> {
  return Promise.reject(
    new BadRequest('This delivery is waiting in MySQL: cancel its run through the API instead'),
  );
}
