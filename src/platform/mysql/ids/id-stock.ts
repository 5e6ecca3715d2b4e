import type { IdCounts, IdRange, NumberedTable, ReserveIds } from './id-range.js';

/** Up to so many rows are inserted one by one: that is faster than a reservation. */
const FEW = 3;
/** Ids are used for this time: an id is so much older than its row at most, except in a process that stood still. */
const HOLD_MS = 250;
const MOST_AT_ONCE = 5_000;
/** Others of the process may take what was reserved. */
const MOST_TRIES = 3;

/** The reserved ids of a process. */
export interface IdStock {
  /** A row with this id exists: later ids of the table are larger, so an event's id is larger than its inbound event's. */
  saw(table: NumberedTable, id: number): void;
  /** Begins to reserve ids that a transaction will take, while it runs other statements. */
  expect(counts: IdCounts): void;
  /** Returns so many ids of a table; undefined: the rows must be inserted one by one. @throws the driver's errors. */
  take(table: NumberedTable, count: number): Promise<IdRange | undefined>;
  /** Forgets all reserved ids: the database refused some. */
  clear(): void;
}

/** The stock of a process that inserts all rows one by one. */
export const NO_IDS: IdStock = {
  saw: () => undefined,
  expect: () => undefined,
  take: () => Promise.resolve(undefined),
  clear: () => undefined,
};

/** The ids of one table. */
interface Shelf {
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

/** Creates the stock of a process. Its reservations double until they last for `HOLD_MS`, so that few ids are lost. */
export function createIdStock(reserve: ReserveIds): IdStock {
  const shelves = new Map<NumberedTable, Shelf>();
  const shelfOf = (table: NumberedTable): Shelf => {
    const shelf = shelves.get(table) ?? emptyShelf();
    shelves.set(table, shelf);
    return shelf;
  };

  const fill = async (wanted: [NumberedTable, number][]) => {
    const plans = wanted.map(([table, count]) => {
      const shelf = shelfOf(table);
      return { table, shelf, size: sizeOf(shelf, count), seen: shelf.seen };
    });
    const counts = Object.fromEntries(plans.map(({ table, size }) => [table, size]));
    const ranges = await reserve(counts);
    for (const { table, shelf, seen } of plans) putOn(shelf, ranges?.[table], seen);
  };
  const begin = (wanted: [NumberedTable, number][]): Promise<void> => {
    const pending = fill(wanted).finally(() => {
      for (const [table] of wanted) shelfOf(table).pending = undefined;
    });
    for (const [table] of wanted) shelfOf(table).pending = pending;
    return pending;
  };

  return {
    saw(table, id) {
      const shelf = shelfOf(table);
      if (id > shelf.seen) shelf.seen = id;
    },
    expect(counts) {
      const wanted = (Object.entries(counts) as [NumberedTable, number][]).filter(([table, count]) => {
        const shelf = shelfOf(table);
        return count > FEW && shelf.pending === undefined && !has(shelf, { count, above: shelf.seen });
      });
      // A transaction that fails before it takes ids has its own error; any other gets this one from `take`.
      if (wanted.length > 0) begin(wanted).catch(() => undefined);
    },
    async take(table, count) {
      if (count <= FEW) return undefined;
      const shelf = shelfOf(table);
      // Rows that are read from now on are none that this transaction follows.
      const above = shelf.seen;
      if (!has(shelf, { count, above }) && shelf.pending !== undefined) await shelf.pending;
      for (let tries = 0; tries < MOST_TRIES && !has(shelf, { count, above }); tries += 1) {
        await begin([[table, count]]);
      }
      return takeFrom(shelf, { count, above });
    },
    clear() {
      for (const shelf of shelves.values()) shelf.end = 0;
    },
  };
}

function emptyShelf(): Shelf {
  return { seen: 0, next: 0, end: 0, usableUntil: '', reservedAt: 0, taken: 0, pending: undefined };
}

/** So many ids, larger than `above`. */
interface Wanted {
  count: number;
  above: number;
}

function has(shelf: Shelf, { count, above }: Wanted): boolean {
  const isFresh = performance.now() - shelf.reservedAt < HOLD_MS;
  return isFresh && Math.max(shelf.next, above + 1) + count <= shelf.end;
}

function takeFrom(shelf: Shelf, wanted: Wanted): IdRange | undefined {
  if (!has(shelf, wanted)) return undefined;
  const { count, above } = wanted;
  const first = Math.max(shelf.next, above + 1);
  shelf.next = first + count;
  shelf.taken += count;
  return { first, count, usableUntil: shelf.usableUntil };
}

/** Returns how many ids to reserve: twice as many as were taken of the last ones, if those are recent. */
function sizeOf({ reservedAt, taken }: Shelf, count: number): number {
  const isRecent = performance.now() - reservedAt < 2 * HOLD_MS;
  return Math.max(count, isRecent ? Math.min(MOST_AT_ONCE, 2 * taken) : 0);
}

/** Puts a range there; `seen`: the largest id that was seen when the reservation began. */
function putOn(shelf: Shelf, range: IdRange | undefined, seen: number): void {
  if (range === undefined) return;
  // New ids are larger than those of all rows: the row that was seen is of a database that has been replaced.
  if (range.first <= seen) shelf.seen = 0;
  const { first, count, usableUntil } = range;
  Object.assign(shelf, {
    next: first,
    end: first + count,
    usableUntil,
    taken: 0,
    reservedAt: performance.now(),
  });
}
