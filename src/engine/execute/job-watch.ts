import type { DeliveryRow } from '../state/deliveries/delivery-store.js';
import type { Work } from './call/call.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import type { Mailer } from '../../platform/outbound/mail/mail.js';
import type { JobClients } from './call/job-clients.js';
import type { LogJob } from './call/job-log.js';
import type { DeliverySummary } from './delivery-summary.js';

/** Follows one job from the load of its delivery to its end. */
export interface JobWatch extends JobClients {
  /** Its story, action and event are known: the action runs next. */
  found(work: Work): void;
  /** The action has run; its outcome is stored next. */
  storing?(): void;
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

/** Two watches of one job. The second may replace clients. */
class TwoWatches implements JobWatch {
  constructor(
    private readonly first: JobWatch,
    private readonly second: JobWatch,
  ) {}

  found(work: Work): void {
    this.first.found(work);
    this.second.found(work);
  }

  storing(): void {
    this.second.storing?.();
  }

  client(http: HttpClient): HttpClient {
    return this.second.client?.(http) ?? http;
  }

  mailer(mailer: Mailer): Mailer {
    return this.second.mailer?.(mailer) ?? mailer;
  }

  ended(summary: DeliverySummary): void {
    this.first.ended(summary);
    this.second.ended(summary);
  }

  putBack(error: unknown): void {
    this.first.putBack(error);
    this.second.putBack(error);
  }
}

/** Returns what follows jobs with `first`, and those that `second` watches with both. */
export function watchBoth(
  first: WatchJob,
  second: ((delivery: DeliveryRow) => JobWatch | undefined) | undefined,
): WatchJob {
  if (second === undefined) return first;
  return (delivery) => {
    const other = second(delivery);
    return other === undefined ? first(delivery) : new TwoWatches(first(delivery), other);
  };
}

/** Returns what follows jobs for the log. */
export function watchForLog(log: LogJob): WatchJob {
  return (delivery) => new LoggedJob(delivery, log);
}
