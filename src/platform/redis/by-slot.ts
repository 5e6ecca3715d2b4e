import type { ChainableCommander } from 'ioredis';
import { isCluster, type RedisClient } from './redis-client.js';

/** Commands on one key, or on keys with the same hash tag. */
export interface SlotCommands {
  /** Any key that the commands name. */
  key: string;
  add(pipeline: ChainableCommander): void;
}

type Pipelining = Pick<RedisClient, 'pipeline'>;

/**
 * Runs commands as one pipeline; on a cluster as one pipeline for each hash tag, at the same time. Returns the replies of
 * each item, in the order of the items.
 * @throws the first error among the replies.
 */
export async function pipelineBySlot(
  client: Pipelining,
  items: readonly SlotCommands[],
): Promise<unknown[][]> {
  const groups = isCluster(client) ? groupByTag(items) : [[...items.keys()]];
  const replies: unknown[][] = [];
  await Promise.all(
    groups.map(async (places) => {
      const chosen = places.flatMap((place) => items[place] ?? []);
      for (const [index, found] of (await runAll(client, chosen)).entries())
        replies[places[index] ?? -1] = found;
    }),
  );
  return replies;
}

async function runAll(client: Pipelining, items: readonly SlotCommands[]): Promise<unknown[][]> {
  const pipeline = client.pipeline();
  const ends = items.map((item) => {
    item.add(pipeline);
    return pipeline.length;
  });
  const replies = ((await pipeline.exec()) ?? []).map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  });
  if (replies.length < pipeline.length) throw new Error('Redis did not reply');
  return ends.map((end, index) => replies.slice(ends[index - 1] ?? 0, end));
}

/** Returns the places of the items of each hash tag. */
function groupByTag(items: readonly SlotCommands[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [place, { key }] of items.entries()) {
    const tag = hashTag(key);
    const group = groups.get(tag);
    if (group === undefined) groups.set(tag, [place]);
    else group.push(place);
  }
  return [...groups.values()];
}

/** Returns the part of a key that decides its slot: the text in its first braces; without such a text, the whole key. */
function hashTag(key: string): string {
  return /^[^{]*\{([^}]+)\}/.exec(key)?.[1] ?? key;
}
