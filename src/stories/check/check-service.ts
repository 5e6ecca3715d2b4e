import { type Actor, canWrite } from '../../api/face.js';
import type { TenantQuotas } from '../../people/face.js';
import { NotFound, Unprocessable } from '../../platform/errors.js';
import { jsonSteps } from '../../platform/json/json-steps.js';
import { inSlices } from '../../platform/steps.js';
import type { Database } from '../../platform/mysql/database.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { exportStory } from '../export/export.js';
import { exportWithoutSecrets } from '../agents/hidden-options.js';
import { visibleStory } from '../story/visible-story.js';
import type { CheckedStory } from './check-task.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'check-story': typeof import('./check-task.js').checkStoryText;
  }
}

export interface CheckServiceDeps {
  database: Pick<Database, 'read'>;
  threads: Pick<ThreadPool, 'run'>;
  quotas: Pick<TenantQuotas, 'add' | 'requireArrival'>;
}

/** A story to check: the text of an export, or the id of a stored story or draft. */
export type Checkable = { text: string } | { storyId: number };

const DEADLINE_MS = 20_000;

export type CheckService = ReturnType<typeof createCheckService>;

/** Checks stories in a thread, as `fabula story check` does. */
export function createCheckService({ database, threads, quotas }: CheckServiceDeps) {
  const textOf = (actor: Actor, storyId: number): Promise<string> =>
    database.read(async (session) => {
      const story = await visibleStory(actor, storyId, 'read', session);
      const form = await exportStory(story, new Date(), session);
      if (form === undefined) throw new NotFound('Story');
      const shown = canWrite(actor, story.teamId) ? form : await exportWithoutSecrets(form);
      return (await inSlices(jsonSteps(shown))) ?? '';
    });

  return {
    /** @throws NotFound for a story that the actor may not see. */
    async requireVisible(actor: Actor, storyId: number | undefined): Promise<void> {
      if (storyId !== undefined)
        await database.read((session) => visibleStory(actor, storyId, 'read', session));
    },

    /** @throws NotFound; QuotaReached; Unprocessable for a story that is too expensive to check; ThreadsBusy. */
    async check(actor: Actor, story: Checkable): Promise<CheckedStory> {
      quotas.requireArrival(actor.tenantId);
      const text = 'text' in story ? story.text : await textOf(actor, story.storyId);
      const began = performance.now();
      const options = { tenantId: actor.tenantId, deadlineMs: DEADLINE_MS, bytes: 2 * text.length };
      try {
        return await threads.run('check-story', text, options);
      } catch (error) {
        if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
        throw new Unprocessable([{ message: `The story is too large to check: ${error.message}` }]);
      } finally {
        quotas.add(actor.tenantId, { cpuMs: performance.now() - began });
      }
    },
  };
}
