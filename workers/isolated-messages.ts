import type { DeliverySummary } from '../src/engine/execute/run-delivery.js';
import type { DeliveryJob } from '../src/engine/state/delivery-job.js';

/** What a worker tells the process that runs jobs alone. One job at a time. */
export type LoneOrder =
  | { kind: 'run'; job: DeliveryJob }
  /** `late`: its deadline has passed. `taken`: another worker has the job. */
  | { kind: 'stop'; reason: 'late' | 'taken' };

/** What that process answers. */
export type LoneReport =
  /** It can take jobs from now on. */
  | { kind: 'ready' }
  | { kind: 'ended'; summary: DeliverySummary }
  /** The job came to nothing, and that is not the action's fault: the relay has it tried again. */
  | { kind: 'undone'; error: string };
