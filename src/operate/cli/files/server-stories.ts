import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import { portableStory } from '../../../stories/face.js';
import type { ApiClient } from './api-client.js';

/** A story on the server, as a list has it. */
export interface ServerStory {
  id: number;
  name: string;
  slug: string;
  guid: string;
  locked: boolean;
  underControl: boolean;
}

/** The present state of a story. */
export interface LiveStory {
  /** With the secrets that the key may see, and the guids of files. */
  exported: JsonObject;
  /** As files hold it. */
  story: JsonObject;
  etag: string;
}

const PAGE = 500;
const MOST_PAGES = 40;

/** Which stories a command means. */
export interface ListFilter {
  team?: string | undefined;
  folder?: string | undefined;
}

/** Returns all stories that the key may see, of a team or folder. @throws Error for more than 20,000. */
export async function listServerStories(
  api: ApiClient,
  { team, folder }: ListFilter,
): Promise<ServerStory[]> {
  const found: ServerStory[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const query = new URLSearchParams({
      per_page: String(PAGE),
      page: String(page),
      ...(team !== undefined && { team_id: team }),
      ...(folder !== undefined && { folder_id: folder }),
    });
    const { body } = await api.call(`GET /api/v1/stories?${query.toString()}`);
    const stories = Array.isArray(body.stories) ? body.stories.filter(isJsonObject) : [];
    found.push(...stories.map(storyIn));
    if (stories.length < PAGE) return found;
  }
  throw new Error(`there are more than ${PAGE * MOST_PAGES} stories: name a team with --team`);
}

/**
 * Returns the story that a person names by its id, its address in the console, its guid, its slug or its name.
 * @throws Error for none and for several; ApiFault.
 */
export async function findServerStory(
  api: ApiClient,
  named: string,
  filter: ListFilter,
): Promise<ServerStory> {
  const id = /^\d{1,15}$/.exec(named)?.[0] ?? /\/stories\/(\d{1,15})(?:[/?#]|$)/.exec(named)?.[1];
  if (id !== undefined) return getStory(api, Number(id));
  const all = await listServerStories(api, filter);
  for (const is of [
    ({ guid }: ServerStory) => guid === named,
    ({ name }: ServerStory) => name === named,
    ({ slug }: ServerStory) => slug === named,
  ]) {
    const found = all.filter(is);
    const [first] = found;
    if (found.length === 1 && first !== undefined) return first;
    if (found.length > 1) {
      throw new Error(
        `several stories are called "${named}": name one by id (${found.map((each) => each.id).join(', ')})`,
      );
    }
  }
  throw new Error(`there is no story "${named}" that this key may see`);
}

const MOST_READ = 1_000;
/** The guids with which the stories of a server were imported, by the calls of one command. */
const origins = new WeakMap<ApiClient, Promise<Map<string, ServerStory | 'several'>>>();

/**
 * Returns the story that files are: that of their guid, the one that was imported with the guid, or the only one of their name.
 * Undefined: there is none. The second needs the contents of the stories, of 1,000 at most; it is none of `claimed`, which are
 * those of other files.
 */
export async function findStoryOfFiles(
  api: ApiClient,
  { guid, name }: JsonObject,
  { claimed = new Set(), ...filter }: ListFilter & { claimed?: ReadonlySet<number> },
): Promise<ServerStory | 'several' | undefined> {
  const all = await listServerStories(api, filter);
  const same = all.find((each) => each.guid === guid);
  if (same !== undefined) return same;
  const named = all.filter((each) => each.name === name);
  const [only] = named.length === 1 ? named : [];
  if (typeof guid === 'string' && guid !== '') {
    if (only !== undefined && (await liveStory(api, only.id)).story.guid === guid) return only;
    const known = origins.get(api) ?? readOrigins(api, all);
    origins.set(api, known);
    const imported = (await known).get(guid);
    const isFree = imported === 'several' || (imported !== undefined && !claimed.has(imported.id));
    if (isFree) return imported;
  }
  return named.length > 1 ? 'several' : only;
}

async function readOrigins(
  api: ApiClient,
  stories: readonly ServerStory[],
): Promise<Map<string, ServerStory | 'several'>> {
  const found = new Map<string, ServerStory | 'several'>();
  for (const story of stories.slice(0, MOST_READ)) {
    const { guid } = (await liveStory(api, story.id)).story;
    if (typeof guid !== 'string' || guid === story.guid) continue;
    // A file that was imported twice names neither.
    found.set(guid, found.has(guid) ? 'several' : story);
  }
  return found;
}

/** @throws ApiFault for a story that is not there. */
export async function getStory(api: ApiClient, id: number): Promise<ServerStory> {
  return storyIn((await api.call(`GET /api/v1/stories/${id}`)).body);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function storyIn({
  id,
  name,
  slug,
  guid,
  locked,
  change_control_enabled: underControl,
}: JsonObject): ServerStory {
  if (typeof id !== 'number') throw new Error("the response is not that of Fabula's API");
  return {
    id,
    name: text(name),
    slug: text(slug),
    guid: text(guid),
    locked: locked === true,
    underControl: underControl === true,
  };
}

/** Returns the present state of a story or a draft. */
export async function liveStory(api: ApiClient, id: number): Promise<LiveStory> {
  const { body, etag } = await api.call(`GET /api/v1/stories/${id}/export?for_files=true`);
  if (etag === undefined) throw new Error('the server is too old: its exports have no version');
  return { exported: body, story: portableStory(body), etag };
}

const VERSIONS_READ = 500;

/** Returns the state that files had when they were last pushed, as files hold it; undefined: it is not kept. */
export async function lastPushed(api: ApiClient, id: number): Promise<JsonObject | undefined> {
  const { body } = await api.call(`GET /api/v1/stories/${id}/versions?per_page=${VERSIONS_READ}`);
  const versions = Array.isArray(body.story_versions) ? body.story_versions.filter(isJsonObject) : [];
  const pushed = versions.find(({ source }) => source === 'files');
  if (typeof pushed?.id !== 'number') return undefined;
  const answer = (await api.call(`GET /api/v1/stories/${id}/versions/${pushed.id}?for_files=true`)).body;
  const { story_version: version } = answer;
  const exported = version !== undefined && isJsonObject(version) ? version.export_file : undefined;
  return exported !== undefined && isJsonObject(exported) ? portableStory(exported) : undefined;
}
