import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../errors.js';
import { createCommitShares, type Shares, tooMuch } from './commit-shares.js';
import { CommitUnknown, isConnectionError, isLockConflict, isTransient } from '../db-errors.js';
import { delayBatch } from './batch-delay.js';

/** Larger items have a lane of their own, so that they do not delay the many small ones (rule 5). */
const LARGE_ITEM_BYTES = 256 * 1024;
/** Longest wait between two batches, while fewer items wait than one may contain. */
const MOST_GATHER_MS = 2;
const MAX_BACKOFF_MS = 1000;
/** A lock conflict is no outage: batches are repeated for at least a few lock timeouts (rule 2). */
const LOCK_PATIENCE_MS = 10_000;

export interface GroupCommitOptions<Item, Result> {
  /** Name in error messages. */
  name: string;
  /** Stores the items in one transaction; returns one result per item, in their order. */
  commit(items: Item[]): Promise<Result[]>;
  /** Handles a single item that the database will never accept (rule 4). Default: fails with the error. */
  reject?(item: Item, error: unknown): Promise<Result>;
  sizeOf(item: Item): number;
  maxItems: number;
  /** Limit of one batch. */
  maxBytes: number;
  /** Limits for waiting and running items together; beyond them, callers receive Unavailable. */
  maxPendingItems: number;
  maxPendingBytes: number;
  /** Callers are refused while the oldest waiting item has waited this long; undefined: never. */
  maxWaitMs?: number;
  /** Limit per owner of waiting and running items; beyond it, an item is refused. */
  shares?: Shares<Item>;
  /** Makes owners take turns if more items wait than fit into one batch; absent: first come, first served. */
  turns?: Turns<Item>;
  /** How long a batch is retried while the database is unreachable. */
  retryForMs: number;
  /** Called after a connection error: while the database does not respond, retries are useless. */
  isDown?(): Promise<boolean>;
  /** Counts batches; absent: they are not counted. */
  meter?: BatchMeter | undefined;
}

/** Counts batches. */
export interface BatchMeter {
  /** A batch of the writer is settled; it took `tookMs`, with its repetitions. */
  settled(writer: string, batch: { items: number; tookMs: number }): void;
}

/** How owners share batches, so that many items of one do not delay the others (decision 0030). */
export interface Turns<Item> {
  ownerOf(item: Item): number;
  /** How much an item delays the others of its batch. */
  weightOf(item: Item): number;
  /** Limit of one batch. */
  maxWeight: number;
}

/** Combines the items of many callers in one transaction (ARCHITECTURE.md, Group commit). */
export interface GroupCommit<Item, Result> {
  /** Resolves when the item is committed. */
  submit(item: Item): Promise<Result>;
  /** Resolves when no item is waiting or running. */
  drain(): Promise<void>;
}

/** The state of the connection to the database, shared by all lanes. */
interface Outage {
  /** True if the last batch failed because the database was unreachable. */
  lost: boolean;
  /** Why the current batch is being retried. */
  cause?: unknown;
}

interface LaneOptions<Item, Result> extends GroupCommitOptions<Item, Result> {
  outage: Outage;
}

interface Entry<Item, Result> {
  item: Item;
  /** By `performance.now()`, which never jumps. */
  since: number;
  bytes: number;
  weight: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Callers submit items and wait; the items submitted during one batch, and shortly after it, form the next
 * one. A single item is stored at once; under load the batches grow by themselves (decision 0004).
 */
export function createGroupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  const outage: Outage = { lost: false };
  const small = createLane({ ...options, outage });
  const large = createLane({ ...options, outage });
  const shares = createCommitShares(options.name, options.shares);
  const { maxWaitMs = Number.POSITIVE_INFINITY } = options;
  let pendingItems = 0;
  let pendingBytes = 0;

  return {
    async submit(item) {
      const bytes = options.sizeOf(item);
      const lane = bytes > LARGE_ITEM_BYTES ? large : small;
      const isFull = pendingItems >= options.maxPendingItems || pendingBytes >= options.maxPendingBytes;
      if (isFull || lane.waitedMs() > maxWaitMs) throw tooMuch(options.name, outage.cause);
      const leave = shares.enter(item);
      pendingItems += 1;
      pendingBytes += bytes;
      try {
        return await lane.submit(item, bytes);
      } finally {
        pendingItems -= 1;
        pendingBytes -= bytes;
        leave();
      }
    },
    async drain() {
      await Promise.all([small.idle(), large.idle()]);
    },
  };
}

/** Stores one batch at a time. */
function createLane<Item, Result>(options: LaneOptions<Item, Result>) {
  let waiting: Entry<Item, Result>[] = [];
  let running: Promise<void> | undefined;

  const run = async () => {
    // Items submitted in this iteration of the event loop join the same batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      waiting = inTurns(waiting, options);
      const size = batchSize(waiting, options);
      const batch = waiting.slice(0, size);
      waiting = waiting.slice(size);
      const began = performance.now();
      await settle(batch, options);
      const tookMs = performance.now() - began;
      options.meter?.settled(options.name, { items: size, tookMs });
      if (waiting.length > 0 && !fillBatch(waiting, options)) await delayBatch(tookMs, MOST_GATHER_MS);
    }
    running = undefined;
  };

  return {
    submit: (item: Item, bytes: number) =>
      new Promise<Result>((resolve, reject) => {
        const weight = options.turns?.weightOf(item) ?? 1;
        waiting.push({ item, bytes, weight, since: performance.now(), resolve, reject });
        running ??= run();
      }),
    /** How long the first waiting item has waited. */
    waitedMs: () => (waiting[0] === undefined ? 0 : performance.now() - waiting[0].since),
    idle: () => running ?? Promise.resolve(),
  };
}

interface BatchLimits {
  maxItems: number;
  maxBytes: number;
  turns?: { maxWeight: number };
}

/** If not all items fit into one batch: takes one item of each owner in turn; each owner's items stay in order. */
function inTurns<Item, Result>(
  waiting: Entry<Item, Result>[],
  options: LaneOptions<Item, Result>,
): Entry<Item, Result>[] {
  const { turns } = options;
  if (turns === undefined || !fillBatch(waiting, options)) return waiting;
  const rounds = new Map<number, number>();
  const placed = waiting.map((entry) => {
    const owner = turns.ownerOf(entry.item);
    const round = rounds.get(owner) ?? 0;
    rounds.set(owner, round + 1);
    return { entry, round };
  });
  // The sort is stable: items of one round stay in order.
  return placed.toSorted((a, b) => a.round - b.round).map(({ entry }) => entry);
}

/** Returns true if more items wait than one batch can contain. */
function fillBatch<Item, Result>(waiting: Entry<Item, Result>[], limits: BatchLimits): boolean {
  return batchSize(waiting, limits) < waiting.length;
}

/** Returns how many of the waiting entries fit into one batch; at least one. */
function batchSize<Item, Result>(waiting: Entry<Item, Result>[], limits: BatchLimits): number {
  const maxWeight = limits.turns?.maxWeight ?? Number.POSITIVE_INFINITY;
  let bytes = 0;
  let weight = 0;
  const end = waiting.findIndex((entry, index) => {
    bytes += entry.bytes;
    weight += entry.weight;
    return index > 0 && (index >= limits.maxItems || bytes > limits.maxBytes || weight > maxWeight);
  });
  return end === -1 ? waiting.length : end;
}

/** Commits a batch and settles every caller; never throws. */
async function settle<Item, Result>(
  batch: Entry<Item, Result>[],
  options: LaneOptions<Item, Result>,
): Promise<void> {
  try {
    const results = await commitWithRetry(
      batch.map((entry) => entry.item),
      options,
    );
    batch.forEach((entry, index) => entry.resolve(results[index] as Result));
  } catch (error) {
    if (error instanceof Unavailable) {
      batch.forEach((entry) => entry.reject(error));
      return;
    }
    await isolate(batch, error, options);
  }
}

/** An item in the batch is invalid: halves the batch until that item is alone (rule 4). */
async function isolate<Item, Result>(
  batch: Entry<Item, Result>[],
  error: unknown,
  options: LaneOptions<Item, Result>,
): Promise<void> {
  const [only] = batch;
  if (batch.length > 1) {
    const middle = Math.ceil(batch.length / 2);
    await settle(batch.slice(0, middle), options);
    await settle(batch.slice(middle), options);
  } else if (only !== undefined) {
    await rejectOne(only, error, options);
  }
}

async function rejectOne<Item, Result>(
  entry: Entry<Item, Result>,
  error: unknown,
  options: GroupCommitOptions<Item, Result>,
): Promise<void> {
  if (options.reject === undefined) return entry.reject(error);
  try {
    entry.resolve(await options.reject(entry.item, error));
  } catch (failure) {
    entry.reject(failure);
  }
}

async function commitWithRetry<Item, Result>(
  items: Item[],
  options: LaneOptions<Item, Result>,
): Promise<Result[]> {
  const began = performance.now();
  let unknown: CommitUnknown | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      const results = await options.commit(items);
      options.outage.lost = false;
      options.outage.cause = undefined;
      return results;
    } catch (error) {
      if (!isTransient(error)) throw error;
      options.outage.cause = error;
      if (error instanceof CommitUnknown) unknown ??= error;
      const isOver = performance.now() - began >= patienceMs(error, options);
      if (isOver || (isConnectionError(error) && (await options.isDown?.()))) {
        throw giveUp(unknown ?? error, options);
      }
    }
    await sleep(backoffMs(attempt));
  }
}

/** While the database is known to be unreachable, a batch is tried only once, so that callers do not queue in vain. */
function patienceMs<Item, Result>(error: unknown, options: LaneOptions<Item, Result>): number {
  if (isLockConflict(error)) return Math.max(options.retryForMs, LOCK_PATIENCE_MS);
  return options.outage.lost ? 0 : options.retryForMs;
}

function giveUp<Item, Result>(cause: unknown, options: LaneOptions<Item, Result>): Unavailable {
  options.outage.lost = isConnectionError(cause);
  const problem = options.outage.lost ? 'The database is unreachable' : 'The database is too busy';
  return new Unavailable(`${problem} (${options.name})`, { cause });
}

/** Exponential backoff with jitter, so that batches that collided do not collide again. */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(MAX_BACKOFF_MS, 5 * 2 ** Math.min(attempt, 10));
}
