import type { JsonObject } from '../../../platform/json.js';
import { type AgentNode, findActionInStory, type StoryGraph } from '../../../stories/face.js';
import type { DeliveryRow } from '../../state/deliveries/delivery-store.js';
import { storedEventText, noteInto } from '../../state/events/event-text.js';
import type { DoneOutcome, AgentLogEntry, UndoneOutcome } from '../../state/outcome.js';
import { type EmissionDeps, type Emitter, failureOutput, receiversOf } from './emission.js';

/** The agent that failed for good, on its inbound event. */
export interface FailedWork {
  delivery: DeliveryRow;
  story: StoryGraph;
  agent: AgentNode;
  event: NonNullable<Emitter['parent']>;
}

/** Returns a dead letter, or the outcome that sends its error down the failure links instead. */
export type HandleFailure = (letter: UndoneOutcome) => Promise<UndoneOutcome | DoneOutcome>;

/**
 * Creates the function through which every dead letter passes before it is stored. The letter stays one without an
 * enabled receiver on a failure link, and if the action or its inbound event no longer exists.
 */
export function createFailureLinks(deps: EmissionDeps): HandleFailure {
  return async (letter) => {
    const { delivery } = letter;
    if (letter.isRunaway === true) return letter;
    const action = await findActionInStory(delivery, deps.graphs);
    if (action === undefined || !hasFailureReceiver(action)) return letter;
    const event = (await deps.loader.events([delivery.eventId])).get(delivery.eventId);
    return event === undefined ? letter : failureOf({ ...action, delivery, event }, letter);
  };
}

/** Returns true if an enabled agent receives the errors of this agent. */
export function hasFailureReceiver({ story, agent }: Pick<FailedWork, 'story' | 'agent'>): boolean {
  return (
    agent.receivers.some(({ kind }) => kind === 'failure') && receiversOf(story, agent, 'failure').length > 0
  );
}

interface Failure {
  error: string | null;
  status?: number | undefined;
  logs: AgentLogEntry[];
}

/** Returns the outcome that consumes the token and emits the error to the failure links (docs/build/agents.md, Failures). */
export function failureOf(work: FailedWork, { error, status, logs }: Failure): DoneOutcome {
  const { delivery, story, agent, event } = work;
  const message = error ?? 'The action failed';
  const lines = [...logs];
  const request = logs.find((line) => line.request !== undefined)?.request;
  const payload: JsonObject = {
    error: { message, ...(status === undefined ? {} : { status }), attempts: delivery.attempts + 1 },
    action: { id: agent.id, name: agent.name },
  };
  const text = storedEventText(payload, noteInto(lines));
  return {
    kind: 'done',
    delivery,
    outputs: [failureOutput({ delivery, story, agent, parent: event }, text, request)],
    failure: message,
    logs: lines,
  };
}
