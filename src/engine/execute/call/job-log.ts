import type { Logger } from '../../../platform/logger.js';
import { createJobSampler } from '../../dispatch/adding/job-sampler.js';
import type { DeliveryRow } from '../../state/deliveries/delivery-store.js';
import type { DeliverySummary } from '../delivery-summary.js';
import type { Work } from './call.js';

/** A job that has ended, for its log line. */
export interface EndedJob {
  delivery: DeliveryRow;
  /** Undefined: the action was not looked for, or has been deleted. */
  work: Pick<Work, 'story' | 'agent'> | undefined;
  outcome: DeliverySummary['outcome'] | 'put back';
  /** Milliseconds from the load of the delivery to the COMMIT of its outcome. */
  durationMs: number;
}

/** Writes one line for a job. */
export type LogJob = (job: EndedJob) => void;

/**
 * Returns what writes the line of each job, always with the same keys. Jobs that failed for good are logged at `info`: a
 * thousand, then ten a second (`left_out` counts the others); all others at `debug`. No line has content of a tenant, so
 * it lacks the error: the dead letter has it (docs/operate/logs.md).
 */
export function createJobLog(logger: Logger, isKept: () => boolean = createJobSampler()): LogJob {
  let leftOut = 0;
  return (job) => {
    const isFailure = job.outcome === 'failed' || job.outcome === 'handled';
    const level = isFailure ? 'info' : 'debug';
    if (!logger.isLevelEnabled(level)) return;
    if (isFailure && !isKept() && !logger.isLevelEnabled('debug')) {
      leftOut += 1;
      return;
    }
    logger.log(level, 'job', { ...lineOf(job), ...(isFailure && leftOut > 0 && { left_out: leftOut }) });
    if (isFailure) leftOut = 0;
  };
}

function lineOf({ delivery, work, outcome, durationMs }: EndedJob): object {
  return {
    queue: delivery.queue,
    outcome,
    duration_ms: Math.round(durationMs * 10) / 10,
    story_run_guid: delivery.storyRunGuid,
    story_id: delivery.storyId,
    agent_id: delivery.agentId,
    agent_type: work?.agent.type ?? null,
    tenant_id: work?.story.tenantId ?? null,
    event_id: delivery.eventId,
    delivery_id: delivery.id,
    attempt: delivery.attempts + 1,
    depth: delivery.depth,
  };
}
