import type { Actor } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { SentRequest } from '../../engine/face.js';
import { type KeptExchange, shownExchange } from '../attempts/attempt-views.js';
import { visibleRunAgent, visibleEvent } from '../runs/run-access.js';
import { findEventRequest, findLineRequest } from './sent-request-store.js';

export type SentRequestService = ReturnType<typeof createSentRequestService>;

/** The requests that HTTP actions have sent, with checks of what the actor may see: as much as of an event's payload. */
export function createSentRequestService({ database }: { database: Pick<Database, 'read'> }) {
  return {
    /** Returns the request that an event came of; undefined: none was kept. @throws NotFound for an event that the actor may not see. */
    ofEvent(actor: Actor, id: number): Promise<SentRequest | undefined> {
      return database.read(async (session) => {
        const { teamId } = await visibleEvent(session, actor, { id, need: 'read' });
        const request = await findEventRequest(session, id);
        return shownExchange({ request, response: null }, { actor, teamId }).request;
      });
    },

    /** Returns the request of a line of an action's log and its response, in the same way. @throws NotFound also for a line of another action. */
    ofLogLine(actor: Actor, line: { agentId: number; lineId: number }): Promise<KeptExchange> {
      return database.read(async (session) => {
        const { teamId } = await visibleRunAgent(session, actor, line.agentId);
        const found = await findLineRequest(session, line);
        if (found === undefined) throw new NotFound('Log line');
        return shownExchange(found, { actor, teamId });
      });
    },
  };
}
