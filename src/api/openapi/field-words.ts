/** Descriptions of fields that mean the same in every schema. A field that means something else is described in its own schema. */
const WORDS: Readonly<Record<string, string>> = {
  active: 'Whether the user may sign in and keys of the user work',
  add_assignee_emails: 'The addresses of users to assign',
  add_child_records: 'The ids of records that become its children',
  add_tag_names: 'The names of tags to add',
  assignee_emails: 'The addresses of the users who work on it',
  attempts: 'How often it was tried',
  author_email: 'The address of the user who is its author; absent: the user of the key',
  avatar_url: 'The address of a picture',
  cancelled_at: 'When it was cancelled; null: it was not',
  closure_conditions: 'The rules that must be true before it can be closed',
  comment_id: 'The id of the comment',
  created_at: 'When it was created',
  cron: 'The five fields of cron',
  dead_letter_count: 'The number of deliveries that failed for good',
  draft_name: 'The name of the draft that ran; null: the live story',
  description: 'Its purpose, in the words of its author',
  disabled: 'Whether it takes no events',
  email: 'The address for mails, and for signing in',
  error: 'Why it failed; null: it did not',
  event_count: 'The number of events',
  expires_at: 'When it stops to work; null: never',
  exported_at: 'When it was exported',
  failed_at: 'When it failed last',
  field_ids_to_delete: 'The ids of fields to delete, with their values',
  first_name: 'The given name',
  fixed_values: 'The allowed values of a field of the type TEXT_ENUM',
  formula: 'A formula that must be true',
  guid: 'The id that stays the same in exports',
  id: 'The id',
  is_owner: 'Whether the user may do everything in the tenant',
  is_service_account: 'Whether it is no person, but stands for a key',
  is_test: 'False, if given',
  keep_events_for: 'How long events are kept, in seconds',
  label: 'The text of the link',
  last_name: 'The family name',
  last_used_at: 'When it was used last; null: never',
  log_count: 'The number of lines in the log',
  mail_from: 'The sender of mails whose action sets none',
  mail_from_allow: 'Other senders that actions may use',
  message: 'The text',
  meta: 'The place of the page in its list',
  metadata: 'Values under names of your own',
  name: 'The name that people see',
  open_delivery_count: 'The number of events that an action has still to handle',
  opened_at: 'When it was opened',
  options: 'The options, by the type of the action',
  page: 'The page to return, from 1',
  payload: 'The content, any JSON value',
  per_page: 'The most items that a page has',
  priority: 'How urgent it is',
  record_type_name: 'The name of the record type',
  remove_assignee_emails: 'The addresses of users to assign no longer',
  remove_child_records: 'The ids of records that are children no longer',
  remove_tag_names: 'The names of tags to remove',
  resolved_at: 'When it was resolved; null: it is open',
  result_type: 'The type of the values',
  revoked_at: 'When it was revoked; null: it was not',
  role: 'The rights of the user in the team',
  search: 'A part of the name',
  shared_team_slugs: 'An empty list, if given',
  source: 'How it was started',
  status: 'The state',
  story_name: 'The name of the story',
  story_version: 'The version of the story',
  story_run_guid: 'The guid of the run',
  synchronous_webhooks_enabled: 'Whether its webhooks are answered by the run',
  tag_names: 'The names of its tags',
  team: 'The team that owns it',
  test_mode: 'Whether it came from a test run',
  test_resource_enabled: 'False, if given',
  timezone: 'The time zone of the schedule; absent: UTC',
  updated_at: 'When it was changed last',
  url: 'The address',
  user: 'The user; null: the user is gone',
  user_email: 'The address of a user who gets mails',
  waits_until: 'When it goes on; null: as soon as possible',
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
