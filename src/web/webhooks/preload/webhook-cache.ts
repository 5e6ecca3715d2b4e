import { type AgentNode, type LoadedGraph, loadedVersion, type StoryGraph } from '../../../stories/face.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

/** Measured memory of a webhook with its story and two receivers, without the text of its options. */
const WEBHOOK_BYTES = 4_096;
/** Memory of the options' text; a string with a character outside Latin-1 needs two bytes for each. */
const BYTES_PER_CHARACTER = 2;

export interface CacheBounds {
  webhooks: number;
  bytes: number;
}

interface Entry {
  loaded: LoadedGraph;
  bytes: number;
  /** When this version was last read from MySQL (`performance.now()`). */
  checkedAt: number;
}

/** The webhooks of many stories, by path. Within the bounds, earlier entries stay and later ones are refused. */
export function createWebhookCache(bounds: CacheBounds) {
  const entries = new Map<number, Entry>();
  const storyOfPath = new Map<string, number>();
  let bytes = 0;

  const remove = (storyId: number): void => {
    const entry = entries.get(storyId);
    if (entry === undefined) return;
    entries.delete(storyId);
    bytes -= entry.bytes;
    for (const path of entry.loaded.webhookPaths.keys()) {
      if (storyOfPath.get(path) === storyId) storyOfPath.delete(path);
    }
  };

  return {
    /** Replaces a story's webhooks. Returns false if they do not fit into the bounds. */
    put(loaded: LoadedGraph, checkedAt: number): boolean {
      const { graph, webhookPaths } = loaded;
      // A later read is already in the cache.
      if ((entries.get(graph.id)?.checkedAt ?? 0) > checkedAt) return true;
      remove(graph.id);
      const size = sizeOf(loaded);
      if (storyOfPath.size + webhookPaths.size > bounds.webhooks || bytes + size > bounds.bytes) return false;
      entries.set(graph.id, { loaded, bytes: size, checkedAt });
      bytes += size;
      for (const path of webhookPaths.keys()) storyOfPath.set(path, graph.id);
      return true;
    },
    remove,
    /** MySQL has this version of the story. Returns false if the cache has another version, or none. */
    confirm(storyId: number, version: number, checkedAt: number): boolean {
      const entry = entries.get(storyId);
      if (entry === undefined || loadedVersion(entry.loaded.graph) !== version) return false;
      entry.checkedAt = Math.max(entry.checkedAt, checkedAt);
      return true;
    },
    /** Removes the stories that were last seen in MySQL before `checkedAt`. */
    dropOlderThan(checkedAt: number): void {
      for (const [storyId, entry] of entries) if (entry.checkedAt < checkedAt) remove(storyId);
    },
    find(path: string, notBefore: number): { story: StoryGraph; agent: AgentNode } | undefined {
      const entry = entries.get(storyOfPath.get(path) ?? 0);
      if (entry === undefined || entry.checkedAt < notBefore) return undefined;
      const { graph, webhookPaths } = entry.loaded;
      const agent = graph.agents.get(webhookPaths.get(path) ?? 0);
      return agent && { story: graph, agent };
    },
    /** The number of cached webhooks. */
    count: () => storyOfPath.size,
  };
}

function sizeOf({ graph, webhookPaths }: LoadedGraph): number {
  const options = [...webhookPaths.values()].map((id) => stringifyJson(graph.agents.get(id)?.options ?? {}));
  const characters = options.reduce((sum, text) => sum + text.length, 0);
  return WEBHOOK_BYTES * webhookPaths.size + BYTES_PER_CHARACTER * characters;
}
