import type { LoadedGraph } from '../../stories/story-graph-store.js';
import type { AgentNode, StoryGraph } from '../../stories/story-graph.js';

/** Measured: what a webhook takes besides the text of its options, with its story and two receivers. */
const WEBHOOK_BYTES = 4_096;
/** Of the options' text; one outside Latin-1 needs both. */
const BYTES_PER_CHARACTER = 2;

export interface CacheBounds {
  webhooks: number;
  bytes: number;
}

interface Entry {
  loaded: LoadedGraph;
  bytes: number;
  /** When the database was asked (`performance.now()`). */
  checkedAt: number;
}

/** The webhooks of many stories, by path: as many as the bounds allow, first come first kept. */
export type WebhookCache = ReturnType<typeof createWebhookCache>;

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
    /** Puts a story's webhooks in the place of those it had. False when there is no room for them. */
    put(loaded: LoadedGraph, checkedAt: number): boolean {
      const { graph, webhookPaths } = loaded;
      // It was asked for again meanwhile.
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
    /** The database has this version. False when another one is here, or none. */
    confirm(storyId: number, version: number, checkedAt: number): boolean {
      const entry = entries.get(storyId);
      if (entry?.loaded.graph.version !== version) return false;
      entry.checkedAt = Math.max(entry.checkedAt, checkedAt);
      return true;
    },
    /** Drops what the database has not had since. */
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
    /** How many webhooks are here. */
    count: () => storyOfPath.size,
  };
}

function sizeOf({ graph, webhookPaths }: LoadedGraph): number {
  const options = [...webhookPaths.values()].map((id) => JSON.stringify(graph.agents.get(id)?.options ?? {}));
  const characters = options.reduce((sum, text) => sum + text.length, 0);
  return WEBHOOK_BYTES * webhookPaths.size + BYTES_PER_CHARACTER * characters;
}
