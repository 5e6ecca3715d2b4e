import { inSlices, mapSteps } from '../../platform/steps.js';
import type { JsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { AgentNode, StoryGraph } from './story-graph.js';

/** Returns the graph as JSON text, which keeps all digits on the way to a thread. */
export async function graphText(graph: StoryGraph): Promise<string> {
  const agents = await inSlices(mapSteps([...graph.agents.values()], (agent) => stringifyJson(agent)));
  const rest = stringifyJson({
    ...graph,
    responseEntryGuids: graph.responseEntryGuids === undefined ? null : [...graph.responseEntryGuids],
    responseExitGuids: [...graph.responseExitGuids],
    sharedTeamSlugs: [...graph.sharedTeamSlugs],
    exitGuids: [...graph.exitGuids],
    agents: undefined,
  });
  return `${rest.slice(0, -1)},"agents":[${agents.join(',')}]}`;
}

/** Returns the graph in a text of `graphText`. */
export function graphOfText(text: string): StoryGraph {
  const parts = parseJson(text) as JsonObject;
  const set = (key: string) => new Set(parts[key] as string[]);
  const agents = parts.agents as unknown as AgentNode[];
  return {
    ...(parts as unknown as StoryGraph),
    responseEntryGuids: parts.responseEntryGuids === null ? undefined : set('responseEntryGuids'),
    responseExitGuids: set('responseExitGuids'),
    sharedTeamSlugs: set('sharedTeamSlugs'),
    exitGuids: set('exitGuids'),
    agents: new Map(agents.map((agent) => [agent.id, agent])),
  };
}
