import { access, lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { writeWhole } from './story-place.js';

/** What a pull or a push has left: the story on the server as it was then. */
export interface StoryBase {
  storyId: number;
  etag: string;
  /** As files hold it (`portableStory`). */
  story: JsonObject;
}

const FOLDER = '.fabula';

/** The bases of the stories below a folder, for one server: `.fabula/<host>/<path of the story>.json`. */
export function createBaseStore(root: string, url: string) {
  const { host, pathname } = new URL(url);
  const server = `${host}${pathname}`.replaceAll(/[^\w.-]+/g, '_').replace(/_$/, '');
  const folder = path.join(root, FOLDER, server);
  const fileOf = (stem: string) => path.join(folder, `${path.relative(root, stem)}.json`);

  return {
    /** Returns where the base of a story is kept, for people. */
    shownAt: (stem: string): string => path.relative('', fileOf(stem)),

    read: (stem: string): Promise<StoryBase | undefined> => readAt(fileOf(stem)),

    async write(stem: string, { storyId, etag, story }: StoryBase): Promise<void> {
      // No part of what is shared: the bases of another person are of another time.
      await writeWhole(path.join(root, FOLDER, '.gitignore'), '*\n');
      await writeWhole(fileOf(stem), `${stringifyJson({ story_id: storyId, etag, story })}\n`);
    },

    /** Returns where stories were pulled to, without endings, by their ids. */
    async stems(): Promise<Map<number, string>> {
      const entry = await lstat(folder).catch(() => undefined);
      const names = entry === undefined ? [] : await readdir(folder, { recursive: true });
      const found = new Map<number, string>();
      for (const name of names.filter((each) => each.endsWith('.json'))) {
        const base = await readAt(path.join(folder, name));
        if (base !== undefined) found.set(base.storyId, path.join(root, name.replace(/\.json$/, '')));
      }
      return found;
    },
  };
}

async function readAt(file: string): Promise<StoryBase | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : baseIn(text, file);
}

export type BaseStore = ReturnType<typeof createBaseStore>;

function baseIn(text: string, file: string): StoryBase {
  const value = parseJson(text);
  const { story_id: storyId, etag, story } = isJsonObject(value) ? value : {};
  if (
    typeof storyId !== 'number' ||
    typeof etag !== 'string' ||
    story === undefined ||
    !isJsonObject(story)
  ) {
    throw new Error(`${file} is damaged: delete it, and pull the story again`);
  }
  return { storyId, etag, story };
}

/** Returns the folder that holds the bases of a story: the nearest one above it with `.fabula`, else its own. */
export async function rootOf(stem: string): Promise<string> {
  const own = path.dirname(path.resolve(stem));
  for (let folder = own; ; folder = path.dirname(folder)) {
    const has = await access(path.join(folder, FOLDER)).then(
      () => true,
      () => false,
    );
    if (has) return folder;
    if (path.dirname(folder) === folder) return own;
  }
}
