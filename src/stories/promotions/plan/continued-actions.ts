import type { JsonObject } from '../../../platform/json.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { givenAddress, WEBHOOK_TYPE } from '../../import/import-address.js';
import { pairByName } from '../../import/plan/pair-by-name.js';

type StoredAgent = StoredStory['agents'][number];

/** The guids of live actions, by the guids with which their promoted forms came. */
export type ContinuedActions = ReadonlyMap<string, string>;

/**
 * Returns which live actions those of a promoted story continue: the ones that came with their guid, the ones that `earlier`,
 * the pairs of the promotion before, names, the webhook that has their path, and the ones of their type and name.
 */
export function continuedActions(
  promoted: StoredStory,
  live: StoredStory,
  earlier: ContinuedActions = new Map(),
): ContinuedActions {
  const found = new Map<string, string>();
  const free = new Map(live.agents.map((agent) => [guidOf(agent), agent]));
  const left = new Set(promoted.agents);
  const pair = (agent: StoredAgent, same: StoredAgent | undefined): void => {
    if (same === undefined || !left.has(agent) || !free.delete(guidOf(same))) return;
    left.delete(agent);
    found.set(originOf(agent), guidOf(same));
  };
  const byOrigin = new Map(live.agents.map((agent) => [originOf(agent), agent]));
  const byPath = new Map(live.agents.flatMap((agent) => entryOfPath(agent)));
  for (const agent of promoted.agents)
    pair(agent, free.get(originOf(agent)) ?? byOrigin.get(originOf(agent)));
  for (const agent of promoted.agents) pair(agent, free.get(earlier.get(originOf(agent)) ?? ''));
  for (const agent of promoted.agents) for (const [path] of entryOfPath(agent)) pair(agent, byPath.get(path));
  const named = pairByName([...left].map(withName), [...free.values()].map(withName));
  for (const [one, other] of named) pair(one.agent, other.agent);
  return found;
}

/** Returns the story whose actions came with the guids of the live actions that they continue. */
export function withContinued(story: StoredStory, continued: ContinuedActions): StoredStory {
  return {
    ...story,
    agents: story.agents.map((agent) => {
      const guid = continued.get(originOf(agent));
      return guid === undefined ? agent : { ...agent, extra: { ...agent.extra, guid } };
    }),
  };
}

const withName = (agent: StoredAgent) => ({ agent, type: agent.columns.type, name: agent.columns.name });

function guidOf({ columns: { guid } }: StoredAgent): string {
  return typeof guid === 'string' ? guid : '';
}

/** The guid with which an action came, else its own. */
function originOf(agent: StoredAgent): string {
  const { guid } = agent.extra;
  return typeof guid === 'string' ? guid : guidOf(agent);
}

function entryOfPath(agent: StoredAgent): [string, StoredAgent][] {
  if (agent.columns.type !== WEBHOOK_TYPE) return [];
  const { path } = givenAddress(agent.columns.options as JsonObject);
  return path === undefined ? [] : [[path, agent]];
}
