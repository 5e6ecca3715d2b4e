import { LRUCache } from 'lru-cache';
import { createBatchLoader } from '../../platform/mysql/statements/batch-loader.js';
import type { Database } from '../../platform/mysql/database.js';
import { isConnectionError } from '../../platform/mysql/db-errors.js';
import type { AgentNode, StoryGraph } from './story-graph.js';
import {
  findStoryGraphs,
  findStoryVersions,
  findWebhookStories,
  type LoadedGraph,
  loadedVersion,
} from './story-graph-store.js';

/** Maximum age of an entry (rule 18). */
const FRESH_MS = 5_000;
const MAX_STORIES = 5_000;
const MAX_PATHS = 50_000;

/** This process's cache of stories, at most five seconds older than the database. */
export interface StoryGraphs {
  find(storyId: number): Promise<StoryGraph | undefined>;
  /** Reads the database's current version, for decisions that cannot be undone. @throws when MySQL is unreachable. */
  findCurrent(storyId: number): Promise<StoryGraph | undefined>;
  findWebhook(path: string): Promise<{ story: StoryGraph; agent: AgentNode } | undefined>;
  /** The story was changed: the next access reads the database. */
  invalidate(storyId: number): void;
}

interface Entry {
  loaded: LoadedGraph;
  checkedAt: number;
}

/** `staleMs`: maximum age of an entry while MySQL is unreachable (rule 18). */
export function createStoryGraphs(database: Database, { staleMs }: { staleMs: number }): StoryGraphs {
  const entries = new LRUCache<number, Entry>({ max: MAX_STORIES });
  /** When stories were reported as changed: entries read before or at that time are stale. */
  const changedAt = new LRUCache<number, number>({ max: MAX_STORIES, ttl: FRESH_MS });
  const storyOfPath = new LRUCache<string, number>({ max: MAX_PATHS });
  const loadPath = createBatchLoader<string, number>((paths) =>
    database.read((session) => findWebhookStories(session, paths)),
  );
  const refresh = createBatchLoader<number, Entry>((ids) => refreshAll(ids, entries, database));

  /** The usual case, kept synchronous to save a promise. */
  const freshEntryOf = (storyId: number): Entry | undefined => {
    const known = entries.get(storyId);
    return known !== undefined && isFresh(storyId, known) ? known : undefined;
  };

  const renewedEntryOf = async (storyId: number): Promise<Entry | undefined> => {
    const known = entries.get(storyId);
    try {
      return await refresh(storyId);
    } catch (error) {
      const usable = known !== undefined && performance.now() - known.checkedAt < staleMs;
      if (usable && isConnectionError(error)) return known;
      throw error;
    }
  };

  const entryOf = async (storyId: number) => freshEntryOf(storyId) ?? (await renewedEntryOf(storyId));

  const isFresh = (storyId: number, { checkedAt }: Entry): boolean =>
    performance.now() - checkedAt < FRESH_MS && checkedAt > (changedAt.get(storyId) ?? 0);

  const freshWebhookOf = (path: string) => {
    const storyId = storyOfPath.get(path);
    return storyId === undefined ? undefined : webhookIn(freshEntryOf(storyId), path);
  };

  const webhookIn = (entry: Entry | undefined, path: string) => {
    const agent = entry?.loaded.graph.agents.get(entry.loaded.webhookPaths.get(path) ?? 0);
    return entry === undefined || agent === undefined ? undefined : { story: entry.loaded.graph, agent };
  };

  const look = async (path: string) => {
    const knownId = storyOfPath.get(path);
    const known = knownId === undefined ? undefined : webhookIn(await entryOf(knownId), path);
    if (known !== undefined) return known;
    const storyId = await loadPath(path);
    if (storyId === undefined) {
      storyOfPath.delete(path);
      return undefined;
    }
    storyOfPath.set(path, storyId);
    return webhookIn(await entryOf(storyId), path) ?? afterReload(storyId, path);
  };

  return {
    find(storyId) {
      const fresh = freshEntryOf(storyId);
      if (fresh !== undefined) return Promise.resolve(fresh.loaded.graph);
      return renewedEntryOf(storyId).then((entry) => entry?.loaded.graph);
    },
    findCurrent: async (storyId) => (await refresh(storyId))?.loaded.graph,
    findWebhook(path) {
      const fresh = freshWebhookOf(path);
      return fresh === undefined ? look(path) : Promise.resolve(fresh);
    },
    invalidate(storyId) {
      changedAt.set(storyId, performance.now());
    },
  };

  /** The cached version of the story lacks the path: it was added later. */
  async function afterReload(storyId: number, path: string) {
    entries.delete(storyId);
    return webhookIn(await entryOf(storyId), path);
  }
}

/** Reads the versions of the cached stories, and loads the others and those that have changed. */
async function refreshAll(
  ids: number[],
  entries: LRUCache<number, Entry>,
  database: Database,
): Promise<Map<number, Entry>> {
  const checkedAt = performance.now();
  return database.read(async (session) => {
    const known = ids.filter((id) => entries.peek(id) !== undefined);
    const versions = known.length > 0 ? await findStoryVersions(session, known) : new Map<number, number>();
    const isCurrent = (id: number) => {
      const entry = entries.peek(id);
      return entry !== undefined && versions.get(id) === loadedVersion(entry.loaded.graph);
    };
    const current = known.filter((id) => isCurrent(id));
    const changed = ids.filter((id) => !current.includes(id));
    const loaded =
      changed.length > 0 ? await findStoryGraphs(session, changed) : new Map<number, LoadedGraph>();
    for (const id of changed) entries.delete(id);
    const fresh = new Map<number, Entry>();
    for (const [id, graph] of loaded) fresh.set(id, { loaded: graph, checkedAt });
    for (const id of current) {
      const entry = entries.peek(id);
      if (entry !== undefined) fresh.set(id, { loaded: entry.loaded, checkedAt });
    }
    for (const [id, entry] of fresh) entries.set(id, entry);
    return fresh;
  });
}
