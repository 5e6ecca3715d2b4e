/** The new ids of one table's rows. They are in the same order as the old ones. */
export interface IdMap {
  readonly first: number;
  /** The id of the last row; `first - 1` if there are no rows. */
  readonly last: number;
  /** Returns the new id; for the id of a row that does not exist an id that no row will have. 0 stays 0. */
  of(oldId: number): number;
  /** Returns the new id of the last row whose old id is not larger: for positions, which may be ids of deleted rows. */
  upTo(oldId: number): number;
}

/** `first` is the first reserved id: that of no row. Others follow, one for each of the old ids, which ascend. */
export function createIdMap(oldIds: Float64Array, reserved: number): IdMap {
  const first = reserved + 1;
  const indexUpTo = (oldId: number): number => {
    let [low, high] = [0, oldIds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((oldIds[middle] ?? 0) <= oldId) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  return {
    first,
    last: first + oldIds.length - 1,
    of(oldId) {
      if (oldId === 0) return 0;
      const index = indexUpTo(oldId);
      return oldIds[index] === oldId ? first + index : reserved;
    },
    upTo: (oldId) => (oldId === 0 ? 0 : first + indexUpTo(oldId)),
  };
}

/** The maps of all tables, by name. */
export type IdMaps = ReadonlyMap<string, IdMap>;

/** Returns the map of a table. @throws Error if there is none: the list of tables is wrong then. */
export function mapOf(maps: IdMaps, table: string): IdMap {
  const map = maps.get(table);
  if (map === undefined) throw new Error(`The table ${table} has no ids that are mapped`);
  return map;
}
