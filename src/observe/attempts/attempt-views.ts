import { type Actor, canWrite } from '../../api/face.js';
import type { KeptResponse, SentRequest } from '../../engine/face.js';
import type { JsonObject } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Session } from '../../platform/mysql/session.js';
import { hideInObject, hideInText } from '../../platform/secrets/hidden-secrets.js';
import { jsonWithMarkers } from '../../platform/secrets/secret-reference.js';
import type { FailedAttempt, AttemptWithExchange } from './attempt.js';
import { findAttempts, findExchanges, type StoredExchange } from './attempt-store.js';

/** An actor, and the team whose things are looked at. */
export interface Viewer {
  actor: Actor;
  teamId: number;
}

/** Returns the attempts with these ids, with what they sent and received as far as the actor may see it. */
export async function viewAttempts(
  session: Session,
  ids: number[],
  viewer: Viewer,
): Promise<AttemptWithExchange[]> {
  const attempts = await findAttempts(session, ids);
  const exchanges = await findExchanges(session, ids);
  return attempts.map((attempt) => ({
    ...shownAttempt(attempt, viewer),
    ...shownExchange(exchanges.get(attempt.id) ?? { request: null, response: null }, viewer),
  }));
}

/** Hides links that start runs or respond to prompts from actors who may only read. */
function shownAttempt(attempt: FailedAttempt, { actor, teamId }: Viewer): FailedAttempt {
  return canWrite(actor, teamId) ? attempt : { ...attempt, error: hideInText(attempt.error) };
}

/** A request and the response to it; undefined: it is not kept. */
export interface KeptExchange {
  request: SentRequest | undefined;
  response: KeptResponse | undefined;
}

/** Returns a request and the response to it as far as the actor may see them. */
export function shownExchange({ request, response }: StoredExchange, viewer: Viewer): KeptExchange {
  return {
    request: shown(request, viewer) as unknown as SentRequest | undefined,
    response: shown(response, viewer) as unknown as KeptResponse | undefined,
  };
}

function shown(json: string | null, { actor, teamId }: Viewer): JsonObject | undefined {
  if (json === null) return undefined;
  const kept = parseJson(jsonWithMarkers(json)) as JsonObject;
  return canWrite(actor, teamId) ? kept : hideInObject(kept, { headers: true });
}
