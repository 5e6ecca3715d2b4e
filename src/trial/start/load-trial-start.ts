import { ancestry } from '../../agents/face.js';
import { Unprocessable } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { Session } from '../../platform/mysql/session.js';
import { jsonWithMarkers } from '../../platform/secrets/secret-reference.js';
import { type EventRecord, findPayloads } from '../../observe/face.js';
import { findKnownActions } from './past-run-store.js';
import type { KnownAction, PastEvent, PastRun, TrialStart } from '../story/story-trial.js';
import type { RequestedStoryTrial } from '../api/requested-trial.js';

/** The size of the event and those before it. */
const MOST_BYTES = 16 * 1024 * 1024;

interface AskedStart {
  wanted: RequestedStoryTrial;
  /** The stored event that the request names. */
  event: EventRecord | undefined;
}

/** Returns what the trial begins with. @throws Unprocessable for an event that is too large, or not of the run. */
export async function loadTrialStart(
  session: Session,
  { wanted, event }: AskedStart,
  past: PastRun | undefined,
): Promise<TrialStart> {
  const { eventId } = wanted;
  if (past !== undefined) {
    if (eventId === undefined || eventId === past.firstId) return startOfRun(past, wanted);
    const { actions } = past;
    const start = await startOfEvent(session, { event: eventOfRun(past, eventId), actions }, wanted);
    return { ...start, pastId: eventId };
  }
  if (event !== undefined) {
    const actions = await findKnownActions(session, [event.storyId]);
    return startOfEvent(session, { event, actions }, wanted);
  }
  const json = stringifyJson(wanted.event ?? {});
  return { kind: 'input', action: wanted.action, entry: undefined, json };
}

/**
 * Returns the start of a run: its input goes to the action whose event came first; the event of a webhook goes to its receivers.
 * @throws Unprocessable if it is too large.
 */
export function startOfRun(past: PastRun, { action }: Pick<RequestedStoryTrial, 'action'>): TrialStart {
  const first = past.events.find(({ id }) => id === past.firstId);
  if (first === undefined || first.json === null)
    throw problem('The first event of the run is too large for a trial', 'run_guid');
  if (first.agentId !== 0) {
    const emitter = knownAction(past.actions, first.agentId);
    return { kind: 'event', action, emitter, json: first.json, before: [], pastId: first.id };
  }
  const next = past.events.find(({ runGuid, agentId }) => runGuid === past.guid && agentId !== 0);
  const failed = past.failures.find(({ eventId }) => eventId === first.id);
  const entryId = next?.agentId ?? failed?.agentId;
  const entry = entryId === undefined ? undefined : knownAction(past.actions, entryId);
  return { kind: 'input', action, entry, json: first.json, pastId: first.id };
}

function eventOfRun(past: PastRun, eventId: number): PastEvent {
  const found = past.events.find(({ id, runGuid }) => id === eventId && runGuid === past.guid);
  if (found === undefined) throw problem('The event is not among those of the run', 'event_id');
  return found;
}

/** An action that was deleted has its id alone. */
function knownAction(actions: KnownAction[], id: number): KnownAction {
  return actions.find((action) => action.id === id) ?? { id, guid: '', name: '' };
}

async function startOfEvent(
  session: Session,
  { event, actions }: { event: Pick<EventRecord, 'id' | 'agentId' | 'lineage'>; actions: KnownAction[] },
  { action }: RequestedStoryTrial,
): Promise<TrialStart> {
  const before = ancestry(event.id, event.lineage).filter(([, id]) => id !== event.id);
  const ids = [event.id, ...before.map(([, id]) => id).toReversed()];
  const payloads = await findPayloads(session, ids, MOST_BYTES);
  const text = payloads.get(event.id);
  if (text === undefined) throw problem('The event is too large for a trial', 'event_id');
  return {
    kind: 'event',
    action,
    emitter: knownAction(actions, event.agentId),
    json: jsonWithMarkers(text),
    before: before.flatMap(([slug, id]): [string, string][] => {
      const json = payloads.get(id);
      return json === undefined ? [] : [[slug, jsonWithMarkers(json)]];
    }),
  };
}

/** Returns the error for a request that what is stored does not allow. */
export function problem(message: string, details: string): Unprocessable {
  return new Unprocessable([{ message, details }]);
}
