import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import {
  filesOfStory,
  type FilesForm,
  type StoryFile,
  StoryFilesError,
  storyOfFiles,
} from '../../../stories/face.js';

/** Where a story lies on this machine, and in which form. */
export interface LocalStory {
  /** The file, or the folder, without the ending. */
  stem: string;
  form: Pick<FilesForm, 'layout' | 'format'>;
}

/** A story that was read from files. */
export interface ReadStory extends LocalStory {
  /** The file or the folder, as it is named to people. */
  shown: string;
  story: JsonObject;
}

const HEADS = ['story.yaml', 'story.yml', 'story.json'];
const DATA_FILE = /\.(?:json|ya?ml)$/i;
/** The first key of such a file. */
const MARK = /^[\s{]*"?fabula_files"?\s*:/m;
const PARTS = ['actions', 'stories', 'tests'];
const MOST_ENTRIES = 20_000;
const MOST_FOLDERS_DEEP = 10;
const MOST_FILE_BYTES = 9 * 1024 * 1024;

/**
 * Returns the stories at a path: a file, the folder of a story, or a folder with several. In the latter, files of JSON and
 * YAML that hold no story are left out, and given to `noteOthers`.
 * @throws StoryFilesError with the faults of all files; Error for a path that is not there, or a symbolic link.
 */
export async function readStories(
  given: string,
  noteOthers: (paths: string[]) => void = () => undefined,
): Promise<ReadStory[]> {
  const entry = await lstat(given);
  if (entry.isSymbolicLink()) throw new Error(`${given} is a symbolic link`);
  if (!entry.isDirectory()) {
    const folder = path.dirname(given);
    return [(await isHead(given)) ? await readFolder(folder, folder) : await readOne(given)];
  }
  if ((await headIn(given)) !== undefined) return [await readFolder(given, given)];
  const { found, others, faults } = await readAll(given);
  if (faults.length > 0) throw new StoryFilesError(faults.flatMap(({ problems }) => problems));
  if (others.length > 0) noteOthers(others);
  return found;
}

/** Returns the stories below a folder that can be read; a folder may hold much else. */
export async function readableStories(root: string): Promise<ReadStory[]> {
  const entry = await lstat(root).catch(() => undefined);
  if (entry?.isSymbolicLink() === true) throw new Error(`${root} is a symbolic link`);
  return entry === undefined ? [] : (await readAll(root)).found;
}

/** Returns the story of this name in any form; undefined: there is none. @throws StoryFilesError */
export async function storyAt(stem: string): Promise<ReadStory | undefined> {
  const [first] = await presentFiles(stem);
  if (first === undefined) return undefined;
  return first.startsWith(stem + path.sep) ? readFolder(stem, stem) : readOne(first);
}

async function readAll(
  root: string,
): Promise<{ found: ReadStory[]; others: string[]; faults: StoryFilesError[] }> {
  const found: ReadStory[] = [];
  const others: string[] = [];
  const faults: StoryFilesError[] = [];
  for (const place of await placesIn(root)) {
    try {
      const read = place.isFolder ? await readFolder(place.path, place.path) : await readOne(place.path);
      if (place.isFolder || isStory(read.story)) found.push(read);
      else others.push(place.path);
    } catch (error) {
      if (!(error instanceof StoryFilesError)) throw error;
      if (error.holdsNone && !place.isFolder) others.push(place.path);
      else faults.push(error);
    }
  }
  return { found, others, faults };
}

/** Whether a value has what each story has. */
function isStory({ agents, data }: JsonObject): boolean {
  return Array.isArray(agents) || (data !== undefined && isJsonObject(data));
}

/** Returns the one story at a path. @throws Error for several, and as `readStories`. */
export async function readStory(given: string): Promise<ReadStory> {
  const stories = await readStories(given);
  const [story] = stories;
  if (story === undefined) throw new Error(`${given} holds no story`);
  if (stories.length > 1) throw new Error(`${given} holds ${stories.length} stories: name one of them`);
  return story;
}

interface Place {
  path: string;
  isFolder: boolean;
}

async function placesIn(root: string): Promise<Place[]> {
  const places: Place[] = [];
  let seen = 0;
  const visit = async (folder: string, depth: number): Promise<void> => {
    const entries = await entriesOf(folder);
    seen += entries.length;
    if (seen > MOST_ENTRIES || depth > MOST_FOLDERS_DEEP)
      throw new Error(`${root} holds too many files or folders`);
    for (const entry of entries) {
      const full = path.join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.isSymbolicLink()) continue;
      if (entry.isFile() && DATA_FILE.test(entry.name)) places.push({ path: full, isFolder: false });
      if (!entry.isDirectory()) continue;
      if ((await headIn(full)) !== undefined) places.push({ path: full, isFolder: true });
      else await visit(full, depth + 1);
    }
  };
  await visit(root, 0);
  return places;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the name of the file that holds a folder of this form together; undefined: it is no such folder. */
async function headIn(folder: string): Promise<string | undefined> {
  for (const name of await readdir(folder)) {
    if (HEADS.includes(name.toLowerCase()) && (await isHead(path.join(folder, name)))) return name;
  }
  return undefined;
}

/** Whether a file is the one that holds the folder of a story together. */
export async function isHead(file: string): Promise<boolean> {
  if (!HEADS.includes(path.basename(file).toLowerCase())) return false;
  const entry = await lstat(file);
  if (!entry.isFile() || entry.size > MOST_FILE_BYTES) return false;
  return MARK.test(await readFile(file, 'utf8'));
}

async function readOne(file: string): Promise<ReadStory> {
  const story = storyOf([{ path: path.basename(file), text: await textOf(file) }], path.dirname(file));
  const format = /\.json$/i.test(file) ? 'json' : 'yaml';
  return { stem: file.replace(DATA_FILE, ''), form: { layout: 'file', format }, shown: file, story };
}

async function readFolder(folder: string, shown: string): Promise<ReadStory> {
  const files = await filesIn(folder);
  const head = files.find((file) => HEADS.includes(file.path.toLowerCase()));
  const format = head !== undefined && /\.json$/i.test(head.path) ? 'json' : 'yaml';
  return { stem: folder, form: { layout: 'folder', format }, shown, story: storyOf(files, folder) };
}

/** Problems name paths as the person has given them. */
function storyOf(files: StoryFile[], folder: string): JsonObject {
  try {
    return storyOfFiles(files);
  } catch (error) {
    if (!(error instanceof StoryFilesError)) throw error;
    throw new StoryFilesError(
      error.problems.map((problem) => ({ ...problem, path: path.join(folder, problem.path) })),
      error.holdsNone,
    );
  }
}

/** The head of a folder, and the files in the folders of its parts. */
async function filesIn(folder: string): Promise<StoryFile[]> {
  const head = await headIn(folder);
  const names = head === undefined ? [] : [head];
  for (const under of PARTS) {
    for (const entry of await entriesOrNone(path.join(folder, under))) {
      if (!DATA_FILE.test(entry.name)) continue;
      if (entry.isFile()) names.push(`${under}/${entry.name}`);
      else
        throw new StoryFilesError([
          { path: path.join(folder, under, entry.name), message: 'is no plain file' },
        ]);
    }
  }
  const files: StoryFile[] = [];
  for (const name of names) files.push({ path: name, text: await textOf(path.join(folder, name)) });
  return files;
}

async function entriesOrNone(folder: string): Promise<Dirent[]> {
  const entry = await lstat(folder).catch(() => undefined);
  if (entry === undefined) return [];
  if (!entry.isDirectory()) throw new StoryFilesError([{ path: folder, message: 'is no folder' }]);
  return entriesOf(folder);
}

async function textOf(file: string): Promise<string> {
  const { size } = await lstat(file);
  if (size > MOST_FILE_BYTES) {
    throw new StoryFilesError([{ path: file, message: `is larger than ${MOST_FILE_BYTES} bytes` }]);
  }
  const bytes = await readFile(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StoryFilesError([{ path: file, message: 'is not UTF-8' }]);
  }
}

/**
 * Writes a story, and deletes what another form or an earlier state of it had there. Each file is replaced at once, but for the
 * comments at its top. Nothing is written through symbolic links.
 */
export async function writeStoryFiles({ stem, form }: LocalStory, story: JsonObject): Promise<void> {
  const folder = path.dirname(stem);
  const files = filesOfStory(story, { ...form, stem: path.basename(stem) });
  const stale = new Set(await presentFiles(stem));
  for (const file of files) {
    const full = path.join(folder, file.path);
    stale.delete(full);
    await writeWhole(full, (await topComments(full)) + file.text);
  }
  for (const file of stale) await rm(file);
}

/** Returns the comments at the top of a file of YAML, such as the one that names its schema to an editor. */
async function topComments(file: string): Promise<string> {
  if (!/\.ya?ml$/i.test(file)) return '';
  const present = await readFile(file, 'utf8').catch(() => '');
  return /^(?:#.*\n)*/.exec(present)?.[0] ?? '';
}

/** The files that a story of this name has in any form. */
async function presentFiles(stem: string): Promise<string[]> {
  const single = ['.json', '.yaml', '.yml'].map((ending) => stem + ending);
  const entry = await lstat(stem).catch(() => undefined);
  const isFolder = entry?.isDirectory() === true && (await headIn(stem)) !== undefined;
  const inside = isFolder ? (await filesIn(stem)).map((file) => path.join(stem, file.path)) : [];
  const there = await Promise.all(single.map((file) => lstat(file).catch(() => undefined)));
  return [...single.filter((_, index) => there[index]?.isFile() === true), ...inside];
}

/** Writes a file with its folders, so that nobody sees half of it. @throws Error for symbolic links on the way. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true });
  for (const each of [folder, file]) {
    const entry = await lstat(each).catch(() => undefined);
    if (entry?.isSymbolicLink() === true) throw new Error(`${each} is a symbolic link`);
  }
  const fresh = `${file}.new-${process.pid}`;
  await writeFile(fresh, text);
  await rename(fresh, file);
}
