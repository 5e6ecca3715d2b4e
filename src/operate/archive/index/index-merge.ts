import type { ObjectStore, StoredObject } from '../../../platform/objects/object-store.js';
import { INDEX_FOLDER, indexObject, newFileName, readIndexName } from '../archive-names.js';
import { guidOf, LINE_BYTES, linesOf } from './index-lines.js';

export interface MergeLimits {
  /** Batches of one level that are merged into one of the next. */
  fanIn: number;
  /** Lines of one index. */
  maxLines: number;
}

/** With these, 16,000 data files leave at most 45 batches, and a merge holds about 20 MB. */
const MERGE_LIMITS: MergeLimits = { fanIn: 16, maxLines: 50_000 };

const HIGHEST_LEVEL = 9;
/** Lines of a batch that are read at once. */
const READ_LINES = 4_000;

/**
 * Merges the indexes of each level that has enough of them, so that a search looks at few, however long the archive grows.
 * The old ones go after the new ones are whole: if the process dies between, some lines are twice there, which harms nothing.
 * Returns the number of indexes that were removed.
 */
export async function mergeIndexes(objects: ObjectStore, limits = MERGE_LIMITS): Promise<number> {
  let removed = 0;
  for (let level = 0; level < HIGHEST_LEVEL; level++) {
    const batches = await batchesOf(objects, level);
    if (batches.length < limits.fanIn) continue;
    // The oldest ones: the archive may have waited for this for long.
    const merged = batches.slice(0, limits.fanIn);
    await writeIndexes(objects, { level: level + 1, lines: mergedLines(objects, merged) }, limits);
    for (const { name } of merged.flat()) {
      await objects.remove(name);
      removed += 1;
    }
  }
  return removed;
}

/** Returns the batches of a level, oldest first, each with its indexes in the order of their lines. */
async function batchesOf(objects: ObjectStore, level: number): Promise<StoredObject[][]> {
  const batches = new Map<string, StoredObject[]>();
  for await (const object of objects.list(INDEX_FOLDER)) {
    const name = readIndexName(object.name);
    if (name?.level !== level) continue;
    batches.set(name.batch, [...(batches.get(name.batch) ?? []), object]);
  }
  const inOrder = [...batches].toSorted(([a], [b]) => (a < b ? -1 : 1));
  // The name of an index goes on with its first guid.
  return inOrder.map(([, indexes]) => indexes.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
}

/** Writes sorted lines as indexes of one batch. */
export async function writeIndexes(
  objects: ObjectStore,
  { level, lines }: { level: number; lines: AsyncIterable<string> | Iterable<string> },
  { maxLines }: Pick<MergeLimits, 'maxLines'> = MERGE_LIMITS,
): Promise<void> {
  const batch = newFileName();
  let page: string[] = [];
  const write = async () => {
    const [first, last] = [page[0], page.at(-1)];
    if (first === undefined || last === undefined) return;
    const object = indexObject({ level, batch, first: guidOf(first), last: guidOf(last) });
    await objects.put(object, Buffer.from(`${page.join('\n')}\n`, 'latin1'));
    page = [];
  };
  for await (const line of lines) {
    page.push(line);
    // The lines of a run stay together, so that no two indexes of a batch have the same name.
    if (page.length > maxLines && guidOf(line) !== guidOf(page.at(-2) ?? '')) {
      page.pop();
      await write();
      page.push(line);
    }
  }
  await write();
}

/** Yields the lines of all batches, sorted, each once. */
async function* mergedLines(objects: ObjectStore, batches: StoredObject[][]): AsyncGenerator<string> {
  const sources = batches.map((indexes) => batchLines(objects, indexes));
  const heads = await Promise.all(sources.map((source) => source.next()));
  for (let last = ''; ; ) {
    const at = leastOf(heads);
    const head = heads[at];
    const source = sources[at];
    if (head === undefined || source === undefined || head.done === true) return;
    if (head.value !== last) yield head.value;
    last = head.value;
    heads[at] = await source.next();
  }
}

function leastOf(heads: IteratorResult<string>[]): number {
  let least = 0;
  for (const [at, head] of heads.entries()) {
    const best = heads[least];
    if (head.done !== true && (best?.done === true || head.value < (best?.value ?? ''))) least = at;
  }
  return least;
}

async function* batchLines(objects: ObjectStore, indexes: StoredObject[]): AsyncGenerator<string, undefined> {
  for (const { name, bytes } of indexes) {
    for (let offset = 0; offset < bytes; offset += READ_LINES * LINE_BYTES) {
      yield* linesOf(await objects.read(name, { offset, length: READ_LINES * LINE_BYTES }));
    }
  }
  return undefined;
}
