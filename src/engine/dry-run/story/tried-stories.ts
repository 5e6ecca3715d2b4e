import type { RecordType } from '../../../records/types/record-type.js';
import type { KnownAction, StoryTrialWork } from '../../../runs/trials/story-trial.js';
import { checkOptions, runnable } from '../../../agents/index.js';
import type { Problem } from '../../../platform/errors.js';
import { checkExport } from '../../../stories/import/check-export.js';
import type { ImportRequest } from '../../../stories/import/import-request.js';
import { readExport } from '../../../stories/check/read-export.js';
import { graphOfText } from '../../../stories/graph/graph-text.js';
import type { StoryGraph } from '../../../stories/graph/story-graph.js';
import { recordTypesOf } from '../memory/dry-run-records.js';
import { NoTrial } from './no-trial.js';
import { DRY_RUN_TEAM, planGraphs, TRIAL_TENANT } from '../plan-graphs.js';

/** No stored story or action has such an id. */
export const FIRST_NEW_ID = 2 ** 48;

/** The stories of a trial. */
export interface TriedStories {
  story: StoryGraph;
  graphs: ReadonlyMap<number, StoryGraph>;
  /** Ids by name. */
  names: Record<string, number>;
  /** The actions of all of them. */
  actions: KnownAction[];
  recordTypes: RecordType[];
}

/** Returns the stories of a trial as graphs of one team, which stands for the real one. The tried story is enabled. */
export function triedStories(work: StoryTrialWork): TriedStories {
  const main = mainStory(work);
  const others = work.others.map(graphOfText).map(ofTrialTeam);
  const all = [...others, ...main.graphs.values()].filter(({ id }) => id !== main.story.id);
  const story = ofTrialTeam({ ...main.story, disabled: false });
  const actions = all.flatMap(({ agents }) =>
    [...agents.values()].map(({ id, guid, name }) => ({ id, guid, name })),
  );
  return {
    story,
    names: { ...namesOf(main.graphs.values()), ...work.stories },
    graphs: new Map([...all, story].map((graph) => [graph.id, ofTrialTeam(graph)])),
    actions: [...main.actions, ...actions],
    recordTypes: main.recordTypes,
  };
}

function mainStory({ story: given, recordTypes, stories: names }: StoryTrialWork): TriedStories {
  if ('graph' in given) {
    const story = graphOfText(given.graph);
    return { story, names: {}, graphs: new Map([[story.id, story]]), actions: given.actions, recordTypes };
  }
  const request = importable(given.text);
  const agents = new Map(given.actions.map(({ guid, id }) => [guid, id]));
  const { exportGuids, exports, ...planned } = planGraphs(request, {
    storyId: given.id,
    agents,
    names: Object.keys(names),
    first: FIRST_NEW_ID,
  });
  const actions = [...planned.story.agents.values()].map(({ id, guid, name }) => ({
    id,
    guid: exportGuids.get(id) ?? guid,
    name,
  }));
  const known = new Set(recordTypes.map(({ name }) => name));
  const made = recordTypesOf(exports).filter(({ name }) => !known.has(name));
  return { ...planned, names: {}, actions, recordTypes: [...recordTypes, ...made] };
}

function namesOf(graphs: Iterable<StoryGraph>): Record<string, number> {
  return Object.fromEntries([...graphs].map(({ id, name }) => [name, id]));
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

const ofTrialTeam = (graph: StoryGraph): StoryGraph => ({
  ...graph,
  teamId: DRY_RUN_TEAM,
  tenantId: TRIAL_TENANT,
});
