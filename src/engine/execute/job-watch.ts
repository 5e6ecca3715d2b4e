import type { DeliveryRow } from '../state/delivery-store.js';
import type { Work } from './call.js';
import type { LogJob } from './job-log.js';
import type { DeliverySummary } from './delivery-summary.js';

/** Follows one job from the load of its delivery to its end. */
export interface JobWatch {
  /** Its story, action and event are known: the action runs next. */
  found(work: Work): void;
  /** The outcome is committed, or somebody was faster. */
  ended(summary: DeliverySummary): void;
  /** The job did not take effect; another one does its work later. */
  putBack(error: unknown): void;
}

export type WatchJob = (delivery: DeliveryRow) => JobWatch;

class LoggedJob implements JobWatch {
  private readonly began = performance.now();
  private work: Work | undefined;

  constructor(
    private readonly delivery: DeliveryRow,
    private readonly log: LogJob,
  ) {}

  found(work: Work): void {
    this.work = work;
  }

  ended({ outcome }: Pick<DeliverySummary, 'outcome'>): void {
    this.tell(outcome);
  }

  putBack(): void {
    this.tell('put back');
  }

  private tell(outcome: DeliverySummary['outcome'] | 'put back'): void {
    const { delivery, work } = this;
    this.log({ delivery, work, outcome, durationMs: performance.now() - this.began });
  }
}

/** Returns what follows jobs for the log. */
export function watchForLog(log: LogJob): WatchJob {
  return (delivery) => new LoggedJob(delivery, log);
}
