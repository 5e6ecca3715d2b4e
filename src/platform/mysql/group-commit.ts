import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../errors.js';
import { createShares, type Shares, tooMuch } from './commit-shares.js';
import { CommitUnknown, isConnectionError, isLockConflict, isTransient } from './db-errors.js';
import { delayBatch } from './batch-delay.js';

/** Items larger than this go their own way, so that they do not hold up the many small ones (rule 5). */
const LARGE_ITEM_BYTES = 256 * 1024;
/** Between two batches at most, while fewer wait than one may hold. */
const MOST_GATHER_MS = 2;
const MAX_BACKOFF_MS = 1000;
/** Others in the way are no outage: a few lock time-outs long, at least (rule 2). */
const LOCK_PATIENCE_MS = 10_000;

export interface GroupCommitOptions<Item, Result> {
  /** For messages. */
  name: string;
  /** Stores the items in one transaction; gives one result for each, in their order. */
  commit(items: Item[]): Promise<Result[]>;
  /** What becomes of a single item that the database will never take (rule 4). Default: its error. */
  reject?(item: Item, error: unknown): Promise<Result>;
  sizeOf(item: Item): number;
  maxItems: number;
  /** Of one batch. */
  maxBytes: number;
  /** Waiting and under way together; beyond it, callers are refused with Unavailable. */
  maxPendingItems: number;
  maxPendingBytes: number;
  /** Callers are refused while the one that waits longest has waited so long; undefined: never. */
  maxWaitMs?: number;
  /** Whom an item counts for, and how many each may have waiting and under way; beyond it, it is refused. */
  shares?: Shares<Item>;
  /** Whose items take turns where more waits than one batch may hold; absent: first come, first served. */
  turns?: Turns<Item>;
  /** How long a batch is tried again while the database is out of reach. */
  retryForMs: number;
  /** Asked after an error of a connection: while the database answers nobody, trying again is for nothing. */
  isDown?(): Promise<boolean>;
}

/** How batches are shared, so that what is much of one owner does not hold up the others (decision 0030). */
export interface Turns<Item> {
  ownerOf(item: Item): number;
  /** How much it adds to what the others of its batch wait for. */
  weightOf(item: Item): number;
  /** Of one batch. */
  maxWeight: number;
}

/** Lets many callers share one transaction (ARCHITECTURE.md, Group commit). */
export interface GroupCommit<Item, Result> {
  /** Resolves when the item is committed. */
  submit(item: Item): Promise<Result>;
  /** Resolves when nothing is waiting or under way. */
  drain(): Promise<void>;
}

interface Reach {
  /** Whether the last batch was given up because the database was out of reach. */
  lost: boolean;
  /** Why the batch under way is being tried again. */
  cause?: unknown;
}

interface LaneOptions<Item, Result> extends GroupCommitOptions<Item, Result> {
  reach: Reach;
}

interface Entry<Item, Result> {
  item: Item;
  /** On the clock of `performance.now()`, which never jumps. */
  since: number;
  bytes: number;
  weight: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Callers hand in items and wait; whatever has gathered while one batch was under way, and just after it, makes the next
 * one. A lone item goes at once, under load the batches grow by themselves (decisions 0004 and 0019).
 */
export function createGroupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  const reach: Reach = { lost: false };
  const small = createLane({ ...options, reach });
  const large = createLane({ ...options, reach });
  const shares = createShares(options.name, options.shares);
  const { maxWaitMs = Number.POSITIVE_INFINITY } = options;
  let pendingItems = 0;
  let pendingBytes = 0;

  return {
    async submit(item) {
      const bytes = options.sizeOf(item);
      const lane = bytes > LARGE_ITEM_BYTES ? large : small;
      const isFull = pendingItems >= options.maxPendingItems || pendingBytes >= options.maxPendingBytes;
      if (isFull || lane.waitedMs() > maxWaitMs) throw tooMuch(options.name, reach.cause);
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

/** One batch at a time. */
function createLane<Item, Result>(options: LaneOptions<Item, Result>) {
  let waiting: Entry<Item, Result>[] = [];
  let running: Promise<void> | undefined;

  const run = async () => {
    // Lets the callers of this turn of the event loop get on the same batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      waiting = inTurns(waiting, options);
      const size = batchSize(waiting, options);
      const batch = waiting.slice(0, size);
      waiting = waiting.slice(size);
      const began = performance.now();
      await settle(batch, options);
      const tookMs = performance.now() - began;
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
    /** How long the next in line has waited. */
    waitedMs: () => (waiting[0] === undefined ? 0 : performance.now() - waiting[0].since),
    idle: () => running ?? Promise.resolve(),
  };
}

interface BatchLimits {
  maxItems: number;
  maxBytes: number;
  turns?: { maxWeight: number };
}

/** Where not all of it fits into one batch, one item of each owner after the other; each owner's in their order. */
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
  // The order of those of one round stays.
  return placed.toSorted((a, b) => a.round - b.round).map(({ entry }) => entry);
}

/** Whether more wait than one batch can hold. */
function fillBatch<Item, Result>(waiting: Entry<Item, Result>[], limits: BatchLimits): boolean {
  return batchSize(waiting, limits) < waiting.length;
}

/** How many of the waiting entries fit into one batch; at least one. */
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

/** Commits a batch and answers every caller; never throws. */
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

/** Something in the batch is bad: halves it until the bad item stands alone (rule 4). */
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
      options.reach.lost = false;
      options.reach.cause = undefined;
      return results;
    } catch (error) {
      if (!isTransient(error)) throw error;
      options.reach.cause = error;
      if (error instanceof CommitUnknown) unknown ??= error;
      const isOver = performance.now() - began >= patienceMs(error, options);
      if (isOver || (isConnectionError(error) && (await options.isDown?.()))) {
        throw giveUp(unknown ?? error, options);
      }
    }
    await sleep(backoffMs(attempt));
  }
}

/** While the database is known to be out of reach, a batch is tried once: its callers shall not queue for nothing. */
function patienceMs<Item, Result>(error: unknown, options: LaneOptions<Item, Result>): number {
  if (isLockConflict(error)) return Math.max(options.retryForMs, LOCK_PATIENCE_MS);
  return options.reach.lost ? 0 : options.retryForMs;
}

function giveUp<Item, Result>(cause: unknown, options: LaneOptions<Item, Result>): Unavailable {
  options.reach.lost = isConnectionError(cause);
  const problem = options.reach.lost ? 'The database is out of reach' : 'The database is too busy';
  return new Unavailable(`${problem} (${options.name})`, { cause });
}

/** Doubling, with jitter, so that batches that collided do not collide again. */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(MAX_BACKOFF_MS, 5 * 2 ** Math.min(attempt, 10));
}
