/** Steps of a doubling: neighbouring buckets differ by a factor of 1.41. */
const STEPS = 2;
/** Holds every longer time too; its bound is 2^60 ms. */
const LAST_BUCKET = 120;

/** Returns the bucket of a time in ms: bucket n holds times up to 2^(n/2) ms. */
export function bucketOf(ms: number): number {
  if (ms <= 1) return 0;
  return Math.min(LAST_BUCKET, Math.ceil(Math.log2(ms) * STEPS));
}

/** Returns the longest time of a bucket in ms. */
function boundOf(bucket: number): number {
  return 2 ** (bucket / STEPS);
}

/**
 * Returns a time in ms that the given share of runs (0 to 1) did not exceed, at most 1.41 times too long; undefined
 * without runs.
 */
export function timeOfShare(
  counts: readonly { bucket: number; runs: number }[],
  share: number,
): number | undefined {
  const all = counts.reduce((sum, { runs }) => sum + runs, 0);
  let seen = 0;
  for (const { bucket, runs } of counts.toSorted((a, b) => a.bucket - b.bucket)) {
    seen += runs;
    if (seen >= all * share) return boundOf(bucket);
  }
  return undefined;
}
