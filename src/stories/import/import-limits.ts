/** Limits of one import. The largest real export has 78 agents and six sub-stories. */
export const LIMITS = {
  agents: 2_000,
  links: 20_000,
  /** Notes of a story that was edited as a whole. */
  notes: 10_000,
  /** Stories embedded in one story. */
  subStories: 200,
  /** Values in the whole body. The largest real export has 5,000; taking each from a thread costs the event loop a microsecond. */
  values: 100_000,
  /** Nesting of lists and objects in the body. */
  depth: 100,
  /** JSON bytes of one agent, or of the story without its agents and links. */
  rowBytes: 4 * 1024 * 1024,
  /** The size of the column. */
  descriptionBytes: 65_535,
};

/** Whether lists and objects are nested deeper than `limit`; works without recursion. */
export function exceedsDepth(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit + 1) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? (Object.values(item) as unknown[]) : [],
    );
  }
  return false;
}
