import { slugOf } from '../../text/action-slug.js';
import type { StoryDraft } from '../story-draft.js';

/** Returns the keys under which an action sees what those before it put out, the nearest first; an action may come before itself. */
export function slugsBefore(
  { actions, links }: Pick<StoryDraft, 'actions' | 'links'>,
  key: string,
): string[] {
  const sources = new Map<string, string[]>();
  for (const { source, receiver } of links.values()) {
    sources.set(receiver, [...(sources.get(receiver) ?? []), source]);
  }
  const before = new Set<string>(sources.get(key));
  for (const each of before) for (const source of sources.get(each) ?? []) before.add(source);
  return [...before].flatMap((each) => slugOf(actions.get(each)?.name ?? '') || []);
}
