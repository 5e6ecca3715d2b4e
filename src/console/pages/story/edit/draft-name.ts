import type { Session } from '../../../api/session-api.js';

/** Returns a name for a new draft of a person that no draft of the story has: `Draft of Ada Lovelace 2`. */
export function freeDraftName(
  { name, email }: Pick<Session['user'], 'name' | 'email'>,
  drafts: readonly { name: string }[],
): string {
  const wanted = `Draft of ${name || email}`;
  const taken = new Set(drafts.map((draft) => draft.name));
  let free = wanted;
  for (let count = 2; taken.has(free); count += 1) free = `${wanted} ${count}`;
  return free;
}
