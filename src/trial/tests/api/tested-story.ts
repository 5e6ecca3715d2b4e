import { type Actor, canRead, canWrite } from '../../../api/face.js';
import { NotFound } from '../../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { mergedObjects } from '../../../platform/json/ordered-object.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { retryConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Database } from '../../../platform/mysql/database.js';
import { exportStory, exportWithoutSecrets } from '../../../stories/face.js';
import { calledStories } from '../../start/called-stories.js';
import { writtenActions } from '../../start/trial-values.js';
import type { TrialStoriesDeps } from '../../start/trial-stories.js';

export interface TestedStoryDeps extends Pick<TrialStoriesDeps, 'graphs' | 'values'> {
  database: Pick<Database, 'read' | 'transaction'>;
}

/** A story as its tests run it. */
export interface LoadedStory {
  /** JSON text of an import's body, in which the stories are embedded that it calls. */
  text: string;
  /** Its team, and those of the stories that it calls. */
  teamIds: number[];
}

/**
 * Returns a stored story with those that it calls by name or that these call, as far as the actor may see them: as the command
 * line has them in the file. @throws NotFound if it was deleted.
 */
export async function loadTestedStory(
  actor: Actor,
  { guid, teamId }: { guid: string; teamId: number },
  deps: TestedStoryDeps,
): Promise<LoadedStory> {
  const form = await exported({ guid, teamId }, deps);
  if (form === undefined) throw new NotFound('Story');
  return embedCalled(actor, { form, teamId }, deps);
}

/** Returns a story in the export form with those that it calls, in the same way. */
export async function embedCalled(
  actor: Actor,
  { form, teamId }: { form: JsonObject; teamId: number },
  deps: TestedStoryDeps,
): Promise<LoadedStory> {
  const { graphs, values } = deps;
  const actions = writtenActions(Array.isArray(form.agents) ? form.agents : []);
  const { stories } = await values.load(teamId, { resources: false, credentials: false, stories: true });
  const called = await calledStories(actions, [], {
    find: (storyId) => graphs.find(storyId),
    stories,
    teamId,
    maySee: (team) => canRead(actor, team),
  });
  const own = embeddedIn(form);
  const names = new Set([form, ...own].map(({ name }) => name));
  const others = called.map(({ story }) => story).filter(({ name }) => !names.has(name));
  const forms: JsonObject[] = [];
  for (const story of others) {
    const found = await exported(story, deps);
    if (found !== undefined) forms.push(found);
  }
  const data =
    forms.length === 0 ? form : mergedObjects<JsonValue>(form, { send_to_stories: [...own, ...forms] });
  const teamIds = [teamId, ...others.map((story) => story.teamId)];
  // Tests of a reader could ask for secrets piece by piece.
  const shown = teamIds.every((id) => canWrite(actor, id)) ? data : await exportWithoutSecrets(data);
  return { text: stringifyJson({ new_name: form.name, data: shown }), teamIds };
}

function exported(
  story: { guid: string; teamId: number },
  { database }: TestedStoryDeps,
): Promise<JsonObject | undefined> {
  return retryConflicts(() => database.transaction((session) => exportStory(story, new Date(), session)));
}

function embeddedIn({ send_to_stories: embedded }: JsonObject): JsonObject[] {
  return Array.isArray(embedded) ? embedded.filter(isJsonObject) : [];
}
