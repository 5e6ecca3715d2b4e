/** `<@user-12>`, as texts of cases write it (spec §7.2). */
const MENTION = /<@user-(\d{1,15})>/g;

/** Ids of the users that a text mentions, each once; there may be no such users. */
export function mentionedIds(text: string | null): number[] {
  if (text === null) return [];
  return [...new Set([...text.matchAll(MENTION)].map(([, id]) => Number(id)))];
}

/** Those that `after` mentions and `before` did not. */
export function newlyMentioned(before: string | null, after: string | null): number[] {
  const known = new Set(mentionedIds(before));
  return mentionedIds(after).filter((id) => !known.has(id));
}
