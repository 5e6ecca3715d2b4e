import { createHash } from 'node:crypto';
import { INDEX_FOLDER, newFileName, readIndexName } from '../../src/operate/archive/archive-names.js';
import { indexEntryOf, indexLine } from '../../src/operate/archive/index/index-lines.js';
import { findEntries } from '../../src/operate/archive/index/index-lookup.js';
import { mergeIndexes, writeIndexes } from '../../src/operate/archive/index/index-merge.js';
import { memoryObjects } from '../support/memory-objects.js';

const FILE = newFileName();

/** A guid that looks like any other, for a number. */
function guidFor(number: number): string {
  const digest = createHash('sha256').update(String(number)).digest('hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-7${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

const line = (number: number, offset = number) =>
  indexLine({ guid: guidFor(number), file: FILE, offset, length: 10 }).slice(0, -1);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const sorted = (numbers: number[]) => numbers.map((number) => line(number)).toSorted();

async function indexesOf(batches: string[][]) {
  const memory = memoryObjects();
  for (const lines of batches) await writeIndexes(memory.store, { level: 0, lines });
  return memory;
}

describe('the index of the archive', () => {
  it('has names of one length that ascend, however many are given at once', () => {
    const names = range(0, 500).map(() => newFileName());
    expect(names).toEqual(names.toSorted());
    expect(new Set(names.map(({ length }) => length))).toEqual(new Set([26]));
  });

  it('gives the entry that was written', () => {
    const entry = { guid: guidFor(1), file: FILE, offset: 123_456, length: 4_096 };
    expect(indexEntryOf(indexLine(entry).slice(0, -1))).toEqual(entry);
    expect(() => indexEntryOf('short')).toThrow('damaged');
  });

  it('finds each run of a large index by some short reads', async () => {
    const { store, reads } = await indexesOf([sorted(range(0, 20_000))]);
    for (const number of [0, 1, 7, 9_999, 19_999]) {
      reads.length = 0;
      expect(await findEntries(store, guidFor(number))).toEqual([indexEntryOf(line(number))]);
      expect(reads.length).toBeLessThanOrEqual(10);
    }
    expect(await findEntries(store, guidFor(20_001))).toEqual([]);
  });

  it('finds all parts of a run, in the order of their places, in however many indexes they are', async () => {
    const parts = range(0, 1_500).map((offset) => line(5, offset));
    const { store } = await indexesOf([
      [...parts, ...sorted(range(10, 3_000))].toSorted(),
      [line(5, 9_999), ...sorted(range(3_000, 3_100))].toSorted(),
    ]);
    const found = await findEntries(store, guidFor(5));
    expect(found.map(({ offset }) => offset)).toEqual([...range(0, 1_500), 9_999]);
  });

  it('merges the oldest indexes of a level, each line once, into indexes of bounded size', async () => {
    const batches = range(0, 5).map((batch) => sorted(range(batch * 100, batch * 100 + 150)));
    const { store, objects } = await indexesOf(batches);
    expect(await mergeIndexes(store, { fanIn: 5, maxLines: 100 })).toBe(5);
    const names = [...objects.keys()].map((name) => readIndexName(name)!);
    expect(names.every(({ level }) => level === 1)).toBe(true);
    expect(names).toHaveLength(6);
    const lines = [...objects.values()].flatMap((bytes) => bytes.toString().trim().split('\n'));
    expect(lines.toSorted()).toEqual(sorted(range(0, 550)));
    for (const number of [0, 120, 549]) {
      expect(await findEntries(store, guidFor(number))).toEqual([indexEntryOf(line(number))]);
    }
  });

  it('keeps the number of indexes small while the archive grows', async () => {
    const { store, objects } = memoryObjects();
    for (const number of range(0, 100)) {
      await writeIndexes(store, { level: 0, lines: [line(number)] });
      await mergeIndexes(store, { fanIn: 4, maxLines: 1_000 });
    }
    expect(objects.size).toBeLessThanOrEqual(3 * 4);
    for (const number of range(0, 100)) expect(await findEntries(store, guidFor(number))).toHaveLength(1);
  });

  it('has every run although a merge died before it removed what it had read', async () => {
    const batches = range(0, 4).map((batch) => sorted(range(batch * 10, batch * 10 + 10)));
    const { store, objects } = await indexesOf(batches);
    const dying = { ...store, remove: () => Promise.reject(new Error('killed')) };
    await expect(mergeIndexes(dying, { fanIn: 4, maxLines: 15 })).rejects.toThrow('killed');
    expect(objects.size).toBeGreaterThan(4);
    await mergeIndexes(store, { fanIn: 4, maxLines: 15 });
    for (const number of range(0, 40)) expect(await findEntries(store, guidFor(number))).toHaveLength(1);
  });

  it('searches again if a merge removed the index that it was about to read', async () => {
    const { store, objects } = await indexesOf([sorted(range(0, 10))]);
    let listed = 0;
    const merging = {
      ...store,
      async *list(folder: string) {
        listed += 1;
        const found = [];
        for await (const object of store.list(folder)) found.push(object);
        if (listed === 1) {
          objects.clear();
          await writeIndexes(store, { level: 1, lines: sorted(range(0, 10)) });
        }
        yield* found;
      },
    };
    expect(await findEntries(merging, guidFor(3))).toHaveLength(1);
    expect(listed).toBe(2);
    expect([...objects.keys()].every((name) => name.startsWith(INDEX_FOLDER))).toBe(true);
  });
});
