import { hideInText } from '../../platform/secrets/hidden-secrets.js';
import { isJsonObject } from '../../platform/json.js';
import { sliceCharacters } from '../../platform/text/code-points.js';
import type { AuditedState, AuditedValue } from './audited-state-store.js';

/** A field that a write changed. */
export interface AuditedChange {
  field: string;
  /** Null: absent, or not kept. */
  before: AuditedValue;
  after: AuditedValue;
  /** Whether values are not kept, since they may be secrets. */
  hidden: boolean;
}

const MOST_CHARACTERS = 200;
/** Characters that are shown before the first difference of long texts. */
const BEFORE_DIFFERENCE = 50;

/**
 * Returns the fields that differ between two states of a thing; of one that is deleted, its values. Values of hidden fields
 * are no part of it.
 */
export function auditedChanges(before: AuditedState, after: AuditedState | undefined): AuditedChange[] {
  const shown = Object.keys(before.shown)
    .filter((field) => before.shown[field] !== (after?.shown[field] ?? null))
    .map((field) => shownChange(field, before.shown[field] ?? null, after?.shown[field] ?? null));
  if (after === undefined) return shown;
  const hidden = Object.keys(before.hidden)
    .filter((field) => before.hidden[field] !== after.hidden[field])
    .map((field) => ({ field, before: null, after: null, hidden: true }));
  return [...shown, ...hidden];
}

/** Whatever looks like a secret is masked; where only that differs, no values are kept. Long texts are cut around the difference. */
function shownChange(field: string, from: AuditedValue, to: AuditedValue): AuditedChange {
  const [before, after] = [masked(from), masked(to)];
  if (before === after) return { field, before: null, after: null, hidden: true };
  const start = startOfDifference(before, after);
  return { field, before: cut(before, start), after: cut(after, start), hidden: false };
}

const masked = (value: AuditedValue) => (typeof value === 'string' ? hideInText(value) : value);

/** Returns the index at which the kept part of both texts begins: 0 if their beginnings differ. */
function startOfDifference(before: AuditedValue, after: AuditedValue): number {
  if (typeof before !== 'string' || typeof after !== 'string') return 0;
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return at < MOST_CHARACTERS - BEFORE_DIFFERENCE ? 0 : at - BEFORE_DIFFERENCE;
}

function cut(value: AuditedValue, start: number): AuditedValue {
  if (typeof value !== 'string') return value;
  // It may begin within a surrogate pair.
  const part = sliceCharacters(value.slice(start).replace(/^[\uDC00-\uDFFF]/, ''), 0, MOST_CHARACTERS);
  return start === 0 ? part : `…${part}`;
}

/** Writes that change these fields alone, whatever their bodies name. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'story.disable': ['disabled'],
  'story.add_recipient': ['recipients'],
  'story.remove_recipient': ['recipients'],
  'resource.append': ['value', 'test_value'],
  'resource.remove': ['value', 'test_value'],
  'resource.replace': ['value', 'test_value'],
  'user.deactivate': ['active'],
};

/** Settings of a credential that responses show; all others are secrets, or may hold some. */
export const SHOWN_SETTINGS = [
  'jwt_algorithm',
  'jwt_auto_generate_time_claims',
  'http_request_ttl',
  'oauth_grant_type',
  'oauth_url',
  'oauth_token_url',
  'oauth_client_id',
  'oauth_scope',
  'oauthPkceCodeChallengeMethod',
  'aws_authentication_type',
  'aws_access_key',
  'aws_assumed_role_arn',
  'aws_assumed_role_external_id',
] as const;
/** Names in the body of a credential that change no secret. */
const NO_SECRETS = new Set<string>([
  ...SHOWN_SETTINGS,
  ...'name team_id folder_id description metadata allowed_hosts read_access'.split(' '),
  ...'shared_team_slugs mode is_test test_credential_enabled'.split(' '),
]);
/** Fields of the live value; with `is_test` a write changes `test_value` alone. */
const OF_LIVE: readonly string[] = ['value', 'settings', 'allowed_hosts'];

/** Further names in the body that change a field. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  active: ['is_active'],
  draft_name: ['name'],
  folder: ['team_id'],
  is_owner: ['admin'],
  owner: ['team_id'],
  settings: SHOWN_SETTINGS,
  synchronous_webhooks_enabled: ['webhook_api_enabled'],
  tags: ['add_tag_names', 'remove_tag_names'],
  test_enabled: ['test_credential_enabled', 'test_resource_enabled', 'is_test'],
  test_value: ['is_test'],
  send_to_story_enabled: ['send_to_story_access_source'],
  send_to_story_access: ['shared_team_slugs'],
  shared_team_slugs: ['send_to_story_access'],
  entry_action_id: ['entry_agent_id'],
  exit_action_ids: ['exit_agent_ids', 'exit_agents'],
  api_entry_action_ids: ['api_entry_action_id'],
};

/**
 * Returns the changes without fields that a write does not name: others changed them at the same time, or the same value
 * was encrypted anew.
 */
export function withoutUnnamed(changes: AuditedChange[], action: string, body: unknown): AuditedChange[] {
  const fields = FIELDS[action];
  if (fields === undefined && !action.endsWith('.update')) return changes;
  const given = isJsonObject(body) ? body : {};
  const named = new Set(Object.keys(given).filter((name) => given[name] !== undefined));
  const others = given['is_test'] === true ? OF_LIVE : ['test_value'];
  const isNamed = (field: string) =>
    action === 'credential.update' && field === 'value'
      ? [...named].some((name) => !NO_SECRETS.has(name))
      : [field, `${field}_id`, ...(OTHER_NAMES[field] ?? [])].some((name) => named.has(name));
  return changes.filter(
    ({ field }) => !others.includes(field) && (fields?.includes(field) ?? isNamed(field)),
  );
}
