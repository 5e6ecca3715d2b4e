/** Caches the first success; a failure is not cached, so that the next caller loads again. */
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

/** Caches the result for `ms`; concurrent callers share one load. An error is not cached. */
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
