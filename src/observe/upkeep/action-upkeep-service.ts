import type { Actor } from '../../api/face.js';
import { clearAgentMemory, finishRemoval, type RemovalKind, requestRemoval } from '../../engine/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { visibleRunAgent } from '../runs/run-access.js';

/** How long a request waits for a removal; retention goes on with what is left. */
const REMOVE_FOR_MS = 15_000;

export type ActionUpkeepService = ReturnType<typeof createActionUpkeepService>;

/** Removes what actions have left behind, with checks of what the actor may change. */
export function createActionUpkeepService({
  database,
}: {
  database: Pick<Database, 'read' | 'transaction'>;
}) {
  const remove = async (
    actor: Actor,
    agentId: number,
    { kind, waits }: { kind: RemovalKind; waits: boolean },
  ): Promise<void> => {
    const removal = await database.transaction(async (session) => {
      await visibleRunAgent(session, actor, agentId, 'write');
      return requestRemoval(session, { agentId, kind });
    });
    if (removal !== undefined && waits) await finishRemoval(database, removal, REMOVE_FOR_MS);
  };

  return {
    /** @throws NotFound, Forbidden as the others. */
    async requireWrite(actor: Actor, agentId: number): Promise<void> {
      await database.read((session) => visibleRunAgent(session, actor, agentId, 'write'));
    },

    /**
     * Removes the present events of the action, except those of runs that have work left, dead letters or open prompts.
     * `waits`: returns when they are gone, or after 15 seconds. @throws NotFound, Forbidden.
     */
    removeEvents: (actor: Actor, agentId: number, { waits }: { waits: boolean }) =>
      remove(actor, agentId, { kind: 'events', waits }),

    /** Removes the present lines of the action's log, in the same way. @throws NotFound, Forbidden. */
    removeLogs: (actor: Actor, agentId: number) => remove(actor, agentId, { kind: 'logs', waits: true }),

    /** Lets the action forget what it has let through. @throws NotFound, Forbidden. */
    async clearMemory(actor: Actor, agentId: number): Promise<void> {
      await database.read((session) => visibleRunAgent(session, actor, agentId, 'write'));
      await clearAgentMemory(database, agentId);
    },
  };
}
