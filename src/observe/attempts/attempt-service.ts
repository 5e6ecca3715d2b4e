import type { Actor } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { visibleStory } from '../../stories/face.js';
import { findRunId } from '../runs/run-place-store.js';
import type { AttemptFilter, AttemptWithExchange } from './attempt.js';
import { listAttemptIds } from './attempt-store.js';
import { viewAttempts } from './attempt-views.js';
import { findRunActions, type RunAction } from './run-action-store.js';

export type AttemptService = ReturnType<typeof createAttemptService>;

/** Failed attempts of runs, and what their actions did, with checks of what the actor may see. */
export function createAttemptService({ database }: { database: Pick<Database, 'read'> }) {
  return {
    /** Returns a page of the run's attempts, oldest first. @throws NotFound for a run that the actor may not see. */
    ofRun(
      actor: Actor,
      { storyId, filter }: { storyId: number; filter: AttemptFilter },
      window: Window,
    ): Promise<Page<AttemptWithExchange>> {
      return database.read(async (session) => {
        const teamId = await teamOfRun(session, actor, { storyId, guid: filter.guid });
        const { items, total } = await listAttemptIds(session, filter, window);
        return { items: await viewAttempts(session, items, { actor, teamId }), total };
      });
    },

    /** Returns what the actions of a run did. @throws NotFound for a run that the actor may not see. */
    actionsOf(
      actor: Actor,
      run: { storyId: number; guid: string },
    ): Promise<{ actions: RunAction[]; complete: boolean }> {
      return database.read(async (session) => {
        await teamOfRun(session, actor, run);
        return findRunActions(session, run.guid);
      });
    },
  };
}

async function teamOfRun(
  session: Session,
  actor: Actor,
  run: { storyId: number; guid: string },
): Promise<number> {
  const { teamId } = await visibleStory(actor, run.storyId, 'read', session);
  if ((await findRunId(session, run)) === undefined) throw new NotFound('Story run');
  return teamId;
}
