import { createHash } from 'node:crypto';
import type { GitEntry } from '../../../platform/git/git-repository.js';
import { blobOid } from '../../../platform/git/blob-oid.js';
import { stemOf, type StoryFile } from '../../files/file-text.js';
import type { FilesForm } from '../../files/story-files.js';

/** The files of one story in a commit. */
export interface StoryPlace {
  /** Its path within the folder of the repository: of a file without its ending, or of a folder. */
  stem: string;
  /** With paths within the folder of the repository. */
  entries: GitEntry[];
  /** Two commits have the same files if these are equal. */
  digest: string;
  /** Why they are not read. */
  problem: string | undefined;
}

/** Files that a folder of a repository may have. */
export const MOST_ENTRIES = 20_000;
/** So large is a file that is read or written at most. */
export const MOST_FILE_BYTES = 8 * 1024 * 1024;
/** So large are the files of one story together at most. */
export const MOST_STORY_BYTES = 64 * 1024 * 1024;
const HEAD = /^([^/]+)\/story\.(?:json|yaml|yml)$/i;
const FILES = new Set(['100644', '100755']);

/**
 * Returns the stories that a commit may have in a folder: files of JSON or YAML in it, and its folders with a file `story`.
 * Links and submodules are never read.
 */
export function storyPlaces(entries: readonly GitEntry[], folder: string): StoryPlace[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = entries
    .filter(({ path }) => path.startsWith(prefix))
    .map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
  const folders = new Set(inside.flatMap(({ path }) => HEAD.exec(path)?.[1] ?? []));
  const places = new Map<string, GitEntry[]>();
  for (const entry of inside) {
    const [top = '', ...below] = entry.path.split('/');
    if (stemOf(entry.path) === undefined) continue;
    const stem = below.length === 0 ? stemOf(top) : folders.has(top) ? top : undefined;
    // A file of its own and a folder of the same name are two claims to one place.
    if (stem !== undefined) places.set(stem, [...(places.get(stem) ?? []), entry]);
  }
  return [...places].map(([stem, own]) => ({
    stem,
    entries: own,
    digest: digestOf(own),
    problem: problemOf(own),
  }));
}

/** Returns the form in which a story is written at a place; undefined without one. */
export function formOf(place: StoryPlace | undefined): Omit<FilesForm, 'stem'> | undefined {
  const paths = place?.entries.map(({ path }) => path) ?? [];
  const head = paths.find((path) => HEAD.test(path)) ?? paths[0];
  if (head === undefined) return undefined;
  const format = head.toLowerCase().endsWith('.json') ? 'json' : 'yaml';
  return { layout: head.includes('/') ? 'folder' : 'file', format };
}

/** Returns the digest that these files would have in a commit. */
export function writtenDigest(files: readonly StoryFile[]): string {
  return digestOf(files.map(({ path, text }) => ({ path, oid: blobOid(text) })));
}

function digestOf(entries: readonly Pick<GitEntry, 'path' | 'oid'>[]): string {
  const lines = entries.map(({ path, oid }) => `${oid} ${path}\n`).toSorted();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

function problemOf(entries: readonly GitEntry[]): string | undefined {
  const strange = entries.find(({ mode }) => !FILES.has(mode));
  if (strange !== undefined) return `${strange.path} is a link or a submodule, which is not read`;
  const large = entries.find(({ size }) => size > MOST_FILE_BYTES);
  if (large !== undefined) return `${large.path} is larger than ${MOST_FILE_BYTES} bytes`;
  if (entries.reduce((sum, { size }) => sum + size, 0) > MOST_STORY_BYTES)
    return `the files of the story are larger than ${MOST_STORY_BYTES} bytes together`;
  const tops = new Set(entries.map(({ path }) => (path.includes('/') ? '/' : path)));
  return tops.size > 1 ? `the story stands in several places: ${[...tops].toSorted().join(', ')}` : undefined;
}
