import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import {
  importBodyOf,
  lostText,
  mergeExports,
  withHiddenTexts,
  withKnownGuids,
} from '../../../stories/face.js';
import { type ApiClient, ApiFault, warningsIn } from './api-client.js';
import { type BaseStore, createBaseStore, rootOf } from './base-store.js';
import { differencesOf, isSameStory, shownConflicts, type StoryOutcome } from './compare-stories.js';
import { eachStory } from './each-story.js';
import { writeToDraft } from './push-draft.js';
import {
  findServerStory,
  findStoryOfFiles,
  getStory,
  lastPushed,
  type LiveStory,
  liveStory,
  type ServerStory,
} from './server-stories.js';
import { type ReadStory, writeStoryFiles } from './story-place.js';

/** How a push writes. */
export interface PushOptions {
  dryRun: boolean;
  /** The state that the files are compared with. */
  base: 'pulled' | 'pushed';
  /** The name of the draft that is written in place of the story. */
  draft?: string | undefined;
  /** Opens a change request for the draft. */
  request: boolean;
  /** The story that is meant, for files that were not pulled. */
  story?: string | undefined;
  team?: string | undefined;
  /** The side of conflicts. */
  take?: 'mine' | 'theirs' | undefined;
  /** The story becomes what the files hold, whatever others have changed. */
  overwrite: boolean;
  /** What the version says about the change. */
  message?: string | undefined;
}

/** Another change between reading and writing is merged again, so often. */
const MOST_TRIES = 5;

/** Pushes stories, as `eachStory`. What others have changed since the base stays, unless it conflicts. */
export async function pushStories(
  api: ApiClient,
  stories: readonly ReadStory[],
  options: PushOptions,
): Promise<StoryOutcome[]> {
  const done: DoneStory[] = [];
  return eachStory(
    stories,
    (local) => ({ path: local.shown, story_id: null, name: nameOf(local) }),
    async (local) => {
      const outcome = await pushStory(api, local, { options, done });
      if (outcome.state !== 'refused') done.push({ id: outcome.story_id, local });
      return outcome;
    },
  );
}

/** A story that was pushed before in the same push. */
interface DoneStory {
  /** Null: a dry run made none. */
  id: number | null;
  local: ReadStory;
}

async function pushStory(
  api: ApiClient,
  local: ReadStory,
  { options, done }: { options: PushOptions; done: readonly DoneStory[] },
): Promise<StoryOutcome> {
  const root = await rootOf(local.stem);
  const bases = createBaseStore(root, api.url);
  const pushing = { api, local, options, bases };
  let target: ServerStory | undefined;
  try {
    target = await targetOf(pushing);
  } catch (error) {
    if (!(error instanceof NoTarget)) throw error;
    return refused(pushing, error.message);
  }
  const others = done.filter((each) => path.resolve(each.local.stem) !== path.resolve(local.stem));
  const twin = others.find((each) =>
    target === undefined ? isSameNew(each.local.story, local.story) : each.id === target.id,
  );
  if (twin !== undefined)
    return refused(
      pushing,
      `${twin.local.shown} is the same story, by its guid or its name: delete one; for a story of its own, write another name and no guid`,
    );
  if (target === undefined) return createStory(pushing);
  for (let tries = 1; ; tries += 1) {
    try {
      return await pushTo(target, pushing);
    } catch (error) {
      const isMoved = error instanceof ApiFault && error.status === 412 && tries < MOST_TRIES;
      if (!isMoved) throw error;
    }
  }
}

/** Whether files of which the server has none would be one story there: by their guid, without one by their name. */
function isSameNew(one: JsonObject, other: JsonObject): boolean {
  const [guid, otherGuid] = [one.guid ?? '', other.guid ?? ''];
  return guid === otherGuid && (guid !== '' || one.name === other.name);
}

/** Nobody can tell which story the files are. */
class NoTarget extends Error {}

function refused(pushing: Pushing, note: string): StoryOutcome {
  return { ...told(pushing), state: 'refused', differences: [], conflicts: [], notes: [note] };
}

interface Pushing {
  api: ApiClient;
  local: ReadStory;
  options: PushOptions;
  bases: BaseStore;
}

function told({ local }: Pushing, target?: ServerStory): Pick<StoryOutcome, 'path' | 'story_id' | 'name'> {
  return { path: local.shown, story_id: target?.id ?? null, name: target?.name ?? nameOf(local) };
}

function nameOf({ story: { name } }: ReadStory): string {
  return typeof name === 'string' ? name : '';
}

/** Returns the story that the files are: that of the base, of the option, of the guid, or the only one of the name. @throws NoTarget */
async function targetOf({ api, local, options, bases }: Pushing): Promise<ServerStory | undefined> {
  if (options.story !== undefined) return findServerStory(api, options.story, { team: options.team });
  const base = await bases.read(local.stem);
  if (base !== undefined) {
    return getStory(api, base.storyId).catch((error: unknown) => {
      if (!(error instanceof ApiFault && error.status === 404)) throw error;
      const file = bases.shownAt(local.stem);
      throw new NoTarget(
        `story ${base.storyId} was deleted, or this key may not see it: delete ${file}, and the push makes a new story`,
      );
    });
  }
  const claimed = new Set((await bases.stems()).keys());
  const found = await findStoryOfFiles(api, local.story, { team: options.team, claimed });
  if (found !== 'several') return found;
  throw new NoTarget('several stories have this name, or came from this file: name one with --story');
}

async function pushTo(target: ServerStory, pushing: Pushing): Promise<StoryOutcome> {
  const { api, local, options, bases } = pushing;
  const live = await liveStory(api, target.id);
  const base = await baseOf(target.id, pushing);
  const { story: files, moved, lost: webhooks } = withKnownGuids(local.story, live.story, base);
  const kept = moved.map((name) => `"${name}" keeps the address that its webhook has on the server`);
  // The server itself tells of them when the story is written.
  const notes = [...kept, ...webhooks];
  const at = { ...told(pushing, target), notes };
  if (isSameStory(files, live.story)) {
    await agree({ live, target }, pushing);
    return { ...at, state: 'unchanged', differences: [], conflicts: [] };
  }
  const plan = planPush({ base, live: live.story, files }, options);
  if ('refusal' in plan) {
    const { refusal, conflicts, differences } = plan;
    return { ...at, state: 'refused', differences, conflicts, notes: [refusal, ...notes] };
  }
  const differences = differencesOf(live.story, plan.story);
  if (isSameStory(plan.story, live.story)) {
    return {
      ...at,
      state: 'unchanged',
      differences,
      conflicts: [],
      notes: [...notes, 'the server has changes that the files lack'],
    };
  }
  const { story, lost } = withHiddenTexts(plan.story, live.exported);
  const refusal = refusalOf(target, lost, options);
  if (refusal !== undefined)
    return { ...at, state: 'refused', differences, conflicts: [], notes: [refusal, ...notes] };
  if (options.dryRun) return { ...at, state: 'would_push', differences, conflicts: [] };
  if (options.draft !== undefined) {
    const written = await writeToDraft(api, { ...options, target, draft: options.draft, story });
    if (written.state === 'pushed' && !isSameStory(plan.story, files)) {
      // The draft has the changes of others: the files say that they lack nothing of it.
      await writeStoryFiles(local, plan.story);
      await bases.write(local.stem, { storyId: target.id, etag: live.etag, story: live.story });
    }
    return { ...at, ...written, differences, conflicts: [], notes: [...written.notes, ...notes] };
  }
  const { body } = await api.call(`PUT /api/v1/stories/${target.id}/export`, {
    body: { data: story, ...(options.message !== undefined && { description: options.message }) },
    ifMatch: live.etag,
  });
  const now = await liveStory(api, target.id);
  if (!isSameStory(now.story, local.story)) await writeStoryFiles(local, now.story);
  await bases.write(local.stem, { storyId: target.id, etag: now.etag, story: now.story });
  return {
    ...at,
    state: 'pushed',
    differences,
    conflicts: [],
    notes: [...warningsIn(body), ...kept],
  };
}

function baseOf(id: number, { api, local, options, bases }: Pushing): Promise<JsonObject | undefined> {
  if (options.base === 'pushed') return lastPushed(api, id);
  return bases.read(local.stem).then((base) => (base?.storyId === id ? base.story : undefined));
}

type Plan =
  | { story: JsonObject }
  | { refusal: string; conflicts: StoryOutcome['conflicts']; differences: StoryOutcome['differences'] };

interface PushStates {
  base: JsonObject | undefined;
  live: JsonObject;
  files: JsonObject;
}

/** Returns what the story shall be. */
function planPush(states: PushStates, { base: kind, take, overwrite }: PushOptions): Plan {
  const { base, live, files } = states;
  if (overwrite) return { story: files };
  if (base === undefined) {
    const missing =
      kind === 'pushed'
        ? 'the server keeps no state of an earlier push: push the files once as they are pulled, or use --overwrite'
        : 'the files were not pulled from there: pull the story first, or use --overwrite to lose what it has';
    return { refusal: missing, conflicts: [], differences: differencesOf(live, files) };
  }
  const [own] = changedEmbedded(states);
  if (own !== undefined) {
    const refusal = `"${own}", which is exported with the story, was changed here: change it where it is a story of its own`;
    return { refusal, conflicts: [], differences: [] };
  }
  if (isSameStory(files, base)) return { story: live };
  if (isSameStory(live, base)) return { story: files };
  const side = take === undefined ? undefined : take === 'mine' ? 'draft' : 'live';
  const { story, conflicts } = mergeExports({ base, live, files }, side);
  if (conflicts.length > 0) {
    const refusal =
      kind === 'pushed'
        ? 'files and server have changed the same: push what is pulled before your own change, or use --take mine'
        : 'files and server have changed the same: pull, or use --take mine or --take theirs';
    return { refusal, conflicts: shownConflicts(conflicts), differences: [] };
  }
  if (kind === 'pushed' && !isSameStory(base, live) && !isSameStory(story, files)) {
    const refusal =
      'the server has changes that the files lack: pull and commit them first, or use --overwrite';
    return { refusal, conflicts: [], differences: differencesOf(base, live) };
  }
  return { story };
}

/** Returns the names of embedded stories that the server has otherwise, and that the files have changed: a push does not write them. */
function changedEmbedded({ base, live, files }: PushStates): string[] {
  const [old, theirs] = [embeddedIn(base ?? {}), embeddedIn(live)];
  return [...embeddedIn(files)].flatMap(([name, story]) => {
    const [before, present] = [old.get(name), theirs.get(name)];
    const isOwn = present !== undefined && !isSameStory(present, story);
    return isOwn && (before === undefined || !isSameStory(before, story)) ? [name] : [];
  });
}

function embeddedIn({ send_to_stories: list }: JsonObject): Map<string, JsonObject> {
  const stories = Array.isArray(list) ? list.filter(isJsonObject) : [];
  return new Map(stories.map((story) => [typeof story.name === 'string' ? story.name : '', story]));
}

function refusalOf(target: ServerStory, lost: string[], { draft }: PushOptions): string | undefined {
  const [text] = lost;
  if (text !== undefined) {
    return lostText(text);
  }
  if (draft !== undefined) return undefined;
  if (target.locked) return 'the story is locked';
  return target.underControl ? 'the story is under change control: use --draft NAME --request' : undefined;
}

/** Files and server are the same: both are noted as what the next change is compared with. */
async function agree(
  { live, target }: { live: LiveStory; target: ServerStory },
  pushing: Pushing,
): Promise<void> {
  const { api, local, options, bases } = pushing;
  if (options.dryRun) return;
  if (options.base === 'pushed') {
    const pushed = await lastPushed(api, target.id);
    if (target.locked || (pushed !== undefined && isSameStory(pushed, live.story))) return;
    await api.call(`PUT /api/v1/stories/${target.id}/export`, {
      body: { data: live.exported },
      ifMatch: live.etag,
    });
    return;
  }
  await bases.write(local.stem, { storyId: target.id, etag: live.etag, story: live.story });
}

async function createStory(pushing: Pushing): Promise<StoryOutcome> {
  const { api, local, options, bases } = pushing;
  if (options.draft !== undefined) {
    return refused(
      pushing,
      'there is no story on the server that a draft could be of: push it without --draft',
    );
  }
  const at = { ...told(pushing), differences: [], conflicts: [] };
  const [hidden] = withHiddenTexts(local.story).lost;
  if (hidden !== undefined) return refused(pushing, lostText(hidden));
  const isUnnamed = options.base === 'pushed' && typeof local.story.guid !== 'string';
  const unnamed = isUnnamed
    ? ['the file has no guid, so another name would make another story: pull the story, and commit the file']
    : [];
  if (options.dryRun) return { ...at, state: 'would_create', notes: unnamed };
  const { body } = await api.call('POST /api/v1/stories/import', {
    body: {
      ...(importBodyOf(local.story) as JsonObject),
      ...(options.team !== undefined && { team_id: options.team }),
    },
  });
  if (typeof body.id !== 'number') throw new Error("the response is not that of Fabula's API");
  let now = await liveStory(api, body.id);
  // Also what the import has given guids to: the next change is compared with this.
  await api.call(`PUT /api/v1/stories/${body.id}/export`, {
    body: { data: now.exported },
    ifMatch: now.etag,
  });
  now = await liveStory(api, body.id);
  await writeStoryFiles(local, now.story);
  await bases.write(local.stem, { storyId: body.id, etag: now.etag, story: now.story });
  return { ...at, story_id: body.id, state: 'created', notes: [...warningsIn(body), ...unnamed] };
}
