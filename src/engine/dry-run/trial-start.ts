import { receiversOf } from '../dispatch/receivers.js';
import { extendLineage } from '../state/lineage.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { startAgentOf } from '../../stories/start-agent.js';
import type { AgentNode, StoryGraph } from '../../stories/story-graph.js';
import { slugOf } from '../../platform/text/slug.js';
import { readKeptHeaders, withoutCredentials } from '../../webhooks/kept-headers.js';
import { buildEvent, receiveRequest } from '../../webhooks/webhook-event.js';
import { includesHeaders } from '../../webhooks/webhook-settings.js';
import type { TrialState } from './trial-state.js';

const WEBHOOK = 'Agents::WebhookAgent';

/** What a trial begins with. */
export interface TrialStart {
  /** Name, slug or guid; the one a manual run would begin at unless given. */
  agent: string | undefined;
  /** For a webhook the body that is sent to it; for another action what it knows of the past. */
  payload: JsonValue;
  /** Of the call of a webhook; names in lower case. */
  headers: JsonObject;
}

/** The action to begin at. @throws Error when there is none, or it is disabled. */
export function findStart(story: StoryGraph, wanted: string | undefined): AgentNode {
  const found = wanted === undefined ? startAgentOf(story) : findAgent(story, wanted);
  if (found === undefined) {
    const what = wanted === undefined ? 'action that a run could begin at' : `action "${wanted}"`;
    throw new Error(`"${story.name}" has no ${what}`);
  }
  if (found.disabled) throw new Error(`"${found.name}" is disabled: no run begins at it`);
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
  start: TrialStart;
  guid: string;
}

/**
 * Begins the run as the server would: a call of a webhook is its event at once, another action is to do its work.
 * Gives the id of the webhook's event.
 */
export function beginRun({ story, agent, start, guid }: Begun, state: TrialState): number | undefined {
  const run = { storyRunGuid: guid, storyId: story.id };
  if (agent.type !== WEBHOOK) {
    const input = JSON.stringify(start.payload);
    state.insertStart({ guid, storyId: story.id, agentId: agent.id, source: 'api', input });
    return undefined;
  }
  const headers = withoutCredentials(start.headers, readKeptHeaders(agent.options['keep_headers']));
  const received = receiveRequest(headers, { value: start.payload }, {});
  const payload = JSON.stringify(buildEvent(received, includesHeaders(story, agent)).event);
  const lineage = JSON.stringify(extendLineage(agent.slug));
  const eventId = state.insertEvent({ ...run, agentId: agent.id, payload, lineage });
  const inherited = { ...run, eventId, awaited: false, called: false, depth: 1 };
  const receivers = receiversOf(story, agent, 'normal');
  state.deliveries.insert(receivers.map((receiver) => ({ ...inherited, ...receiver })));
  return eventId;
}
