import { Unprocessable } from '../../platform/errors.js';
import { objectOfLines } from '../../platform/json/json-lines.js';
import { inSlices } from '../../platform/steps.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { StoredStory } from '../export/story-export-store.js';
import { storyOfSnapshot } from './version-snapshot.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'read-snapshot': typeof import('./read-snapshot-task.js').linesOfSnapshot;
  }
}

/** Texts up to this length are parsed on the event loop. */
const AT_ONCE_CHARACTERS = 64 * 1024;
const DEADLINE_MS = 20_000;

/** Returns the story of a snapshot of this tenant: a large one is parsed in a thread. */
export type SnapshotReader = (tenantId: number, text: string) => Promise<StoredStory>;

/** @throws Unprocessable for a snapshot that is too expensive to parse; ThreadsBusy. */
export function createSnapshotReader(threads: Pick<ThreadPool, 'run'>): SnapshotReader {
  return async (tenantId, text) => {
    if (text.length <= AT_ONCE_CHARACTERS) return storyOfSnapshot(text);
    try {
      const options = { tenantId, bytes: 2 * text.length, deadlineMs: DEADLINE_MS };
      const lines = await threads.run('read-snapshot', text, options);
      return (await inSlices(objectOfLines(lines))) as unknown as StoredStory;
    } catch (error) {
      if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
      throw new Unprocessable([{ message: `The version is too large to read: ${error.message}` }]);
    }
  };
}
