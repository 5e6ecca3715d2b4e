import { receiversOf } from '../engine/face.js';
import { extendLineage } from '../agents/face.js';
import type { JsonObject, JsonValue } from '../platform/json.js';
import { type AgentNode, startAgentOf, type StoryGraph } from '../stories/face.js';
import { slugOf } from '../platform/text/slug.js';
import {
  buildEvent,
  includesHeaders,
  keepsRawBody,
  readKeptHeaders,
  toReceivedEvent,
  withoutCredentials,
  withRawBody,
} from '../web/face.js';
import type { TrialState } from './memory/trial-state.js';
import { stringifyJson } from '../platform/json/exact-number.js';
import { parseSentJson, spelledJson } from '../platform/json/whole-json.js';

const WEBHOOK = 'Agents::WebhookAgent';

/** The start of a trial. */
export interface TrialRunStart {
  /** Name, slug or guid of the first agent; if undefined, the one that a manual run starts at. */
  agent: string | undefined;
  /** For a webhook agent the request's body; for another agent its inbound event. */
  payload: JsonValue;
  /** The payload is the event that a webhook emits, instead of a body that it reads. */
  isEvent?: boolean;
  /** Headers of the webhook request; names in lower case. */
  headers: JsonObject;
}

/** Returns the agent to start at. @throws Error if it does not exist or is disabled. */
export function findStartAgent(story: StoryGraph, wanted: string | undefined): AgentNode {
  const found = wanted === undefined ? startAgentOf(story) : findAgent(story, wanted);
  if (found === undefined) {
    const what = wanted === undefined ? 'action that a run can start at' : `action "${wanted}"`;
    throw new Error(`"${story.name}" has no ${what}`);
  }
  if (found.disabled) throw new Error(`"${found.name}" is disabled, so runs cannot start at it`);
  return found;
}

function findAgent({ agents }: StoryGraph, wanted: string): AgentNode | undefined {
  const all = [...agents.values()];
  return (
    all.find(({ name }) => name === wanted) ??
    all.find(({ slug, guid }) => guid === wanted || slug === slugOf(wanted))
  );
}

interface Begun {
  story: StoryGraph;
  agent: AgentNode;
  start: TrialRunStart;
  guid: string;
}

/**
 * Starts the run as the server does: at a webhook agent with its event, at another agent with a delivery. Returns the id
 * of the webhook's event, otherwise undefined.
 */
export function beginRun({ story, agent, start, guid }: Begun, state: TrialState): number | undefined {
  const run = { storyRunGuid: guid, storyId: story.id };
  if (agent.type !== WEBHOOK) {
    const input = spelledJson(stringifyJson(start.payload));
    state.insertStart({ guid, storyId: story.id, agentId: agent.id, source: 'api', input });
    return undefined;
  }
  const payload = stringifyJson(start.isEvent === true ? start.payload : eventOf(start, story, agent));
  const lineage = stringifyJson(extendLineage(agent.slug));
  const eventId = state.insertEvent({ ...run, agentId: agent.id, payload, lineage });
  const inherited = { ...run, eventId, awaited: false, called: false, depth: 1 };
  const receivers = receiversOf(story, agent, 'normal');
  state.deliveries.insert(receivers.map((receiver) => ({ ...inherited, ...receiver })));
  return eventId;
}

/** Returns the event of a request to the webhook. */
function eventOf(start: TrialRunStart, story: StoryGraph, agent: AgentNode): JsonValue {
  const headers = withoutCredentials(start.headers, readKeptHeaders(agent.options['keep_headers']));
  const text = stringifyJson(start.payload);
  const received = toReceivedEvent(headers, { value: parseSentJson(text) }, {});
  const plain = buildEvent(received, includesHeaders(story, agent));
  return (keepsRawBody(agent) ? withRawBody(plain, Buffer.from(text)) : plain).event;
}
