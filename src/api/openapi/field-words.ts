/** Descriptions of fields that mean the same in every schema. A field that means something else is described in its own schema. */
const WORDS: Readonly<Record<string, string>> = {
  active: 'Whether the user can sign in and use API keys',
  add_assignee_emails: 'Email addresses of users to assign',
  add_child_records: 'Ids of records to add as children',
  add_tag_names: 'Names of tags to add',
  assignee_emails: 'Email addresses of the assignees',
  attempts: 'Number of attempts',
  author_email: 'Email address of the author; defaults to the user of the key',
  avatar_url: 'URL of a picture',
  cancelled_at: 'When it was cancelled; null if it was not',
  closure_conditions: 'Conditions that must be met before it can be closed',
  comment_id: 'The id of the comment',
  created_at: 'When it was created',
  cron: 'Cron expression with five fields',
  dead_letter_count: 'Number of dead letters',
  draft_name: 'Name of the draft; null for the live story',
  description: 'Description',
  disabled: 'Whether it is disabled',
  email: 'Email address, also used to sign in',
  error: 'Why it failed; null if it did not',
  event_count: 'Number of events',
  expires_at: 'When it expires; null for never',
  exported_at: 'When it was exported',
  failed_at: 'When it last failed',
  field_ids_to_delete: 'Ids of fields to delete, with their values',
  first_name: 'First name',
  fixed_values: 'Allowed values, for fields of the type TEXT_ENUM',
  formula: 'A formula that must be true',
  guid: 'Id that is stable across exports',
  id: 'The id',
  is_owner: 'Whether the user is an owner with full access to the tenant',
  is_service_account: 'Whether it is the service account of an API key',
  is_test: 'Must be false if given',
  keep_events_for: 'Event retention in seconds',
  label: 'The text of the link',
  last_name: 'Last name',
  last_used_at: 'When it was last used; null for never',
  log_count: 'Number of log lines',
  mail_from: 'Default sender, for actions that set none',
  mail_from_allow: 'Other senders that actions may use',
  message: 'The text',
  meta: 'Paging of the list',
  metadata: 'Custom key-value pairs',
  name: 'Display name',
  open_delivery_count: 'Number of events still to be processed',
  opened_at: 'When it was opened',
  options: 'Options of the action type',
  page: 'Page number, from 1',
  payload: 'The content, any JSON value',
  per_page: 'Items per page',
  priority: 'Urgency',
  record_type_name: 'The name of the record type',
  remove_assignee_emails: 'Email addresses of users to unassign',
  remove_child_records: 'Ids of child records to remove',
  remove_tag_names: 'Names of tags to remove',
  resolved_at: 'When it was resolved; null if it is open',
  result_type: 'The type of the values',
  revoked_at: 'When it was revoked; null if it was not',
  role: 'Role of the user in the team',
  search: 'Part of the name',
  shared_team_slugs: 'Must be an empty list if given',
  source: 'How it was started',
  status: 'The state',
  story_name: 'The name of the story',
  story_version: 'The version of the story',
  story_run_guid: 'The guid of the run',
  synchronous_webhooks_enabled: 'Whether its webhooks respond with the result of the run',
  tag_names: 'Tag names',
  team: 'Owning team',
  test_mode: 'Whether it came from a test run',
  test_resource_enabled: 'Must be false if given',
  timezone: 'Time zone of the schedule; default: UTC',
  updated_at: 'When it last changed',
  url: 'The address',
  user: 'The user; null if deleted',
  user_email: 'Email address of a user to notify',
  waits_until: 'When it continues; null for as soon as possible',
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
