import type { Actor } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { AppError, messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { isTransient } from '../../platform/mysql/db-errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { findLanguage } from '../story/story-extra-store.js';
import { type WarningOrder, warningsOfActions, type ActionToWarn } from './action-warnings-task.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'warn-of-actions': typeof import('./action-warnings-task.js').warningsOfActions;
  }
}

/** Texts up to this length are checked on the event loop, within 20 ms. */
const AT_ONCE_CHARACTERS = 4 * 1024;
const DEADLINE_MS = 20_000;

export interface ActionWarnerDeps {
  database: Pick<Database, 'read'>;
  threads: Pick<ThreadPool, 'run'>;
  logger: Pick<Logger, 'warn'>;
}

export type ActionWarner = ReturnType<typeof createActionWarner>;

/** Checks actions that were just written, so that the response says what cannot work (spec §3.5). */
export function createActionWarner({ database, threads, logger }: ActionWarnerDeps) {
  const check = (actor: Actor, order: WarningOrder): string[] | Promise<string[]> => {
    const { length } = order.agents;
    if (length <= AT_ONCE_CHARACTERS) return warningsOfActions(order);
    const options = { tenantId: actor.tenantId, deadlineMs: DEADLINE_MS, bytes: 2 * length };
    return threads.run('warn-of-actions', order, options);
  };
  return {
    /**
     * Returns warnings about actions of a story. They are written already: a check that is too expensive is a warning, and
     * one that the database does not let happen is logged.
     */
    async warningsOf(actor: Actor, storyId: number, agents: ActionToWarn[]): Promise<string[]> {
      try {
        const language = await database.read((session) => findLanguage(storyId, session));
        if (language === undefined) return [];
        return await check(actor, { language, agents: stringifyJson(agents) });
      } catch (error) {
        if (isTransient(error)) {
          logger.warn('actions were saved without a check', { story_id: storyId, error: messageOf(error) });
          return [];
        }
        const isExpected =
          error instanceof AppError || error instanceof TaskTooLong || error instanceof TaskTooLarge;
        if (!isExpected) throw error;
        return [`Saved without checking its content: ${messageOf(error)}`];
      }
    },
  };
}
