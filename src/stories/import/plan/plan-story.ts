import type { JsonObject, JsonValue } from '../../../platform/json.js';
import {
  AGENT_COLUMNS,
  type ExportAgent,
  LINK_COLUMNS,
  mapValues,
  STORY_COLUMNS,
  type StoryExport,
  toExtra,
} from '../../export/export-form.js';
import { type GuidMap, mapGuids } from './guid-map.js';
import { languageOf } from './language.js';
import { matchAgents } from './match-agents.js';
import { allowedRetention, DEFAULT_KEEP_EVENTS_FOR } from './retention.js';
import { inSlices, mapSteps, type Steps } from '../../../platform/steps.js';
import type { AgentPlan, LinkPlan, ReplacedAgent, ReplacedStory, StoryPlan } from './story-plan.js';
import { HIDDEN } from '../../../platform/secrets/hidden-secrets.js';
import { givenAddress, WEBHOOK_TYPE } from '../import-address.js';

/** The input of planning; planning adds to `taken` and `warnings`. */
export interface PlanContext {
  /** Returns the guid of a new story, or of an agent that continues none: 32 hexadecimal digits. */
  newGuid(agent?: ExportAgent): string;
  /** Webhook paths that are in use on the server. */
  taken: Set<string>;
  warnings: string[];
  /** Nothing is written: whether the server knows the secrets that the export hides cannot be told. */
  isCheck?: boolean;
}

/** The story's name, the story that it replaces, and the replacements of its embedded stories. */
export interface PlanTarget {
  name: string;
  replaced: ReplacedStory | undefined;
  subStories: JsonValue[];
}

/** Returns the rows for one exported story. Changes nothing but `context`. */
export function planStory(story: StoryExport, target: PlanTarget, context: PlanContext): Promise<StoryPlan> {
  return inSlices(planSteps(story, target, context));
}

/** The steps of `planStory`. */
export function* planSteps(story: StoryExport, target: PlanTarget, context: PlanContext): Steps<StoryPlan> {
  const matches = matchAgents(story.agents, target.replaced?.agents ?? []);
  const newGuids = story.agents.map((agent) => matches.get(agent)?.guid ?? context.newGuid(agent));
  const guids = guidMap(story.agents, newGuids);
  return {
    replacedId: target.replaced?.id,
    guid: target.replaced?.guid ?? context.newGuid(),
    name: target.name,
    ...columnsOf(story),
    extra: storyExtra(story, guids, target.subStories),
    agents: yield* mapSteps(story.agents, (agent, index) =>
      planAgent(
        agent,
        { guid: newGuids[index] ?? context.newGuid(), match: matches.get(agent), guids },
        context,
      ),
    ),
    links: yield* planLinks(story, newGuids),
  };
}

function guidMap(agents: ExportAgent[], newGuids: string[]): GuidMap {
  const pairs = agents.map((agent, index): [unknown, string | undefined] => [agent.guid, newGuids[index]]);
  return new Map(pairs.filter((pair): pair is [string, string] => typeof pair[0] === 'string'));
}

function columnsOf(story: StoryExport) {
  const { keep_events_for: keep, disabled, priority } = story;
  return {
    description: typeof story.description === 'string' ? story.description : undefined,
    schemaVersion: story.schema_version,
    language: languageOf(story),
    keepEventsForSeconds: typeof keep === 'number' ? allowedRetention(keep) : DEFAULT_KEEP_EVENTS_FOR,
    disabled: typeof disabled === 'boolean' ? disabled : undefined,
    priority: typeof priority === 'boolean' ? priority : undefined,
    synchronousWebhooksEnabled: story.synchronous_webhooks_enabled === true,
  };
}

function storyExtra(story: StoryExport, guids: GuidMap, subStories: JsonValue[]): JsonObject {
  const extra = toExtra(story, [...STORY_COLUMNS, 'send_to_stories'], ['guid']);
  return mapValues(mapGuids(extra, guids) as JsonObject, (value, key) =>
    key === 'send_to_stories' && Array.isArray(story.send_to_stories) ? subStories : value,
  );
}

interface AgentTarget {
  guid: string;
  match: ReplacedAgent | undefined;
  guids: GuidMap;
}

function planAgent(agent: ExportAgent, target: AgentTarget, context: PlanContext): AgentPlan {
  const { match } = target;
  const address = agent.type === WEBHOOK_TYPE ? planAddress(agent, target, context) : undefined;
  const extra = mapGuids(toExtra(agent, AGENT_COLUMNS, ['guid']), target.guids) as JsonObject;
  return {
    kept: match,
    guid: target.guid,
    type: agent.type,
    name: agent.name,
    disabled: agent.disabled === true,
    options: { ...agent.options, ...address },
    keepEventsForSeconds: typeof agent.keep_events_for === 'number' ? agent.keep_events_for : 0,
    webhookPath: address?.path,
    extra: match?.exportGuid === undefined ? extra : { ...extra, guid: match.exportGuid },
  };
}

/** A continued webhook keeps its address; a new one gets the address in its options, unless that is in use (spec §3.3). */
function planAddress(agent: ExportAgent, { guid, match }: AgentTarget, context: PlanContext) {
  const given = givenAddress(agent.options);
  const secret = match?.secret ?? given.secret ?? context.newGuid();
  if (agent.options.secret === HIDDEN && match?.secret === undefined && context.isCheck !== true) {
    context.warnings.push(`The secret of "${agent.name}" was hidden in the export; a new one was generated`);
  }
  if (match?.webhookPath !== undefined) return { path: match.webhookPath, secret };
  if (given.path === undefined) return { path: guid, secret };
  if (context.taken.has(given.path)) {
    context.warnings.push(
      `The webhook path "${given.path}" of "${agent.name}" is already in use; the new path is "${guid}"`,
    );
    return { path: guid, secret };
  }
  context.taken.add(given.path);
  return { path: given.path, secret };
}

function planLinks(story: StoryExport, guids: string[]): Steps<LinkPlan[]> {
  return mapSteps(story.links, (link) => ({
    sourceGuid: guids[link.source] ?? '',
    receiverGuid: guids[link.receiver] ?? '',
    linkType: typeof link.link_type === 'string' ? link.link_type : undefined,
    extra: toExtra(link, LINK_COLUMNS),
  }));
}
