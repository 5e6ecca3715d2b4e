import type { ChainableCommander } from 'ioredis';
import { pipelineBySlot, type SlotCommands } from '../../../platform/redis/by-slot.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import { type AcceptedCall, KEPT_CALLS, type PendingCalls, type RefusedCall } from './pending-calls.js';
import { REFUSAL_REASONS, type RefusalReason } from './refusal-reason.js';

const KEEP_MS = 86_400_000;
/** Webhooks whose calls are kept; beyond that the one that was called longest ago is forgotten. */
const KEPT_WEBHOOKS = 5_000;
const TIMEOUT_MS = 1_000;

/** Numbers of calls since the first one that is counted. */
export interface CallCounts {
  since: Date;
  accepted: number;
  refused: Partial<Record<RefusalReason, number>>;
  /** Calls that were handled, but could not be noted. */
  unrecorded: number;
}

/** The known calls of one webhook. */
export interface KnownCalls {
  /** Newest first, as `refused`; of the last day. */
  accepted: AcceptedCall[];
  refused: RefusedCall[];
  /** undefined: no calls for a day. */
  counts: CallCounts | undefined;
}

/** The last calls of webhooks, in Redis. */
export interface CallLog {
  /** Adds the calls of each webhook, by its id. @throws Error if Redis does not respond in time. */
  write(calls: ReadonlyMap<number, PendingCalls>): Promise<void>;
  /** Returns the calls of these webhooks, by id. @throws Error if Redis does not respond in time. */
  read(agentIds: readonly number[]): Promise<Map<number, KnownCalls>>;
  /** Returns the ids of the webhooks of all tenants that were called within a day, the last call first. @throws as `read` */
  called(): Promise<number[]>;
  /** Returns how many calls of each of these webhooks were refused, without a day between two calls, by id. @throws as `read` */
  countRefused(agentIds: readonly number[]): Promise<Map<number, number>>;
}

export interface CallLogDeps {
  redis: Pick<RedisClient, 'pipeline' | 'zpopmin' | 'zrevrange'>;
  prefix: string;
  keptWebhooks?: number;
}

/** The keys of one webhook share a hash tag; the list of all webhooks has a key of its own. */
export function createCallLog({ redis, prefix, keptWebhooks = KEPT_WEBHOOKS }: CallLogDeps): CallLog {
  const index = `${prefix}:webhook-calls`;
  const keysOf = (agentId: number) => {
    const base = `${prefix}:{webhook:${agentId}}`;
    return { accepted: `${base}:accepted`, refused: `${base}:refused`, counts: `${base}:counts` };
  };
  /** @throws the first error among the replies; Error without replies in time. */
  const run = (items: SlotCommands[]) => withTimeout(pipelineBySlot(redis, items), TIMEOUT_MS);
  const forget = async (count: number): Promise<void> => {
    const popped = await redis.zpopmin(index, count);
    // Members and scores take turns.
    const agentIds = popped.filter((_, place) => place % 2 === 0).map(Number);
    await run(
      agentIds.map(keysOf).map((keys) => ({
        key: keys.counts,
        add: (pipeline) => void pipeline.unlink(...Object.values(keys)),
      })),
    );
  };
  return {
    async write(calls) {
      const now = Date.now();
      const notes = [...calls].map(([agentId, pending]): SlotCommands => {
        const keys = keysOf(agentId);
        return { key: keys.counts, add: (pipeline) => addCalls(pipeline, keys, pending, now) };
      });
      const noteIndex: SlotCommands = {
        key: index,
        add: (pipeline) =>
          void pipeline
            .zadd(index, ...[...calls.keys()].flatMap((agentId) => [now, agentId]))
            .zremrangebyscore(index, '-inf', now - KEEP_MS)
            .zcard(index),
      };
      const replies = await run([...notes, noteIndex]);
      const kept = Number(replies.at(-1)?.at(-1));
      if (kept > keptWebhooks) await withTimeout(forget(kept - keptWebhooks), TIMEOUT_MS);
    },
    async read(agentIds) {
      const replies = await run(
        agentIds.map(keysOf).map(({ accepted, refused, counts }) => ({
          key: counts,
          add: (pipeline) => void pipeline.lrange(accepted, 0, -1).lrange(refused, 0, -1).hgetall(counts),
        })),
      );
      return new Map(
        agentIds.map((agentId, place) => {
          const [accepted, refused, counts] = replies[place] ?? [];
          const known = {
            accepted: callsIn(accepted, acceptedFrom),
            refused: callsIn(refused, refusedFrom),
            counts: countsIn(counts as Record<string, string>),
          };
          return [agentId, known];
        }),
      );
    },
    async called() {
      return (await withTimeout(redis.zrevrange(index, 0, -1), TIMEOUT_MS)).map(Number);
    },
    async countRefused(agentIds) {
      const replies = await run(
        agentIds.map(keysOf).map(({ counts }) => ({
          key: counts,
          add: (pipeline) => void pipeline.hgetall(counts),
        })),
      );
      const hashes = replies.map(([hash]) => hash as Record<string, string>);
      return new Map(agentIds.map((agentId, place) => [agentId, refusedIn(hashes[place] ?? {})]));
    },
  };
}

/** Returns the sum of the refused calls of all reasons. */
const refusedIn = (hash: Record<string, string>): number =>
  REFUSAL_REASONS.reduce((sum, reason) => sum + Number(hash[reason] ?? 0), 0);

type Keys = Record<'accepted' | 'refused' | 'counts', string>;

function addCalls(pipeline: ChainableCommander, keys: Keys, pending: PendingCalls, now: number): void {
  const { accepted, refused } = pending;
  addList(pipeline, keys.accepted, accepted.toSorted(byTime).map(acceptedText));
  addList(pipeline, keys.refused, refused.toSorted(byTime).map(refusedText));
  pipeline.hsetnx(keys.counts, 'since', now);
  const numbers: [string, number][] = [
    ['accepted', pending.acceptedCount],
    ['unrecorded', pending.unrecordedCount],
    ...pending.refusedCounts,
  ];
  for (const [name, count] of numbers) if (count > 0) pipeline.hincrby(keys.counts, name, count);
  pipeline.pexpire(keys.counts, KEEP_MS);
}

const byTime = (a: { at: number }, b: { at: number }) => a.at - b.at;

/** The newest item comes last. */
function addList(pipeline: ChainableCommander, key: string, items: string[]): void {
  if (items.length === 0) return;
  pipeline
    .lpush(key, ...items)
    .ltrim(key, 0, KEPT_CALLS - 1)
    .pexpire(key, KEEP_MS);
}

function acceptedText({ at, status, bytes, address, contentType, runGuid }: AcceptedCall): string {
  return JSON.stringify([at, status, bytes, address, contentType, runGuid]);
}

function acceptedFrom(text: string): AcceptedCall {
  const [at, status, bytes, address, contentType, runGuid] = JSON.parse(text) as [
    ...[number, number, number],
    ...[string, string, string],
  ];
  return { at, status, bytes, address, contentType, runGuid };
}

function refusedText({ at, status, reason, message, address, contentType, method }: RefusedCall): string {
  return JSON.stringify([at, status, reason, message, address, contentType, method]);
}

function refusedFrom(text: string): RefusedCall {
  const [at, status, reason, message, address, contentType, method] = JSON.parse(text) as [
    ...[number, number, RefusalReason],
    ...[string, string, string, string],
  ];
  return { at, status, reason, message, address, contentType, method };
}

/** Newest first; web processes write at different times. */
function callsIn<Call extends { at: number }>(items: unknown, from: (text: string) => Call): Call[] {
  const oldest = Date.now() - KEEP_MS;
  const calls = (items as string[]).map(from).filter(({ at }) => at >= oldest);
  return calls.toSorted((a, b) => byTime(b, a));
}

function countsIn(hash: Record<string, string>): CallCounts | undefined {
  const { since, accepted = 0, unrecorded = 0 } = hash;
  if (since === undefined) return undefined;
  const refused = REFUSAL_REASONS.filter((reason) => hash[reason] !== undefined);
  return {
    since: new Date(Number(since)),
    accepted: Number(accepted),
    refused: Object.fromEntries(refused.map((reason) => [reason, Number(hash[reason])])),
    unrecorded: Number(unrecorded),
  };
}
