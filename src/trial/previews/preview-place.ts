import { type Actor, homeTeamId } from '../../api/face.js';
import type { JsonObject } from '../../platform/json.js';
import type { Database } from '../../platform/mysql/database.js';
import { type EventRecord, visibleEvent } from '../../observe/face.js';
import { type StoryGraph, type StoryGraphs, visibleStory } from '../../stories/face.js';
import { type ActionInRun, findRunSamplePlace, loadRunSample, type RunSamplePlace } from './run-sample.js';
import { givenSample, type Sample, storedSample } from './sample.js';

/** Where templates are rendered, and with what, as a request says it. */
export interface RequestedPlace {
  storyId: number | undefined;
  teamId: number | undefined;
  event?: JsonObject | undefined;
  eventId: number | undefined;
  /** What an action received in a run. */
  inRun: ActionInRun | undefined;
}

/** The same as it was found. */
export interface PreviewPlace {
  story: StoryGraph | undefined;
  teamId: number;
  event: EventRecord | undefined;
  inRun: RunSamplePlace | undefined;
}

interface PreviewPlaceDeps {
  database: Pick<Database, 'read'>;
  graphs: Pick<StoryGraphs, 'find'>;
}

/** @throws NotFound and Forbidden: who may not write could read hidden addresses by a template. */
export async function findPreviewPlace(
  actor: Actor,
  { storyId: named, teamId, eventId, inRun }: RequestedPlace,
  { database, graphs }: PreviewPlaceDeps,
): Promise<PreviewPlace> {
  const found = await database.read(async (session) => {
    if (named !== undefined) await visibleStory(actor, named, 'write', session);
    return {
      event:
        eventId === undefined
          ? undefined
          : await visibleEvent(session, actor, { id: eventId, need: 'write' }),
      inRun: inRun && (await findRunSamplePlace(session, actor, { ...inRun, storyId: named })),
    };
  });
  const storyId = named ?? found.event?.storyId ?? found.inRun?.storyId;
  const story = storyId === undefined ? undefined : await graphs.find(storyId);
  return { ...found, story, teamId: story?.teamId ?? homeTeamId(actor, teamId, 'write') };
}

/** Returns what the templates are rendered with; undefined: nothing, or what a run no longer has. */
export async function loadSample(
  { event: given }: RequestedPlace,
  { story, event, inRun }: PreviewPlace,
  { database }: PreviewPlaceDeps,
): Promise<Sample | undefined> {
  if (given !== undefined) return givenSample(given);
  if (event === undefined && inRun === undefined) return undefined;
  return database.read(async (session) => {
    if (event !== undefined) return storedSample(session, 'event', event);
    return inRun && loadRunSample(session, inRun, story);
  });
}
