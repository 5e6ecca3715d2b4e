import type { Database } from '../../platform/mysql/database.js';
import { CommitUnknown } from '../../platform/mysql/db-errors.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import { pendingJobsOf } from '../state/deliveries/pending-jobs-store.js';

/** Most runs that are remembered; the relay finds the jobs of the others. */
const MOST_RUNS = 10_000;

export interface UnknownCommitsDeps {
  database: Pick<Database, 'read'>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
}

/** Adds the jobs of transactions whose COMMIT had no response and took effect. */
export interface UnknownCommits {
  /**
   * Runs `commit`, which is repeated after a COMMIT without a response, and then finds its tokens gone. After the repetition
   * each pending delivery of these runs gets a job; without that it would wait half a minute for the relay.
   */
  settle<T>(storyRunGuids: string[], commit: () => Promise<T>): Promise<T>;
}

export function createUnknownCommits({ database, dispatcher }: UnknownCommitsDeps): UnknownCommits {
  const unknown = new Set<string>();
  const note = (guids: string[]) => {
    for (const guid of guids) if (unknown.size < MOST_RUNS) unknown.add(guid);
  };
  const addJobs = async (guids: string[]) => {
    dispatcher.dispatch(
      await retryTransient(() => database.read((session) => pendingJobsOf(session, guids))),
    );
    for (const guid of guids) unknown.delete(guid);
  };
  return {
    async settle(storyRunGuids, commit) {
      try {
        const result = await commit();
        const guids = unknown.size === 0 ? [] : storyRunGuids.filter((guid) => unknown.has(guid));
        if (guids.length > 0) await addJobs(guids);
        return result;
      } catch (error) {
        if (error instanceof CommitUnknown) note(storyRunGuids);
        throw error;
      }
    },
  };
}
