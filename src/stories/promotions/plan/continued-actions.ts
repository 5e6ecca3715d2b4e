import type { JsonObject } from '../../../platform/json.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { givenAddress } from '../../import/import-address.js';
import { type NamedAction, pairByName } from '../../import/plan/pair-by-name.js';

type StoredAgent = StoredStory['agents'][number];

/** The guids of live actions, by the guids with which their promoted forms came. */
export type ContinuedActions = ReadonlyMap<string, string>;
/** The same, as JSON holds them. */
export type ContinuedPairs = readonly (readonly [string, string])[];

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
  for (const agent of promoted.agents)
    pair(agent, free.get(originOf(agent)) ?? byOrigin.get(originOf(agent)));
  for (const agent of promoted.agents) pair(agent, free.get(earlier.get(originOf(agent)) ?? ''));
  const named = pairByName([...left].map(comingForm), [...free.values()].map(namedForm));
  for (const [one, other] of named) pair(one, other);
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

/** Returns the text of a snapshot that remembers the pairs: a new name in the target does not part them. */
export function withPairs(snapshot: string, continued: ContinuedPairs): string {
  return continued.length === 0
    ? snapshot
    : `${snapshot.slice(0, -1)},"continued":${JSON.stringify(continued)}}`;
}

/** Returns the pairs that the text of a snapshot remembers. */
export function pairsIn(snapshot: string): ContinuedActions {
  const { continued } = parseJson(snapshot) as { continued?: ContinuedPairs };
  return new Map(continued);
}

function namedForm(action: StoredAgent): NamedAction<StoredAgent> {
  const { type, name, options } = action.columns;
  return { action, type, name, path: givenAddress(options as JsonObject).path };
}

/** A webhook whose path is its guid says none: nobody gave it one. */
function comingForm(action: StoredAgent): NamedAction<StoredAgent> {
  const form = namedForm(action);
  return form.path === guidOf(action) ? { ...form, path: undefined } : form;
}

function guidOf({ columns: { guid } }: StoredAgent): string {
  return typeof guid === 'string' ? guid : '';
}

/** The guid with which an action came, else its own. */
function originOf(agent: StoredAgent): string {
  const { guid } = agent.extra;
  return typeof guid === 'string' ? guid : guidOf(agent);
}
