import { randomBytes, randomUUID } from 'node:crypto';
import { type Actor, canRead } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import type { StoryGraph } from '../../stories/face.js';
import { type EventRecord, findRunId, findRunViews, type RunStory } from '../../observe/face.js';
import { calledStories } from '../start/called-stories.js';
import { loadPastRun } from '../start/load-past-run.js';
import { loadTrialStart, problem } from '../start/load-trial-start.js';
import { findKnownActions } from '../start/past-run-store.js';
import type { KnownAction, PastRun, StoryTrialWork, TrialLimits, TriedStory } from '../story/story-trial.js';
import { loadTeamsOf, textOfStory, type TrialStoriesDeps } from '../start/trial-stories.js';
import { loadWrittenTypes, type WritingActions, writtenActions } from '../start/trial-values.js';
import type { RequestedStoryTrial } from './requested-trial.js';

export interface TrialWorkDeps extends TrialStoriesDeps {
  limits: TrialLimits;
  /** The server's host name, as templates see it. */
  domain: string;
  /** The server's URL in links. */
  baseUrl: string;
}

/** The place of a trial: its team, and the run or event that it is of. */
export interface TrialPlace {
  teamId: number;
  /** The stored story or draft; undefined: an export. */
  storyId: number | undefined;
  run: RunStory | undefined;
  event: EventRecord | undefined;
}

interface Asked {
  wanted: RequestedStoryTrial;
  place: TrialPlace;
}

/** Returns the work for a thread: all that the trial may need, without secrets. @throws NotFound, Unprocessable. */
export async function trialWorkOf(actor: Actor, asked: Asked, deps: TrialWorkDeps): Promise<StoryTrialWork> {
  const { wanted, place } = asked;
  const { teamId } = place;
  const graph = await storedGraph(place.storyId, deps);
  const { stories } = await deps.values.load(teamId, { ...NOTHING, stories: true });
  const own = graph === undefined ? writtenActions(wanted.story?.actions ?? []) : [...graph.agents.values()];
  const past = await deps.database.read((session) => pastOf(session, actor, asked));
  const ids = (past?.calls ?? []).map(({ storyId }) => storyId);
  const found = await calledStories(own, ids, {
    find: (id) => deps.graphs.find(id),
    stories,
    teamId,
    maySee: (id) => canRead(actor, id),
  });
  const called = found.filter(({ story }) => story.id !== graph?.id);
  const others = called.map(({ written }) => written);
  const tried =
    graph === undefined
      ? { teamId, isTest: false, text: wanted.story?.text ?? '' }
      : await textOfStory(graph);
  const writing = [
    { teamId, actions: own },
    ...called.map(({ story }) => ({ teamId: story.teamId, actions: [...story.agents.values()] })),
  ];
  const { ownActions, ...stored } = await deps.database.read((session) =>
    loadStored(session, { asked, past, writing }),
  );
  return {
    ...stored,
    past,
    story: triedStory(graph, { asked, text: tried.text, ownActions, past }),
    teamId,
    teams: await loadTeamsOf(actor, [tried, ...others], deps),
    others: others.map(({ text }) => text),
    rules: wanted.rules,
    sends: wanted.sends ? { key: randomBytes(KEY_BYTES), mark: `trial-${randomUUID()}` } : undefined,
    limits: deps.limits,
    domain: deps.domain,
    baseUrl: deps.baseUrl,
  };
}

async function loadStored(
  session: Session,
  { asked, past, writing }: { asked: Asked; past: PastRun | undefined; writing: WritingActions[] },
) {
  const { wanted, place } = asked;
  return {
    start: await loadTrialStart(session, { wanted, event: place.event }, past),
    ownActions: place.storyId === undefined ? [] : await findKnownActions(session, [place.storyId]),
    recordTypes: await loadWrittenTypes(session, writing),
  };
}

const KEY_BYTES = 32;
const NOTHING = { resources: false, credentials: false, stories: false };

async function storedGraph(storyId: number | undefined, { graphs }: TrialWorkDeps) {
  if (storyId === undefined) return undefined;
  graphs.invalidate(storyId);
  const graph = await graphs.find(storyId);
  if (graph === undefined) throw new NotFound('Story');
  return graph;
}

async function pastOf(
  session: Session,
  actor: Actor,
  { wanted, place }: Asked,
): Promise<PastRun | undefined> {
  const { runGuid } = wanted;
  if (runGuid === undefined || place.run === undefined) return undefined;
  const { storyId } = place.run;
  const id = await findRunId(session, { storyId, guid: runGuid });
  const [run] = id === undefined ? [] : await findRunViews(session, [id]);
  if (run === undefined) throw new NotFound('Story run');
  const past = await loadPastRun(session, run, (teamId) => canRead(actor, teamId));
  if (past === undefined) throw problem('The first event of the run was deleted: set "event"', 'run_guid');
  return past;
}

interface Known {
  asked: Asked;
  text: string;
  past: PastRun | undefined;
  ownActions: KnownAction[];
}

/** An export has the ids of the run's story, as far as its guids are those of that story. */
function triedStory(graph: StoryGraph | undefined, { asked, text, past, ownActions }: Known): TriedStory {
  if (graph !== undefined) return { graph: text, actions: ownActions };
  return { text, id: asked.place.run?.storyId, actions: past?.actions ?? [] };
}
