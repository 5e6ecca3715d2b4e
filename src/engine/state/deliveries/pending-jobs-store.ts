import type { Session } from '../../../platform/mysql/session.js';
import type { JobRef } from './delivery-job.js';

/** A job, and the run of its delivery. */
export interface RunJob extends JobRef {
  storyRunGuid: string;
}

/** Most jobs that one query returns; the relay finds the others. */
const MOST_JOBS = 5_000;

/** Returns a job for each pending delivery of these runs. Those that have one already are not added twice: their ids are the same. */
export function pendingJobsOf(session: Session, storyRunGuids: string[]): Promise<RunJob[]> {
  if (storyRunGuids.length === 0) return Promise.resolve([]);
  return session.rows<RunJob>(
    `SELECT queue, story_id AS storyId, id AS deliveryId, generation, story_run_guid AS storyRunGuid
     FROM deliveries FORCE INDEX (deliveries_run) WHERE story_run_guid IN (?) AND state = 'pending' LIMIT ?`,
    [storyRunGuids, MOST_JOBS],
  );
}
