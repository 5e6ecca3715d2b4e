import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import {
  agentsOf,
  createFileNames,
  type FilesForm,
  mergeExports,
  stemOfStory,
  withKnownGuids,
} from '../../../stories/face.js';
import type { ApiClient } from './api-client.js';
import { type BaseStore, createBaseStore, type StoryBase } from './base-store.js';
import { differencesOf, isSameStory, shownConflicts, type StoryOutcome } from './compare-stories.js';
import { eachStory } from './each-story.js';
import { getStory, lastPushed, liveStory, type ServerStory } from './server-stories.js';
import { type ReadStory, readableStories, storyAt, type LocalStory, writeStoryFiles } from './story-place.js';

/** How a pull writes. */
export interface PullOptions {
  /** The folder of the stories. */
  dir: string;
  layout?: FilesForm['layout'] | undefined;
  format?: FilesForm['format'] | undefined;
  /** The side of conflicts. */
  take?: 'mine' | 'theirs' | undefined;
  /** The files become what the server has. */
  overwrite: boolean;
  dryRun: boolean;
}

/** A story of so many actions, or characters, becomes a folder. */
const LARGE = { actions: 20, characters: 64 * 1024 };

/** Pulls stories into a folder, as `eachStory`. What the files have changed since the last pull stays, unless it conflicts. */
export async function pullStories(
  api: ApiClient,
  stories: readonly ServerStory[],
  options: PullOptions,
): Promise<StoryOutcome[]> {
  const dir = path.resolve(options.dir);
  const bases = createBaseStore(dir, api.url);
  const present = await readableStories(dir);
  const stems = await bases.stems();
  const used = new Set<string>();
  return eachStory(
    stories,
    ({ id, name }) => ({ path: '', story_id: id, name }),
    async ({ id }) => pullOne(await getStory(api, id), { api, dir, bases, stems, present, used, options }),
  );
}

interface Pulling {
  api: ApiClient;
  dir: string;
  bases: BaseStore;
  /** Where stories were pulled to. */
  stems: ReadonlyMap<number, string>;
  /** What lies in the folder already. */
  present: ReadStory[];
  /** Places of the stories of this pull. */
  used: Set<string>;
  options: PullOptions;
}

async function pullOne({ id, guid }: ServerStory, pulling: Pulling): Promise<StoryOutcome> {
  const { api, bases, options } = pulling;
  const live = await liveStory(api, id);
  const known = pulling.stems.get(id);
  const guids = [guid, live.story.guid];
  const local = known === undefined ? unclaimedOf(guids, pulling) : await storyAt(known);
  const stem = local?.stem ?? known ?? (await freeStem(live.story, guid, pulling));
  pulling.used.add(stem);
  const next: StoryBase = { storyId: id, etag: live.etag, story: live.story };
  const place = { stem, form: formOf(live.story, options, local) };
  const told = { path: shortPath(shownPath(place)), story_id: id, name: nameOf(live.story) };
  if (local === undefined) {
    if (!options.dryRun) await writeBoth(place, live.story, { bases, next });
    const state = options.dryRun ? 'would_pull' : 'pulled';
    return { ...told, state, differences: [], conflicts: [], notes: [] };
  }
  const base =
    (await bases.read(stem))?.story ?? (await unchangedState(local.story, live.story, { id, pulling }));
  const wanted = wantedStory(local.story, live.story, { base, options });
  if ('refusal' in wanted) {
    return {
      ...told,
      state: 'refused',
      differences: [],
      conflicts: wanted.conflicts,
      notes: [wanted.refusal],
    };
  }
  const isSame = isSameStory(wanted.story, local.story);
  const isMoved = place.form.layout !== local.form.layout || place.form.format !== local.form.format;
  if (!options.dryRun) {
    // Files that say the same stay as they are written.
    if (isSame && !isMoved) await bases.write(stem, next);
    else await writeBoth(place, wanted.story, { bases, next });
  }
  const changed = options.dryRun ? 'would_pull' : 'pulled';
  return {
    ...told,
    state: isSame && !isMoved ? 'unchanged' : changed,
    differences: differencesOf(local.story, wanted.story),
    conflicts: [],
    notes: isSameStory(wanted.story, live.story) ? [] : ['the files have changes that are not pushed'],
  };
}

/** Returns files with one of these guids that are of no other story: two stories may be imported from one export. */
function unclaimedOf(guids: readonly unknown[], { present, stems, used }: Pulling): ReadStory | undefined {
  const claimed = new Set([...stems.values(), ...used]);
  return present.find(({ stem, story }) => guids.includes(story.guid) && !claimed.has(stem));
}

/** Returns what was pushed last, if the files are still that: in a fresh checkout, no base is known. */
async function unchangedState(
  files: JsonObject,
  live: JsonObject,
  { id, pulling: { api, options } }: { id: number; pulling: Pulling },
): Promise<JsonObject | undefined> {
  if (options.overwrite || isSameStory(files, live)) return undefined;
  const pushed = await lastPushed(api, id);
  if (pushed === undefined) return undefined;
  return isSameStory(withKnownGuids(files, pushed, undefined).story, pushed) ? pushed : undefined;
}

type Wanted = { story: JsonObject } | { refusal: string; conflicts: StoryOutcome['conflicts'] };

/** Returns what the files shall hold. */
function wantedStory(
  local: JsonObject,
  live: JsonObject,
  { base, options }: { base: JsonObject | undefined; options: PullOptions },
): Wanted {
  if (options.overwrite || isSameStory(local, live)) return { story: live };
  const own = withKnownGuids(local, live, base).story;
  if (isSameStory(own, live) || (base !== undefined && isSameStory(own, base))) return { story: live };
  if (base === undefined) {
    const refusal =
      'the files differ, and were not pulled from there: use --overwrite to lose what they have';
    return { refusal, conflicts: [] };
  }
  if (isSameStory(live, base)) return { story: local };
  const take = options.take === undefined ? undefined : options.take === 'mine' ? 'draft' : 'live';
  const { story, conflicts } = mergeExports({ base, live, files: own }, take);
  if (conflicts.length === 0) return { story };
  const refusal = 'files and server have changed the same: use --take mine or --take theirs';
  return { refusal, conflicts: shownConflicts(conflicts) };
}

async function writeBoth(
  place: LocalStory,
  story: JsonObject,
  { bases, next }: { bases: BaseStore; next: StoryBase },
): Promise<void> {
  await writeStoryFiles(place, story);
  await bases.write(place.stem, next);
}

function formOf(story: JsonObject, options: PullOptions, local: ReadStory | undefined): LocalStory['form'] {
  const isLarge = agentsOf(story).length > LARGE.actions || stringifyJson(story).length > LARGE.characters;
  return {
    layout: options.layout ?? local?.form.layout ?? (isLarge ? 'folder' : 'file'),
    format: options.format ?? local?.form.format ?? 'yaml',
  };
}

/** Relative, for a place below the present folder. */
function shortPath(full: string): string {
  const relative = path.relative('', full);
  return relative.startsWith('..') ? full : relative;
}

function shownPath({ stem, form }: LocalStory): string {
  return form.layout === 'folder' ? stem : `${stem}.${form.format}`;
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}

/** Returns a place in the folder that nothing has. */
async function freeStem(story: JsonObject, guid: string, { dir, stems, used }: Pulling): Promise<string> {
  const there = await readdir(dir).catch(() => []);
  const claimed = [...stems.values(), ...used].filter((stem) => path.dirname(stem) === dir);
  const name = createFileNames('unnamed', [
    ...there.map((file) => file.replace(/\.(?:json|ya?ml)$/i, '')),
    ...claimed.map((stem) => path.basename(stem)),
  ]);
  return path.join(dir, name(stemOfStory(story), guid));
}
