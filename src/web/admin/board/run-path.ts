import type { Job } from 'bullmq';
import { isDeliveryJob } from '../../../engine/face.js';
import { fromBoard, RUNS_PATH } from '../admin-paths.js';

const RUNS_FROM_BOARD = fromBoard(RUNS_PATH);
const GUID = /^[0-9a-f-]{36}$/;

/**
 * Returns the path of the page about a job's run; the board's own for a job that was added by hand. It is relative to the
 * base of the board's page, so that it keeps the prefix of a proxy.
 */
export function runPathOf({ data, returnvalue }: Pick<Job, 'data' | 'returnvalue'>): string {
  // A spooled run names its guid, and so does the result of every delivery that is done.
  const guid: unknown = returnvalue?.storyRunGuid ?? data?.guid;
  if (typeof guid === 'string' && GUID.test(guid)) return `${RUNS_FROM_BOARD}/${guid}`;
  return isDeliveryJob(data) ? `${RUNS_FROM_BOARD}?delivery=${data.deliveryId}` : './';
}
