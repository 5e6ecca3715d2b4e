/** A mention in a text of a case: `<@user-12>` (spec §7.2). */
const MENTION = /<@user-(\d{1,15})>/g;

/** Returns the ids of the users that a text mentions, each once; the users may not exist. */
export function mentionedIds(text: string | null): number[] {
  if (text === null) return [];
  return [...new Set([...text.matchAll(MENTION)].map(([, id]) => Number(id)))];
}

/** Returns the ids of users that `after` mentions and `before` does not. */
export function newlyMentioned(before: string | null, after: string | null): number[] {
  const known = new Set(mentionedIds(before));
  return mentionedIds(after).filter((id) => !known.has(id));
}
