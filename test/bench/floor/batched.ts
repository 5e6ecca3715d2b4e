const MAX_BATCH = 500;

interface Entry<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Many callers share one round of `work`: what comes in while one is under way makes the next. No timers. */
export function batched<Item, Result>(work: (items: Item[]) => Promise<Result[]>) {
  let waiting: Entry<Item, Result>[] = [];
  let running = false;

  const round = async (): Promise<void> => {
    const batch = waiting.slice(0, MAX_BATCH);
    waiting = waiting.slice(MAX_BATCH);
    try {
      const results = await work(batch.map(({ item }) => item));
      batch.forEach((entry, index) => entry.resolve(results[index] as Result));
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  };

  const run = async (): Promise<void> => {
    await new Promise(setImmediate);
    while (waiting.length > 0) await round();
    running = false;
  };

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running) return;
      running = true;
      void run();
    });
}
