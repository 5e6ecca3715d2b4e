import type { AuditEntry } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';

type Change = NonNullable<AuditEntry['changes']>[number];

/** Fields whose names in the API say less than these words. */
const WORDS: Readonly<Record<string, string>> = {
  api_entry_action_ids: 'webhooks that respond with the result',
  api_exit_action_ids: 'actions of the result',
  change_control_enabled: 'change control',
  entry_action_id: 'entry action',
  exit_action_ids: 'exit actions',
  is_owner: 'owner of the tenant',
  keep_events_for: 'keep events for (seconds)',
  monitor_failures: 'failure notices',
  read_access: 'shared with',
  send_to_story_access: 'callable by',
  send_to_story_enabled: 'callable by other stories',
  shared_team_slugs: 'teams that may call it',
  synchronous_webhooks_enabled: 'webhooks respond with the result',
  test_enabled: 'has a test value',
  ttl_days: 'keep records for (days)',
};

const MOST_IN_A_ROW = 2;

/** Returns the name of a field in words. */
export const fieldWords = (field: string): string => WORDS[field] ?? field.replaceAll('_', ' ');

/** Returns a value in words; a dash for none. */
export function valueWords(value: Change['before']): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return isolated(String(value));
}

/** Returns the first changed fields in one line: `priority: no → yes, runbook`. */
export function changesLine(changes: AuditEntry['changes']): string {
  if (changes === null || changes.length === 0) return '';
  const shown = changes
    .slice(0, MOST_IN_A_ROW)
    .map(({ field, before, after, hidden }) =>
      hidden ? fieldWords(field) : `${fieldWords(field)}: ${valueWords(before)} → ${valueWords(after)}`,
    );
  const rest = changes.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
