import type { AuditEntry } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';

/** Nouns for types of the audit log that people call otherwise. */
const NOUNS: Readonly<Record<string, string>> = {
  agent: 'action',
  api_key: 'API key',
  login_link: 'sign-in link',
  openapi: 'OpenAPI document',
};

/** What was done, before the noun. */
const VERBS: Readonly<Record<string, string>> = {
  add: 'Added',
  add_owner: 'Added an owner to',
  add_recipient: 'Added a recipient to',
  append: 'Appended to',
  apply: 'Updated stories from',
  approve: 'Approved',
  bundle: 'Bundled',
  call: 'Called',
  cancel: 'Cancelled',
  check: 'Checked',
  cancel_run: 'Cancelled a run of',
  clear_memory: 'Cleared the state of',
  create: 'Created',
  deactivate: 'Deactivated',
  delete: 'Deleted',
  digest: 'Changed the digest of',
  disable: 'Enabled or disabled',
  drop: 'Dropped',
  dry_run: 'Tried',
  end_sessions: 'Ended the sessions of',
  graph: 'Edited the actions of',
  import: 'Imported',
  invite: 'Invited',
  list: 'Read',
  preview: 'Previewed an update from',
  promote: 'Published',
  publish: 'Published',
  reemit: 'Emitted again',
  remove: 'Removed',
  rename_preview: 'Previewed a name in',
  render: 'Rendered',
  remove_events: 'Removed the events of',
  remove_logs: 'Removed the log of',
  remove_owner: 'Removed an owner from',
  remove_recipient: 'Removed a recipient from',
  replace: 'Replaced',
  resend_invitation: 'Invited again',
  repository: 'Set the git repository of',
  repository_removed: 'Removed the git repository of',
  repository_sync: 'Synced the git repository of',
  restore: 'Restored',
  retry: 'Retried',
  revert: 'Reverted',
  revoke: 'Revoked',
  revoke_all: 'Revoked all of',
  run: 'Started',
  set: 'Set',
  test: 'Tested',
  try: 'Tried',
  update: 'Updated',
  version: 'Saved a version of',
};

/** Changes whose words name no thing. */
const WHOLE: Readonly<Record<string, string>> = {
  'board.sign_in': 'Signed in to the queue board',
  'board.sign_out': 'Signed out of the queue board',
  'canary.start': 'Started a canary retry',
  'canary.stop': 'Stopped a canary retry',
  'case_link.create_batch': 'Linked cases',
  'case_subscriber.create_batch': 'Added subscribers of a case',
  'dead_letter.drop_many': 'Dropped dead letters',
  'dead_letter.retry_many': 'Retried dead letters',
  'inbox.update': 'Assigned or snoozed an inbox entry',
  'password.change': 'Changed the password',
  'password.link_requested': 'Requested a link to set a password',
  'password.set_by_link': 'Set a password with a link',
  'session.create': 'Signed in',
  'session.delete': 'Signed out',
  'session.refused': 'Sign-in was refused',
  'shadow.start': 'Started a shadow of a draft',
  'shadow.stop': 'Stopped a shadow of a draft',
  'story_test.delete': 'Deleted a test of a story',
  'story_test.keep': 'Kept a run as a test',
  'story_test.run': 'Ran the tests of a story',
  'story_test.save': 'Saved a test of a story',
  'tenant.mail_settings': 'Changed the mail settings',
  'tenant.test_settings': 'Changed the test settings',
  'tenant.quota': 'Changed a quota',
};

type Changed = Pick<AuditEntry, 'action' | 'target_id' | 'target_name'>;

/** Returns a type of the audit log as people say it: `action` for `agent`. */
export const nounOf = (type: string): string => NOUNS[type] ?? type.replaceAll('_', ' ');

/** Returns an action of the audit log without its thing: `Updated story` for `story.update`. */
export function actionWords(action: string): string {
  const [type = action, ...rest] = action.split('.');
  const verb = rest.join('.');
  if (WHOLE[action] !== undefined) return WHOLE[action];
  const did = VERBS[verb];
  if (did !== undefined) return `${did} ${nounOf(type)}`;
  return verb === '' ? nounOf(type) : `${nounOf(type)}: ${verb.replaceAll(/[._]/g, ' ')}`;
}

/** Returns an action of the audit log as what somebody did: `retried a dead letter`. */
export function deedWords(action: string): string {
  const [type = action, ...rest] = action.split('.');
  const did = VERBS[rest.join('.')];
  const noun = nounOf(type);
  const words = WHOLE[action] ?? `${did ?? 'Changed'} ${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** Returns the name of what was changed, its id if it is gone, empty where the words name all. */
export function thingWords({ action, target_id: id, target_name: name }: Changed): string {
  if (WHOLE[action] !== undefined) return '';
  if (name !== null && name !== '') return name;
  return id === null ? '' : String(id);
}

/** Returns a change as people say it: `Updated story Alert triage`. */
export function changeWords(entry: Changed): string {
  const thing = thingWords(entry);
  return thing === '' ? actionWords(entry.action) : `${actionWords(entry.action)} ${isolated(thing)}`;
}
