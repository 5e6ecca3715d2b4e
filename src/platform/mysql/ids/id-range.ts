/** The tables whose rows are inserted with reserved ids. They have no unique key but the primary one. */
export type NumberedTable = 'events' | 'deliveries' | 'records';

/** Consecutive ids that no other process uses. */
export interface IdRange {
  first: number;
  count: number;
  /** Rows must be inserted before that time of the database, UTC, as it writes times. */
  usableUntil: string;
}

/** How many ids are wanted, by table. */
export type IdCounts = Partial<Record<NumberedTable, number>>;
export type IdRanges = Partial<Record<NumberedTable, IdRange>>;

/** Reserves ids; undefined: another process holds up all reservations, so rows must be inserted one by one. */
export type ReserveIds = (counts: IdCounts) => Promise<IdRanges | undefined>;
