/** Returns the key under which receivers see what an action put out: `Is it high?` is `is_it_high`. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
