import { assembleGraph } from '../../stories/graph/assemble-graph.js';
import type { StoryExport } from '../../stories/export/export-form.js';
import type { ImportRequest } from '../../stories/import/import-request.js';
import { planImport } from '../../stories/import/plan-import.js';
import type { StoryPlan } from '../../stories/import/story-plan.js';
import type { StoryGraph } from '../../stories/graph/story-graph.js';

/** The only team of a dry run, and its tenant. */
export const DRY_RUN_TEAM = 1;
export const TRIAL_TENANT = 1;

/** The stories that an import would store, as graphs for the engine. */
export interface PlannedGraphs {
  /** The main story. */
  story: StoryGraph;
  /** All stories by id, embedded ones first; ids follow the order of storing. */
  graphs: ReadonlyMap<number, StoryGraph>;
  /** The stories' exports. */
  exports: StoryExport[];
}

/**
 * Returns the result of an import into an empty team, without a database. Ids count from 1 and guids are consecutive
 * numbers, so that each dry run has the same result. Disabled stories are run too.
 */
export function planGraphs(request: ImportRequest): PlannedGraphs {
  let guids = 0;
  const newGuid = () => (++guids).toString(16).padStart(32, '0');
  const plan = planImport(request, undefined, { newGuid, names: new Set(), taken: new Set(), warnings: [] });
  let agents = 0;
  const toGraphs = (planned: StoryPlan, index: number) => toGraph(planned, index + 1, () => ++agents);
  const all = [...plan.subStories, plan.story].map(toGraphs);
  const story = all.at(-1);
  if (story === undefined) throw new Error('An import has at least one story');
  return { story, graphs: new Map(all.map((graph) => [graph.id, graph])), exports: plan.exports };
}

function toGraph(plan: StoryPlan, id: number, nextAgentId: () => number): StoryGraph {
  const ids = new Map(plan.agents.map(({ guid }) => [guid, nextAgentId()]));
  const { guid, name, schemaVersion, language, synchronousWebhooksEnabled } = plan;
  return assembleGraph({
    story: {
      id,
      tenantId: TRIAL_TENANT,
      teamId: DRY_RUN_TEAM,
      name,
      guid,
      disabled: false,
      priority: plan.priority === true,
      schemaVersion,
      language,
      synchronousWebhooksEnabled,
      version: 1,
    },
    extra: plan.extra,
    agents: plan.agents.map((agent) => ({
      id: ids.get(agent.guid) ?? 0,
      guid: agent.guid,
      type: agent.type,
      name: agent.name,
      disabled: agent.disabled,
      options: agent.options,
      extra: agent.extra,
    })),
    links: plan.links.map(({ sourceGuid, receiverGuid, linkType }) => ({
      source: ids.get(sourceGuid) ?? 0,
      receiver: ids.get(receiverGuid) ?? 0,
      linkType,
    })),
  });
}
