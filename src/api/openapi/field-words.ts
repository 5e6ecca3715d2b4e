/** What fields mean that every schema uses alike. A field that means something else is described in its own schema. */
const WORDS: Readonly<Record<string, string>> = {
  created_at: 'When it was created',
  updated_at: 'When it was changed last',
  email: 'The address for mails, and for signing in',
  first_name: 'The given name',
  last_name: 'The family name',
  avatar_url: 'The address of a picture',
  is_service_account: 'Whether it is no person, but stands for a key',
  guid: 'The id that stays the same in exports',
  id: 'The id',
  name: 'The name that people see',
  description: 'What it is for, in the words of its author',
  page: 'The page to return, from 1',
  per_page: 'The most items that a page has',
  meta: 'Where the page stands in its list',
  story_run_guid: 'The guid of the run',
  role: 'What the user may do in the team',
  search: 'A part of the name',
  user: 'The user; null: the user is gone',
  team: 'The team that owns it',
  disabled: 'Whether it takes no events',
  message: 'The text',
  error: 'Why it failed; null: it did not',
  attempts: 'How often it was tried',
  options: 'The options, by the type of the action',
  comment_id: 'The id of the comment',
};

/** Returns what a field of this name means; undefined if its name does not say. */
export function fieldWords(name: string): string | undefined {
  const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  return words ?? idWords(name);
}

/** `story_id` is the id of a story, `case_ids` are the ids of cases. */
function idWords(name: string): string | undefined {
  const [, noun, plural] = /^([a-z_]+)_id(s?)$/.exec(name) ?? [];
  if (noun === undefined) return undefined;
  const words = noun.replaceAll('_', ' ');
  if (plural === '') return `The id of the ${words}`;
  return `The ids of the ${words.replace(/y$/, 'ie')}s`;
}
