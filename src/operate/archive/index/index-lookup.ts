import {
  ObjectMissing,
  type ObjectStore,
  type StoredObject,
} from '../../../platform/objects/object-store.js';
import { INDEX_FOLDER, readIndexName } from '../archive-names.js';
import { indexEntryOf, guidOf, type IndexEntry, LINE_BYTES, linesOf } from './index-lines.js';

/** Lines that are read together at the end of a search. */
const WINDOW_LINES = 512;
/** A merge removes the indexes that it has read: a search that meets one starts again, at most so often. */
const TRIES = 3;

/** Returns the places of the parts of a run, oldest first; none if it is not in the archive. */
export async function findEntries(objects: ObjectStore, guid: string): Promise<IndexEntry[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await lookUp(objects, guid);
    } catch (error) {
      if (!(error instanceof ObjectMissing) || tries === TRIES) throw error;
    }
  }
}

async function lookUp(objects: ObjectStore, guid: string): Promise<IndexEntry[]> {
  const lines = new Set<string>();
  for await (const index of objects.list(INDEX_FOLDER)) {
    if (!mayHold(index, guid)) continue;
    for (const line of await searchIndex(objects, index, guid)) lines.add(line);
  }
  return [...lines].map(indexEntryOf).toSorted(byPlace);
}

function byPlace(a: IndexEntry, b: IndexEntry): number {
  return a.file === b.file ? a.offset - b.offset : a.file < b.file ? -1 : 1;
}

function mayHold({ name }: StoredObject, guid: string): boolean {
  const index = readIndexName(name);
  return index !== undefined && index.first <= guid && guid <= index.last;
}

/** Returns the lines of a run. The search halves the index until a window is left: about ten short reads. */
async function searchIndex(objects: ObjectStore, { name, bytes }: StoredObject, guid: string) {
  const count = Math.floor(bytes / LINE_BYTES);
  const read = async (from: number, lines: number) =>
    linesOf(await objects.read(name, { offset: from * LINE_BYTES, length: lines * LINE_BYTES }));
  let [low, high] = [0, count];
  while (high - low > WINDOW_LINES) {
    const middle = (low + high) >>> 1;
    const [line = ''] = await read(middle, 1);
    if (guidOf(line) < guid) low = middle;
    else high = middle;
  }
  const found: string[] = [];
  for (let from = low; from < count; from += WINDOW_LINES) {
    const lines = await read(from, Math.min(WINDOW_LINES, count - from));
    found.push(...lines.filter((line) => guidOf(line) === guid));
    const last = lines.at(-1);
    if (last === undefined || guidOf(last) > guid) break;
  }
  return found;
}
