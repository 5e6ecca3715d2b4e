/**
 * The key under which an action's output is seen: lower case, each run of other characters than a-z 0-9
 * is one `_`, ends trimmed (spec §5.1).
 */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
