import { LRUCache } from 'lru-cache';
import { createBatchLoader } from '../platform/mysql/batch-loader.js';
import type { Database } from '../platform/mysql/database.js';
import { isConnectionError } from '../platform/mysql/db-errors.js';
import type { AgentNode, StoryGraph } from './story-graph.js';
import {
  findStoryGraphs,
  findStoryVersions,
  findWebhookStories,
  type LoadedGraph,
} from './story-graph-store.js';

/** Rule 18: how old an entry may be. */
const FRESH_MS = 5_000;
const MAX_STORIES = 5_000;
const MAX_PATHS = 50_000;

/** Stories as this process knows them; at most five seconds behind the database. */
export interface StoryGraphs {
  find(storyId: number): Promise<StoryGraph | undefined>;
  /** As the database has it now, for what cannot be taken back. @throws when the database is out of reach. */
  findCurrent(storyId: number): Promise<StoryGraph | undefined>;
  findWebhook(path: string): Promise<{ story: StoryGraph; agent: AgentNode } | undefined>;
  /** The story was changed: the next look asks the database. */
  invalidate(storyId: number): void;
}

interface Entry {
  loaded: LoadedGraph;
  checkedAt: number;
}

/** `staleMs`: how old an entry may be while the database is out of reach (rule 18). */
export function createStoryGraphs(database: Database, { staleMs }: { staleMs: number }): StoryGraphs {
  const entries = new LRUCache<number, Entry>({ max: MAX_STORIES });
  /** When stories were said to have changed: what was asked before that, or just then, counts no more. */
  const changedAt = new LRUCache<number, number>({ max: MAX_STORIES, ttl: FRESH_MS });
  const storyOfPath = new LRUCache<string, number>({ max: MAX_PATHS });
  const loadPath = createBatchLoader<string, number>((paths) =>
    database.read((session) => findWebhookStories(session, paths)),
  );
  const refresh = createBatchLoader<number, Entry>((ids) => refreshAll(ids, entries, database));

  /** Nearly always: it is worth no promise of its own. */
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

  /** The path was added to a story that is cached without it. */
  async function afterReload(storyId: number, path: string) {
    entries.delete(storyId);
    return webhookIn(await entryOf(storyId), path);
  }
}

/** Asks for the versions of those that are known, and loads the others and those that have changed. */
async function refreshAll(
  ids: number[],
  entries: LRUCache<number, Entry>,
  database: Database,
): Promise<Map<number, Entry>> {
  const checkedAt = performance.now();
  return database.read(async (session) => {
    const known = ids.filter((id) => entries.peek(id) !== undefined);
    const versions = known.length > 0 ? await findStoryVersions(session, known) : new Map<number, number>();
    const current = known.filter((id) => versions.get(id) === entries.peek(id)?.loaded.graph.version);
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
