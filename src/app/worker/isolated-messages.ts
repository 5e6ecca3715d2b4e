import type { DeliveryJob, DeliverySummary } from '../../engine/face.js';

/** Messages from a worker to its isolated process, for one job at a time. */
export type IsolatedOrder =
  | { kind: 'run'; job: DeliveryJob }
  /** `late`: its deadline has passed. `taken`: another worker has the job. */
  | { kind: 'stop'; reason: 'late' | 'taken' };

/** Messages from the isolated process to its worker. */
export type IsolatedReport =
  /** It can receive jobs from now on. */
  | { kind: 'ready' }
  | { kind: 'ended'; summary: DeliverySummary }
  /** The job failed, but not because of the action: the relay retries it. */
  | { kind: 'undone'; error: string };
