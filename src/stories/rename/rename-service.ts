import type { Actor } from '../../api/face.js';
import type { TenantQuotas } from '../../people/face.js';
import { NotFound, Unprocessable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Database } from '../../platform/mysql/database.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { firstProblems } from '../../platform/validation/validate.js';
import { findLanguage } from '../story/story-extra-store.js';
import { visibleStory } from '../story/visible-story.js';
import type { RenameWork } from './rename-task.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'rename-action': typeof import('./rename-task.js').renameInThread;
  }
}

export interface RenameServiceDeps {
  database: Pick<Database, 'read'>;
  threads: Pick<ThreadPool, 'run'>;
  quotas: Pick<TenantQuotas, 'add' | 'requireArrival'>;
}

const DEADLINE_MS = 20_000;

export type RenameService = ReturnType<typeof createRenameService>;

/** Says what a rename of an action changes. */
export function createRenameService({ database, threads, quotas }: RenameServiceDeps) {
  const languageOf = (actor: Actor, storyId: number): Promise<RenameWork['language']> =>
    database.read(async (session) => {
      await visibleStory(actor, storyId, 'write', session);
      const language = await findLanguage(storyId, session);
      if (language === undefined) throw new NotFound('Story');
      return language;
    });

  return {
    /** @throws NotFound; Forbidden for who may not write the story. */
    async requireWritable(actor: Actor, storyId: number | undefined): Promise<void> {
      if (storyId !== undefined) await languageOf(actor, storyId);
    },

    /**
     * `order`: the JSON text of a `RenameOrder`, or of `SeveralRenames`. Returns a `RenamePreview`, or a `RenamesPreview`.
     * @throws NotFound; Forbidden; QuotaReached; Unprocessable for a name that templates cannot use, and for a document that
     * is too expensive; ThreadsBusy.
     */
    async preview(actor: Actor, storyId: number, order: string): Promise<JsonObject> {
      const language = await languageOf(actor, storyId);
      quotas.requireArrival(actor.tenantId);
      const began = performance.now();
      const options = { tenantId: actor.tenantId, deadlineMs: DEADLINE_MS, bytes: 2 * order.length };
      try {
        const done = await threads.run('rename-action', { language, order }, options);
        if (done.problems !== undefined) throw new Unprocessable(firstProblems(done.problems));
        return parseJson(done.json) as JsonObject;
      } catch (error) {
        if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
        throw new Unprocessable([{ message: `The story is too large to search: ${error.message}` }]);
      } finally {
        quotas.add(actor.tenantId, { cpuMs: performance.now() - began });
      }
    },
  };
}
