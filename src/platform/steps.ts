/** Work that may pause wherever it yields. */
export type Steps<Result> = Generator<void, Result, void>;

/** A slice ends at the first step after this time. A loop that others share may be held five times as long. */
const SLICE_MS = 10;

/** Does the work without a pause: for small work, and for threads. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Does the work in slices of some milliseconds. Each turn of the event loop has one slice, whoever works, and slices take turns.
 * Work of a few steps does not pause.
 */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let begunAt = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - begunAt < SLICE_MS) continue;
    await nextSlice();
    begunAt = performance.now();
  }
}

/** Returns the result of `map` for each item. */
export function* mapSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    yield;
  }
  return results;
}

/** Callers that wait for a slice, in their order. */
const waiting: (() => void)[] = [];

function nextSlice(): Promise<void> {
  return new Promise((begin) => {
    waiting.push(begin);
    if (waiting.length === 1) setImmediate(turn);
  });
}

function turn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(turn);
}
