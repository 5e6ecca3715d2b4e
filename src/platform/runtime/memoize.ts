/** Remembers the first success; a failure is forgotten, so that the next caller asks again. */
export function memoize<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** The same for so long: who asks while it is being found shares the answer. An error is not kept. */
export function memoizeFor<T>(ms: number, find: () => Promise<T>): () => Promise<T> {
  let shared: { at: number; value: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (shared !== undefined && now - shared.at < ms) return shared.value;
    const found = { at: now, value: find() };
    shared = found;
    found.value.catch(() => {
      if (shared === found) shared = undefined;
    });
    return found.value;
  };
}
