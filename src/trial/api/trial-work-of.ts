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
  const past = await deps.database.read((session) => pastOf(session, actor, asked));
  const around = await loadAround(actor, { asked, calledIds: calledIn(past) }, deps);
  const start = await deps.database.read((session) =>
    loadTrialStart(session, { wanted, event: place.event }, past),
  );
  return workFrom(around, { past, start, rules: wanted.rules, sends: wanted.sends }, deps);
}

/** The parts of a trial that are the same for all runs which called the same stories. */
export interface AroundTrial extends Pick<StoryTrialWork, 'teamId' | 'teams' | 'others' | 'recordTypes'> {
  /** The tried story, for a past run. */
  storyFor: (past: PastRun | undefined) => TriedStory;
}

/** Returns the stories that a run called. */
export function calledIn(past: PastRun | undefined): number[] {
  return [...new Set((past?.calls ?? []).map(({ storyId }) => storyId))];
}

/** Loads what surrounds a trial of a run that called these stories. @throws NotFound. */
export async function loadAround(
  actor: Actor,
  { asked, calledIds }: { asked: Asked; calledIds: number[] },
  deps: TrialWorkDeps,
): Promise<AroundTrial> {
  const { wanted, place } = asked;
  const { teamId, storyId } = place;
  const graph = await storedGraph(storyId, deps);
  const { stories } = await deps.values.load(teamId, { ...NOTHING, stories: true });
  const own = graph === undefined ? writtenActions(wanted.story?.actions ?? []) : [...graph.agents.values()];
  const found = await calledStories(own, calledIds, {
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
  const writing: WritingActions[] = [
    { teamId, actions: own },
    ...called.map(({ story }) => ({ teamId: story.teamId, actions: [...story.agents.values()] })),
  ];
  const { ownActions, recordTypes } = await deps.database.read(async (session) => ({
    ownActions: storyId === undefined ? [] : await findKnownActions(session, [storyId]),
    recordTypes: await loadWrittenTypes(session, writing),
  }));
  return {
    teamId,
    recordTypes,
    storyFor: (past) => triedStory(graph, { asked, text: tried.text, ownActions, past }),
    teams: await loadTeamsOf(actor, [tried, ...others], deps),
    others: others.map(({ text }) => text),
  };
}

/** Returns the work from its parts. */
export function workFrom(
  { storyFor, ...around }: AroundTrial,
  { past, start, rules, sends }: Pick<StoryTrialWork, 'past' | 'start' | 'rules'> & { sends: boolean },
  { limits, domain, baseUrl }: Pick<TrialWorkDeps, 'limits' | 'domain' | 'baseUrl'>,
): StoryTrialWork {
  return {
    ...around,
    past,
    start,
    story: storyFor(past),
    rules,
    sends: sends ? { key: randomBytes(KEY_BYTES), mark: `trial-${randomUUID()}` } : undefined,
    limits,
    domain,
    baseUrl,
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
