import { MOST_RETRIES } from '../../../agents/http-request/http-request-agent.js';
import { START_QUEUE } from '../../../agents/delivery-queues.js';
import { webhookAgent } from '../../../agents/webhook-agent.js';
import { NotFound } from '../../../platform/errors.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { TrialOrder } from '../../../runs/actions/action-trial.js';
import type { Work } from '../../execute/call.js';
import type { DeliveryLoader } from '../../execute/delivery-loader.js';
import type { DeliveryRow } from '../../state/delivery-store.js';
import type { CachedEvent } from '../../state/event-cache.js';
import { lineageOfInput, parseLineage } from '../../state/lineage.js';

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
