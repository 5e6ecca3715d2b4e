/**
 * Returns the key of an action's output: lower case, each run of characters other than a-z 0-9 replaced by one `_`,
 * ends trimmed (spec §5.1).
 */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
