import { parseJson } from '../../platform/json/parse-json.js';
import type { Session } from '../../platform/mysql/session.js';

/** The fields of a thing, by their names in the API. */
export interface AuditedState {
  /** Values that the audit log may keep. */
  shown: Readonly<Record<string, AuditedValue>>;
  /** Fingerprints of values that it must not keep: they may be secrets. */
  hidden: Readonly<Record<string, string>>;
}

/** A value that the audit log may keep. */
export type AuditedValue = string | number | boolean | null;

/** The SQL of each field; the table of the type is `x`. */
interface Watched {
  from: string;
  where?: string;
  tenant?: string;
  shown: Readonly<Record<string, string>>;
  hidden?: Readonly<Record<string, string>>;
}

/** Names the thing: a member is found by its team and its user. */
export interface AuditedThing {
  id: number;
  tenantId: number;
  teamId: number | undefined;
}

const sha = (sql: string) => `SHA2(COALESCE(${sql}, ''), 256)`;
const named = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, `x.${column}`]));
const TEAM = { team: '(SELECT n.name FROM teams n WHERE n.id = x.team_id)' };
const FOLDER = { folder: '(SELECT f.name FROM folders f WHERE f.id = x.folder_id)' };
const ofTeam = (table: string) => ({
  from: `${table} x JOIN teams t ON t.id = x.team_id`,
  tenant: 't.tenant_id',
});
const setting = (path: string) => `JSON_UNQUOTE(JSON_EXTRACT(x.settings, '$.${path}'))`;

const STORY: Watched = {
  from: 'stories x',
  shown: {
    ...named('name', 'keep_events_for', 'disabled', 'priority', 'locked', 'change_control_enabled'),
    ...named('synchronous_webhooks_enabled', 'draft_name'),
    ...TEAM,
    ...FOLDER,
    owner: `COALESCE((SELECT n.name FROM teams n WHERE n.id = x.owner_team_id),
      (SELECT COALESCE(NULLIF(TRIM(CONCAT(u.first_name, ' ', u.last_name)), ''), u.email)
       FROM users u WHERE u.id = x.owner_user_id))`,
    tags: setting('tags'),
    monitor_failures: setting('monitor_failures'),
    send_to_story_enabled: setting('send_to_story_enabled'),
    send_to_story_access: setting('send_to_story_access'),
    shared_team_slugs: setting('shared_team_slugs'),
  },
  hidden: {
    description: sha('x.description'),
    recipients: sha(setting('recipients')),
    runbook: sha(setting('runbook')),
    entry_action_id: sha(setting('entry_agent_guid')),
    exit_action_ids: sha(setting('exit_agent_guids')),
    api_entry_action_ids: sha(setting('api_entry_action_guids')),
    api_exit_action_ids: sha(setting('api_exit_action_guids')),
  },
};

const USER: Watched = {
  from: 'users x',
  shown: {
    ...named('email', 'first_name', 'last_name', 'is_owner'),
    active: 'x.deactivated_at IS NULL',
  },
};

/** THE list of what the audit log keeps of changes, by type. Options, values and texts of people are no part of it. */
const WATCHED: ReadonlyMap<string, Watched> = new Map([
  ['story', STORY],
  ['draft', { from: 'stories x', shown: named('draft_name') }],
  [
    'agent',
    {
      from: 'agents x JOIN stories s ON s.id = x.story_id',
      tenant: 's.tenant_id',
      shown: { ...named('name', 'disabled', 'keep_events_for'), draft_name: 's.draft_name' },
      hidden: { options: sha('x.options') },
    },
  ],
  [
    'schedule',
    {
      from: 'schedules x JOIN stories s ON s.id = x.story_id',
      tenant: 's.tenant_id',
      shown: { ...named('cron', 'timezone'), paused: 'x.paused_at IS NOT NULL' },
    },
  ],
  [
    'credential',
    {
      ...ofTeam('credentials'),
      shown: { ...named('name', 'mode', 'allowed_hosts', 'read_access', 'test_enabled'), ...TEAM, ...FOLDER },
      hidden: {
        description: sha('x.description'),
        value: sha('x.encrypted_value'),
        settings: sha('x.settings'),
        test_value: sha(
          `(SELECT CONCAT_WS(' ', v.encrypted_value, v.settings, v.allowed_hosts) FROM credentials v
            WHERE v.live_credential_id = x.id LIMIT 1)`,
        ),
      },
    },
  ],
  [
    'resource',
    {
      ...ofTeam('resources'),
      shown: { ...named('name', 'read_access', 'test_enabled'), ...TEAM, ...FOLDER },
      hidden: {
        description: sha('x.description'),
        value: sha('x.value'),
        test_value: sha('x.test_value'),
      },
    },
  ],
  ['folder', { ...ofTeam('folders'), shown: { ...named('name'), ...TEAM } }],
  ['tag', { ...ofTeam('tags'), shown: named('name', 'color') }],
  ['record_type', { from: 'record_types x', shown: { ...named('name', 'editable', 'ttl_days'), ...TEAM } }],
  ['team', { from: 'teams x', shown: named('name') }],
  ['user', USER],
  [
    'member',
    {
      from: 'memberships x JOIN teams t ON t.id = x.team_id',
      tenant: 't.tenant_id',
      where: 'x.user_id = ? AND x.team_id = ?',
      shown: { ...named('role'), ...TEAM },
    },
  ],
  [
    'template',
    { from: 'action_templates x', shown: named('name'), hidden: { agent_options: sha('x.agent_options') } },
  ],
]);

/** Whether the audit log keeps what changes of a type. */
export const isWatched = (type: string): boolean => WATCHED.has(type);

/** Returns the present fields of a thing; undefined if it is not there, or its type is not watched. */
export async function findAuditedState(
  type: string,
  { id, tenantId, teamId }: AuditedThing,
  session: Session,
): Promise<AuditedState | undefined> {
  const watched = WATCHED.get(type);
  if (watched === undefined) return undefined;
  const { from, where = 'x.id = ?', tenant = 'x.tenant_id', shown, hidden = {} } = watched;
  const columns = [...Object.entries(shown), ...Object.entries(hidden)];
  const [row] = await session.rows<Record<string, AuditedValue>>(
    `SELECT ${columns.map(([name, sql]) => `${sql} AS \`${name}\``).join(', ')} FROM ${from}
     WHERE ${where} AND ${tenant} = ?`,
    [id, ...(watched.where === undefined ? [] : [teamId ?? 0]), tenantId],
  );
  if (row === undefined) return undefined;
  return {
    shown: Object.fromEntries(Object.keys(shown).map((name) => [name, valueOf(name, row[name] ?? null)])),
    hidden: Object.fromEntries(Object.keys(hidden).map((name) => [name, String(row[name])])),
  };
}

/** Servers have 0 and 1 for columns, and texts for what stands in JSON. */
const FLAGS = new Set(
  `disabled priority locked change_control_enabled synchronous_webhooks_enabled monitor_failures
  send_to_story_enabled test_enabled is_owner active paused editable`.split(/\s+/),
);
const LISTS = new Set(['tags', 'shared_team_slugs']);

function valueOf(name: string, value: AuditedValue): AuditedValue {
  if (FLAGS.has(name)) return value === 1 || value === 'true';
  if (!LISTS.has(name) || typeof value !== 'string') return value;
  const list = parseJson(value);
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string').join(', ') : '';
}
