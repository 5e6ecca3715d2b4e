/** Chance that can be repeated: the same seed gives the same sequence. */
export interface Randomness {
  /** From `from` up to, not including, `to`. */
  between(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** A new list in another order. */
  shuffle<Item>(items: readonly Item[]): Item[];
  /** Goes on as if it had been created with `seed`. */
  restart(seed: number): void;
}

/** mulberry32: 32 bits of state are enough to choose moments and victims. */
export function createRandomness(first: number): Randomness {
  let state = first >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => Math.floor(from + next() * (to - from));
  return {
    between,
    pick(items) {
      const item = items[between(0, items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
    shuffle: (items) =>
      items
        .map((item) => ({ item, key: next() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ item }) => item),
    restart(seed) {
      state = seed >>> 0;
    },
  };
}
