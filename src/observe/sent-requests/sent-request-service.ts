import { type Actor, canWrite } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Database } from '../../platform/mysql/database.js';
import { hideInObject } from '../../platform/secrets/hidden-secrets.js';
import { jsonWithMarkers } from '../../platform/secrets/secret-reference.js';
import type { SentRequest } from '../../engine/face.js';
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
        return shown(actor, teamId, await findEventRequest(session, id));
      });
    },

    /** Returns the request of a line of an action's log, in the same way. @throws NotFound also for a line of another action. */
    ofLogLine(actor: Actor, line: { agentId: number; lineId: number }): Promise<SentRequest | undefined> {
      return database.read(async (session) => {
        const { teamId } = await visibleRunAgent(session, actor, line.agentId);
        const found = await findLineRequest(session, line);
        if (found === undefined) throw new NotFound('Log line');
        return shown(actor, teamId, found.request ?? undefined);
      });
    },
  };
}

function shown(actor: Actor, teamId: number, json: string | undefined): SentRequest | undefined {
  if (json === undefined) return undefined;
  const request = parseJson(jsonWithMarkers(json)) as unknown as SentRequest;
  if (canWrite(actor, teamId)) return request;
  const hidden: unknown = hideInObject(request as unknown as JsonObject, { headers: true });
  return hidden as SentRequest;
}
