import type { RecordType } from '../../data/face.js';
import type { KnownAction, StoryTrialWork } from './story-trial.js';
import { checkOptions, runnable } from '../../agents/face.js';
import type { Problem } from '../../platform/errors.js';
import {
  checkExport,
  graphOfText,
  type ImportRequest,
  readExport,
  type StoryGraph,
} from '../../stories/face.js';
import { recordTypesOf } from '../memory/trial-records.js';
import type { TrialTeams } from '../memory/tried-team-values.js';
import { NoTrial } from './no-trial.js';
import { planGraphs, TRIAL_TENANT } from '../memory/plan-graphs.js';

/** No stored story or action has such an id. */
export const FIRST_NEW_ID = 2 ** 48;

/** The stories of a trial. */
export interface TriedStories {
  story: StoryGraph;
  graphs: Map<number, StoryGraph>;
  teams: TrialTeams;
  /** The actions of all of them. */
  actions: KnownAction[];
  recordTypes: RecordType[];
}

/** Returns the stories of a trial as graphs. The tried story is enabled. */
export function triedStories(work: StoryTrialWork): TriedStories {
  const main = mainStory(work);
  const all = [...work.others.map(triedGraph), ...main.graphs].filter(({ id }) => id !== main.story.id);
  const story = ofTrialTenant({ ...main.story, disabled: false });
  const embedded = Object.fromEntries(main.graphs.map(({ id, name }) => [name, id]));
  const actions = all.flatMap(({ agents }) =>
    [...agents.values()].map(({ id, guid, name }) => ({ id, guid, name })),
  );
  return {
    story,
    teams: work.teams.map((team) =>
      team.id === work.teamId ? { ...team, stories: { ...embedded, ...team.stories } } : team,
    ),
    graphs: new Map([...all, story].map((graph) => [graph.id, ofTrialTenant(graph)])),
    actions: [...main.actions, ...actions],
    recordTypes: main.recordTypes,
  };
}

/** Returns the graph with this JSON text, for a trial. */
export function triedGraph(text: string): StoryGraph {
  return ofTrialTenant(graphOfText(text));
}

type MainStory = Pick<TriedStories, 'story' | 'actions' | 'recordTypes'> & { graphs: StoryGraph[] };

function mainStory({ story: given, recordTypes, teamId, teams }: StoryTrialWork): MainStory {
  if ('graph' in given) {
    const story = graphOfText(given.graph);
    return { story, graphs: [], actions: given.actions, recordTypes };
  }
  const stored = teams.filter(({ id }) => id === teamId).flatMap(({ stories }) => Object.keys(stories));
  const request = importable(given.text);
  const agents = new Map(given.actions.map(({ guid, id }) => [guid, id]));
  const { exportGuids, written, graphs, story } = planGraphs(request, {
    storyId: given.id,
    agents,
    names: stored,
    first: FIRST_NEW_ID,
  });
  const actions = [...story.agents.values()].map(({ id, guid, name }) => ({
    id,
    guid: exportGuids.get(id) ?? guid,
    name,
  }));
  const known = new Set(recordTypes.filter((type) => type.teamId === teamId).map(({ name }) => name));
  const made = recordTypesOf(written).filter(({ name }) => !known.has(name));
  const ofTeam = <Thing extends { teamId: number }>(thing: Thing): Thing => ({ ...thing, teamId });
  return {
    story: ofTeam(story),
    graphs: [...graphs.values()].map(ofTeam),
    actions,
    recordTypes: [...recordTypes, ...made.map(ofTeam)],
  };
}

/** @throws NoTrial with every reason why an import would refuse the story. */
function importable(text: string): ImportRequest {
  const { request, refusals } = readExport(text);
  const problems =
    request === undefined
      ? refusals.map(inStory)
      : checkExport(request.data, { checkOptions, runnable }, 'story');
  if (request === undefined || problems.length > 0) throw new NoTrial(problems);
  return request;
}

/** Names the field of this request instead of an import's. */
function inStory({ message, details }: Problem): Problem {
  const place = details?.replace(/^data\b/, 'story');
  return { message: message.replaceAll(/"data\b/g, '"story'), details: place ?? 'story' };
}

const ofTrialTenant = (graph: StoryGraph): StoryGraph => ({ ...graph, tenantId: TRIAL_TENANT });
