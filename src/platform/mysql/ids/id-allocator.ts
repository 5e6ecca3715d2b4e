import type { IdCounts, IdRange, NumberedTable, ReserveIds } from './id-range.js';

/** Up to so many rows are inserted one by one: that is faster than a reservation. */
const FEW = 3;
/** Ids are used for this time: an id is so much older than its row at most, except in a process that stood still. */
const HOLD_MS = 250;
const MOST_AT_ONCE = 5_000;
/** Others of the process may take what was reserved. */
const MOST_TRIES = 3;

/** The reserved ids of a process. */
export interface IdAllocator {
  /** A row with this id exists: later ids of the table are larger, so an event's id is larger than its inbound event's. */
  observe(table: NumberedTable, id: number): void;
  /** Begins to reserve ids that a transaction will take, while it runs other statements. */
  prefetch(counts: IdCounts): void;
  /** Returns so many ids of a table; undefined: the rows must be inserted one by one. @throws the driver's errors. */
  take(table: NumberedTable, count: number): Promise<IdRange | undefined>;
  /** Forgets all reserved ids: the database refused some. */
  clear(): void;
}

/** The allocator of a process that inserts all rows one by one. */
export const NO_IDS: IdAllocator = {
  observe: () => undefined,
  prefetch: () => undefined,
  take: () => Promise.resolve(undefined),
  clear: () => undefined,
};

/** The ids of one table. */
interface TableIds {
  /** The largest id that was seen. */
  seen: number;
  next: number;
  end: number;
  usableUntil: string;
  reservedAt: number;
  /** How many of the last reserved ids were taken. */
  taken: number;
  /** The reservation that is under way. */
  pending: Promise<void> | undefined;
}

/** Creates the allocator of a process. Its reservations double until they last for `HOLD_MS`, so that few ids are lost. */
export function createIdAllocator(reserve: ReserveIds): IdAllocator {
  const tables = new Map<NumberedTable, TableIds>();
  const idsOf = (table: NumberedTable): TableIds => {
    const ids = tables.get(table) ?? noTableIds();
    tables.set(table, ids);
    return ids;
  };

  const fill = async (wanted: [NumberedTable, number][]) => {
    const plans = wanted.map(([table, count]) => {
      const ids = idsOf(table);
      return { table, ids, size: sizeOf(ids, count), seen: ids.seen };
    });
    const counts = Object.fromEntries(plans.map(({ table, size }) => [table, size]));
    const ranges = await reserve(counts);
    for (const { table, ids, seen } of plans) addRange(ids, ranges?.[table], seen);
  };
  const begin = (wanted: [NumberedTable, number][]): Promise<void> => {
    const pending = fill(wanted).finally(() => {
      for (const [table] of wanted) idsOf(table).pending = undefined;
    });
    for (const [table] of wanted) idsOf(table).pending = pending;
    return pending;
  };

  return {
    observe(table, id) {
      const ids = idsOf(table);
      if (id > ids.seen) ids.seen = id;
    },
    prefetch(counts) {
      const wanted = (Object.entries(counts) as [NumberedTable, number][]).filter(([table, count]) => {
        const ids = idsOf(table);
        return count > FEW && ids.pending === undefined && !has(ids, { count, above: ids.seen });
      });
      // A transaction that fails before it takes ids has its own error; any other gets this one from `take`.
      if (wanted.length > 0) begin(wanted).catch(() => undefined);
    },
    async take(table, count) {
      if (count <= FEW) return undefined;
      const ids = idsOf(table);
      // Rows that are read from now on are none that this transaction follows.
      const above = ids.seen;
      if (!has(ids, { count, above }) && ids.pending !== undefined) await ids.pending;
      for (let tries = 0; tries < MOST_TRIES && !has(ids, { count, above }); tries += 1) {
        await begin([[table, count]]);
      }
      return takeFrom(ids, { count, above });
    },
    clear() {
      for (const ids of tables.values()) ids.end = 0;
    },
  };
}

function noTableIds(): TableIds {
  return { seen: 0, next: 0, end: 0, usableUntil: '', reservedAt: 0, taken: 0, pending: undefined };
}

/** So many ids, larger than `above`. */
interface RequestedIds {
  count: number;
  above: number;
}

function has(ids: TableIds, { count, above }: RequestedIds): boolean {
  const isFresh = performance.now() - ids.reservedAt < HOLD_MS;
  return isFresh && Math.max(ids.next, above + 1) + count <= ids.end;
}

function takeFrom(ids: TableIds, wanted: RequestedIds): IdRange | undefined {
  if (!has(ids, wanted)) return undefined;
  const { count, above } = wanted;
  const first = Math.max(ids.next, above + 1);
  ids.next = first + count;
  ids.taken += count;
  return { first, count, usableUntil: ids.usableUntil };
}

/** Returns how many ids to reserve: twice as many as were taken of the last ones, if those are recent. */
function sizeOf({ reservedAt, taken }: TableIds, count: number): number {
  const isRecent = performance.now() - reservedAt < 2 * HOLD_MS;
  return Math.max(count, isRecent ? Math.min(MOST_AT_ONCE, 2 * taken) : 0);
}

/** Adds a reserved range; `seen`: the largest id that was seen when the reservation began. */
function addRange(ids: TableIds, range: IdRange | undefined, seen: number): void {
  if (range === undefined) return;
  // New ids are larger than those of all rows: the row that was seen is of a database that has been replaced.
  if (range.first <= seen) ids.seen = 0;
  const { first, count, usableUntil } = range;
  Object.assign(ids, {
    next: first,
    end: first + count,
    usableUntil,
    taken: 0,
    reservedAt: performance.now(),
  });
}
