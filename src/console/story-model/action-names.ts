import type { GraphAction } from '../../../clients/typescript/api.js';
import { slugOf } from '../text/action-slug.js';
import type { Keyed } from './story-draft.js';

/** The actions that templates name by the same word, by that word; templates mean any one of them. */
export function namesakes(actions: Keyed<GraphAction>): Map<string, string[]> {
  const bySlug = new Map<string, string[]>();
  for (const [key, { name }] of actions) {
    const slug = slugOf(name);
    bySlug.set(slug, [...(bySlug.get(slug) ?? []), key]);
  }
  return new Map([...bySlug].filter(([slug, keys]) => slug !== '' && keys.length > 1));
}

/** Returns the name, or the name with a number after it, so that templates can tell it from these. */
export function freeName(name: string, taken: Iterable<string>): string {
  const slugs = new Set([...taken].map(slugOf));
  let free = name;
  for (let count = 2; slugs.has(slugOf(free)); count += 1) free = `${name} ${count}`;
  return free;
}
