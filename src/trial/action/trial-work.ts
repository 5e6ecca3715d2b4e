import { lineageOfInput, MOST_RETRIES, parseLineage, START_QUEUE, webhookAgent } from '../../agents/face.js';
import { NotFound } from '../../platform/errors.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { TrialOrder } from './action-trial.js';
import type { CachedEvent, DeliveryLoader, DeliveryRow, Work } from '../../engine/face.js';

/** The ids of what is not stored. */
const NONE = 0;

/** Returns the work of a trial: the last attempt of a delivery that does not exist. @throws NotFound if the event is gone. */
export async function trialWork(
  { story, agent, input }: TrialOrder,
  deps: { loader: DeliveryLoader; newGuid: () => string; maxAttempts: number },
): Promise<Work> {
  const storyRunGuid = 'json' in input ? deps.newGuid() : input.storyRunGuid;
  const event = 'json' in input ? givenEvent(input.json) : await deps.loader.event(input.eventId);
  if (event === undefined) throw new NotFound('Event');
  const isStart = 'json' in input;
  const delivery: DeliveryRow = {
    id: NONE,
    storyRunGuid,
    storyId: story.id,
    agentId: agent.id,
    eventId: event.id,
    queue: START_QUEUE,
    awaited: false,
    called: false,
    depth: 1,
    state: 'pending',
    generation: 0,
    attempts: Math.max(deps.maxAttempts, MOST_RETRIES + 1) - 1,
    retries: 0,
    resumeAt: null,
    mailProgress: null,
    resumed: false,
    cancelled: false,
    dueSoon: false,
    createdAt: new Date(),
  };
  return { delivery, story, agent, event, isStart: isStart && agent.type === webhookAgent.type };
}

/** The input of a run, as `insertStarts` would store it. */
function givenEvent(json: string): CachedEvent {
  return {
    id: NONE,
    agentId: NONE,
    payload: parseJson(json),
    lineage: parseLineage(lineageOfInput(json)),
    text: json,
  };
}
