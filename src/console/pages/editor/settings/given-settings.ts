import type { ActiveStory, UpdateStoryBody } from '../../../../../clients/typescript/api.js';
import { isSame } from '../../../story-model/same-value.js';

/** How long events can be kept, in seconds, with words. */
export const KEEP_TIMES: readonly (readonly [NonNullable<UpdateStoryBody['keep_events_for']>, string])[] = [
  [3_600, '1 hour'],
  [21_600, '6 hours'],
  [86_400, '1 day'],
  [259_200, '3 days'],
  [604_800, '7 days'],
  [1_209_600, '14 days'],
  [2_592_000, '30 days'],
  [5_184_000, '60 days'],
  [7_776_000, '90 days'],
  [15_552_000, '180 days'],
  [31_536_000, '365 days'],
];

/** Who may call a story: nobody, or the stories of these teams. */
export type CallAccess = 'OFF' | 'TEAM' | 'GLOBAL' | 'SPECIFIC_TEAMS';

/** Returns who may call a story. */
export function accessOf({
  send_to_story_enabled: isOn,
  send_to_story_access: access,
}: ActiveStory): CallAccess {
  return isOn ? (access ?? 'TEAM') : 'OFF';
}

/** The settings of a form, by the names of the API. */
export type GivenSettings = Omit<UpdateStoryBody, 'draft_id'>;

/** Reads the settings of the form; `isDraft`: without those that belong to the live story. */
export function settingsIn(form: FormData, isDraft: boolean): GivenSettings {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  // As it is written: its lines may begin and end with spaces.
  const runbook = form.get('runbook');
  const numbers = (name: string) => form.getAll(name).map(Number);
  const one = (name: string) => (text(name) === '' ? null : Number(text(name)));
  const access = text('access') as CallAccess;
  const keep = KEEP_TIMES.find(([seconds]) => String(seconds) === text('keep'))?.[0];
  return {
    description: text('description'),
    runbook: runbook instanceof File ? '' : (runbook ?? ''),
    tags: listIn(text('tags'), /[,\n]/),
    ...(keep !== undefined && { keep_events_for: keep }),
    run_subject: text('run_subject') || null,
    tests_on_publish: policyIn(text('tests_on_publish')),
    monitor_failures: form.has('monitor_failures'),
    recipients: listIn(text('recipients'), /[\s,;]+/),
    synchronous_webhooks_enabled: form.has('synchronous'),
    api_entry_action_ids: numbers('api_entries'),
    api_exit_action_ids: numbers('api_exits'),
    entry_action_id: one('entry'),
    exit_action_ids: numbers('exits'),
    send_to_story_skill_use_requires_confirmation: form.has('skill_confirmation'),
    ...(access === 'OFF'
      ? { send_to_story_access_source: 'OFF' as const }
      : { send_to_story_access_source: 'STS' as const, send_to_story_access: access }),
    ...(access === 'SPECIFIC_TEAMS' && { shared_team_slugs: form.getAll('teams').map(String) }),
    ...(!isDraft && {
      name: text('name'),
      priority: form.has('priority'),
      disabled: !form.has('enabled'),
      locked: form.has('locked'),
      change_control_enabled: form.has('change_control'),
      folder_id: one('folder'),
      owner: ownerIn(text('owner')),
      ...(text('team') !== '' && { team_id: Number(text('team')) }),
    }),
  };
}

/** Returns those settings that differ from the story: what is not changed is not sent. */
export function changedSettings(story: ActiveStory, given: GivenSettings): GivenSettings {
  const before: Record<string, unknown> = {
    ...story,
    owner: story.owner && { type: story.owner.type, id: story.owner.id },
    entry_action_id: story.entry_agent_id,
    exit_action_ids: story.exit_agents,
    send_to_story_access_source: accessOf(story) === 'OFF' ? 'OFF' : 'STS',
    send_to_story_access: accessOf(story),
  };
  const changed = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isSame(inOrder(before[name]), inOrder(value))),
  ) as GivenSettings;
  // A folder belongs to a team: a story that moves leaves it.
  const { folder_id: _folder, ...moved } = changed;
  return changed.team_id === undefined ? changed : moved;
}

/** Returns a story with these settings, for a form that goes on with them. Its team stays that of the story. */
export function withSettings(story: ActiveStory, given: GivenSettings): ActiveStory {
  const {
    entry_action_id: entry = story.entry_agent_id,
    exit_action_ids: exits = story.exit_agents,
    send_to_story_access_source: source,
    owner,
    team_id: _team,
    ...others
  } = given;
  return {
    ...story,
    ...(others as Partial<ActiveStory>),
    ...(owner !== undefined && { owner: owner && { type: owner.type, id: owner.id, name: '' } }),
    ...(source !== undefined && { send_to_story_enabled: source !== 'OFF' }),
    entry_agent_id: entry,
    exit_agents: exits,
  };
}

/** Returns the owner that `USER 5` or `TEAM 2` names; null: nobody. */
function ownerIn(text: string): { type: 'USER' | 'TEAM'; id: number } | null {
  const [type, id] = text.split(' ');
  return type === 'USER' || type === 'TEAM' ? { type, id: Number(id) } : null;
}

function policyIn(text: string): 'warn' | 'block' | null {
  return text === 'warn' || text === 'block' ? text : null;
}

/** All lists of settings are sets. */
function inOrder(value: unknown): unknown {
  return Array.isArray(value) ? value.map(String).toSorted() : value;
}

function listIn(text: string, separator: RegExp): string[] {
  return [...new Set(text.split(separator).map((each) => each.trim()))].filter((each) => each !== '');
}
