import { isUtf8 } from 'node:buffer';
import type { StoryFile } from '../../files/file-text.js';
import type { SyncDeps, SyncRun } from '../sync/sync-types.js';
import type { ComparedSides } from './compare-sides-task.js';
import { MOST_STORY_BYTES, type StoryPlace } from './story-places.js';

/** The files of a place, as they are in the commit. */
interface PlaceFiles {
  files: StoryFile[];
  /** Why they are no files of a story. */
  problem: string | undefined;
}

/** What the files of a place say of their story. */
export interface PlaceHead {
  /** Null: they are no valid story. */
  head: ComparedSides['head'];
  /** Why they are no files of a story. */
  problem: string | undefined;
}

/** Places, and bytes of their files, that are read together. */
const MOST_OF_BATCH = 100;
const LARGEST_BATCH = 8 * 1024 * 1024;
/** Heads that are kept in memory, for the next part of a sync. */
const MOST_KEPT = 40_000;

/** Returns the files of a place. */
export async function filesOf({ git }: Pick<SyncRun, 'git'>, place: StoryPlace): Promise<PlaceFiles> {
  const oids = place.entries.map(({ oid }) => oid);
  return filesIn(place, await git.read(oids, MOST_STORY_BYTES));
}

function filesIn({ entries }: StoryPlace, contents: ReadonlyMap<string, Buffer>): PlaceFiles {
  const bytesOf = (oid: string) => contents.get(oid) ?? Buffer.alloc(0);
  const strange = entries.find(({ oid }) => !isUtf8(bytesOf(oid)));
  return {
    files: entries.map(({ path, oid }) => ({ path, text: bytesOf(oid).toString('utf8') })),
    problem: strange && `${strange.path} is not UTF-8`,
  };
}

/**
 * Creates what reads the names and guids of stories at new places. What it has read stays known, so that a sync whose time
 * was over does not read it again.
 */
export function createPlaceHeads({ comparer }: Pick<SyncDeps, 'comparer'>) {
  const kept = new Map<string, PlaceHead>();
  /** A fault may pass, such as one of too little time: it is known until all places are read. */
  const faulty = new Set<string>();
  const keep = (key: string, head: PlaceHead): void => {
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) {
      kept.delete(oldest);
      faulty.delete(oldest);
    }
    kept.set(key, head);
  };

  /**
   * Returns what these places say, by their stems; fewer if the time of the sync is over: at least one more than before.
   * @throws GitFailed, ThreadsBusy
   */
  return async (
    run: Pick<SyncRun, 'git' | 'isOver' | 'repository'>,
    places: readonly StoryPlace[],
  ): Promise<Map<string, PlaceHead>> => {
    const { tenantId, layout, format } = run.repository;
    const keyOf = ({ digest }: StoryPlace) => `${tenantId} ${digest}`;
    const heads = new Map<string, PlaceHead>();
    const unread: StoryPlace[] = [];
    for (const place of places) {
      const known = kept.get(keyOf(place));
      if (known === undefined) unread.push(place);
      else heads.set(place.stem, known);
    }
    let count = 0;
    for (const batch of batchesOf(unread)) {
      if (count > 0 && run.isOver()) return heads;
      const oids = batch.flatMap(({ entries }) => entries.map(({ oid }) => oid));
      const contents = await run.git.read(oids, MOST_STORY_BYTES);
      for (const place of batch) {
        if (count > 0 && run.isOver()) return heads;
        count += 1;
        const { files, problem } = filesIn(place, contents);
        const order = { live: null, base: null, files, form: { layout, format } };
        const found = problem === undefined ? await comparer(tenantId, order) : undefined;
        const head = { head: found?.head ?? null, problem };
        heads.set(place.stem, head);
        keep(keyOf(place), head);
        if (found !== undefined && found.problems.length > 0) faulty.add(keyOf(place));
      }
    }
    for (const key of places.map(keyOf)) if (faulty.delete(key)) kept.delete(key);
    return heads;
  };
}

export type PlaceHeads = ReturnType<typeof createPlaceHeads>;

function batchesOf(places: readonly StoryPlace[]): StoryPlace[][] {
  const batches: StoryPlace[][] = [];
  let bytes = 0;
  for (const place of places) {
    const size = place.entries.reduce((sum, entry) => sum + entry.size, 0);
    const last = batches.at(-1);
    if (last === undefined || last.length >= MOST_OF_BATCH || bytes + size > LARGEST_BATCH) {
      batches.push([place]);
      bytes = size;
    } else {
      last.push(place);
      bytes += size;
    }
  }
  return batches;
}
