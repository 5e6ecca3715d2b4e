import {
  type AgentPlan,
  assembleGraph,
  type ImportRequest,
  planImport,
  type StoryExport,
  type StoryGraph,
  type StoryPlan,
} from '../../stories/face.js';

/** The only team of a trial, and its tenant. */
export const TRIAL_TEAM = 1;
export const TRIAL_TENANT = 1;

/** The stories that an import would store, as graphs for the engine. */
export interface PlannedGraphs {
  /** The main story. */
  story: StoryGraph;
  /** All stories by id, embedded ones first; ids follow the order of storing. */
  graphs: ReadonlyMap<number, StoryGraph>;
  /** The guid of each action of the main story in the export, by id. */
  exportGuids: ReadonlyMap<number, string>;
  /** The stories as an import writes them. */
  written: StoryExport[];
}

/** The ids that a plan takes over. */
export interface PlannedIds {
  /** The id of the main story. */
  storyId?: number | undefined;
  /** The ids of its actions, by the guid in the export. */
  agents?: ReadonlyMap<string, number>;
  /** Names of the team's stories: embedded ones with such a name are left out. */
  names?: Iterable<string>;
  /** The others count from here; 1 unless given. */
  first?: number;
}

/**
 * Returns the result of an import into an empty team, without a database. Ids count from 1 and guids are consecutive
 * numbers, so that each trial has the same result. Disabled stories are run too.
 */
export function planGraphs(request: ImportRequest, ids: PlannedIds = {}): PlannedGraphs {
  let guids = 0;
  const newGuid = () => (++guids).toString(16).padStart(32, '0');
  const plan = planImport(request, undefined, {
    newGuid,
    names: new Set(ids.names),
    taken: new Set(),
    warnings: [],
  });
  const { first = 1 } = ids;
  let agents = first - 1;
  const known = ids.agents ?? new Map<string, number>();
  const idOf = ({ extra: { guid } }: AgentPlan) =>
    (typeof guid === 'string' ? known.get(guid) : undefined) ?? ++agents;
  const toGraphs = (planned: StoryPlan, index: number) =>
    toGraph(planned, (planned === plan.story ? ids.storyId : undefined) ?? index + first, idOf);
  const all = [...plan.subStories, plan.story].map(toGraphs);
  const story = all.at(-1);
  if (story === undefined) throw new Error('An import must contain at least one story');
  const guidsOf = plan.story.agents.map(({ guid, extra }): [string, unknown] => [guid, extra.guid]);
  const fromExport = new Map(guidsOf);
  const exportGuids = new Map(
    [...story.agents.values()].flatMap(({ id, guid }): [number, string][] => {
      const known = fromExport.get(guid);
      return typeof known === 'string' ? [[id, known]] : [];
    }),
  );
  return {
    story,
    graphs: new Map(all.map((graph) => [graph.id, graph])),
    exportGuids,
    written: plan.written,
  };
}

function toGraph(plan: StoryPlan, id: number, idOf: (agent: AgentPlan) => number): StoryGraph {
  const ids = new Map(plan.agents.map((agent) => [agent.guid, idOf(agent)]));
  const { guid, name, schemaVersion, language, synchronousWebhooksEnabled } = plan;
  return assembleGraph({
    story: {
      id,
      tenantId: TRIAL_TENANT,
      teamId: TRIAL_TEAM,
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
