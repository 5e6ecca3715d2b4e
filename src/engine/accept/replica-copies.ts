import type { Redis } from 'ioredis';
import { askMasters } from '../../platform/redis/masters.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { isDenied } from './redis-replies.js';

/** Shorter than the time-out of a command. */
const WAIT_MS = 700;
/** So often a master is asked for its replicas. */
const ASK_EVERY_MS = 5_000;

/** Whether what was written last through a connection is also on a replica. */
export interface ReplicaCopies {
  /** Resolves to false if a master that has replicas got no confirmation from any of them. @throws if a master does not reply. */
  confirm(): Promise<boolean>;
}

interface Seen {
  askedAt: number;
  /** Identifies what the master writes: a replica that is promoted begins another one. */
  replicationId: string;
  hasReplicas: boolean;
}

/**
 * Redis replies before its replicas have what was written; this asks it to wait for one of them. A master that had replicas
 * is expected to have them for as long as it is the master: one that was cut off loses them, and then what it takes is lost.
 */
export function createReplicaCopies(redis: RedisClient): ReplicaCopies {
  const seen = new WeakMap<Redis, Seen>();

  const look = async (server: Redis): Promise<Seen> => {
    const before = seen.get(server);
    if (before !== undefined && performance.now() - before.askedAt < ASK_EVERY_MS) return before;
    const askedAt = performance.now();
    const info = await server.info('replication');
    const replicationId = /^master_replid:(\S+)/m.exec(info)?.[1] ?? '';
    const hadReplicas = before?.replicationId === replicationId && before.hasReplicas;
    const now = { askedAt, replicationId, hasReplicas: hadReplicas || /^connected_slaves:[1-9]/m.test(info) };
    seen.set(server, now);
    return now;
  };
  const closes = new WeakMap<Redis, number>();
  const closesOf = (server: Redis): number => {
    const known = closes.get(server);
    if (known !== undefined) return known;
    closes.set(server, 0);
    server.on('close', () => void closes.set(server, (closes.get(server) ?? 0) + 1));
    return 0;
  };
  const isCopied = async (server: Redis): Promise<boolean> => {
    const before = closesOf(server);
    try {
      if (!(await look(server)).hasReplicas) return true;
      // The driver repeats a command over a new connection, which knows nothing of what was written over the last one.
      return (await server.wait(1, WAIT_MS)) > 0 && closesOf(server) === before;
    } catch (error) {
      // A user without the right to ask goes without: `fabula doctor` names it.
      if (isDenied(error)) return true;
      throw error;
    }
  };
  return {
    confirm: async () => (await askMasters(redis, isCopied)).every(Boolean),
  };
}
