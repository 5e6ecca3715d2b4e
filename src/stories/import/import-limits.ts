/** What one import may hold. The largest real export has 78 agents and six sub-stories. */
export const LIMITS = {
  agents: 2_000,
  links: 20_000,
  /** Stories embedded in one story. */
  subStories: 200,
  /** Values in all. The largest real export has 5,000; the event loop takes a microsecond for each when a thread hands them over. */
  values: 100_000,
  /** Levels of lists and objects in the body. */
  depth: 100,
  /** Of one agent, or of all that a story keeps besides its agents and links, as JSON. */
  rowBytes: 4 * 1024 * 1024,
  /** What the column takes. */
  descriptionBytes: 65_535,
};

/** Whether lists and objects are nested deeper than `limit`; looks without recursion. */
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
