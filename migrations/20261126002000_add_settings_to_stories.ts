import type { Knex } from 'knex';

/** The keys of an export that the API shows and filters by. */
const FLAGS = ['monitor_failures', 'send_to_story_skill_use_requires_confirmation'];
const TEXTS = ['entry_agent_guid', 'send_to_story_access', 'send_to_story_access_source'];
const LISTS = [
  'api_entry_action_guids',
  'api_exit_action_guids',
  'exit_agent_guids',
  'recipients',
  'shared_team_slugs',
  'tags',
];
const MOST_ITEMS = 2_000;
const MOST_CHARACTERS = 255;
/** Half characters are no JSON text to every database. */
const WHOLE = /^\P{Cs}+$/u;
const PAGE = 50;

interface Row {
  id: number;
  extra: string;
}

/**
 * `settings` holds the part of `extra` that lists of stories show, as JSON text: `extra` may have megabytes.
 * `edited_at`: the last change of actions, links or notes; null: none since the story was made.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('stories', 'settings'))) {
    await knex.raw(
      'ALTER TABLE stories ADD COLUMN edited_at DATETIME(3) NULL,' +
        ' ADD COLUMN settings MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
    );
  }
  for (let last = 0; ; ) {
    const rows = (await knex('stories')
      .select('id', 'extra')
      .where('id', '>', last)
      .whereNull('settings')
      .orderBy('id')
      .limit(PAGE)) as Row[];
    if (rows.length > 0) await fill(knex, rows);
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.id ?? last;
  }
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('stories', 'settings'))) return;
  await knex.raw('ALTER TABLE stories DROP COLUMN settings, DROP COLUMN edited_at');
}

async function fill(knex: Knex, rows: Row[]): Promise<void> {
  const cases = rows.map(() => 'WHEN ? THEN ?').join(' ');
  const values = rows.flatMap(({ id, extra }) => [id, JSON.stringify(settingsIn(extra))]);
  await knex.raw(
    `UPDATE stories SET edited_at = COALESCE(edited_at, updated_at), settings = CASE id ${cases} END
     WHERE id IN (${rows.map(() => '?').join(', ')}) AND settings IS NULL`,
    [...values, ...rows.map(({ id }) => id)],
  );
}

function settingsIn(text: string): Record<string, unknown> {
  const extra = JSON.parse(text) as Record<string, unknown>;
  const enabled = extra['send_to_story_enabled'];
  const exits = Array.isArray(extra['exit_agent_guids']) ? extra['exit_agent_guids'] : [];
  const chosen = { ...extra, exit_agent_guids: exits.length > 0 ? exits : [extra['exit_agent_guid']] };
  return {
    send_to_story_enabled: enabled !== false,
    ...pick(chosen, FLAGS, (value) => (typeof value === 'boolean' ? value : undefined)),
    ...pick(chosen, TEXTS, (value) => (isText(value) ? value : undefined)),
    ...pick(chosen, LISTS, (value) =>
      Array.isArray(value) ? value.filter(isText).slice(0, MOST_ITEMS) : undefined,
    ),
  };
}

function pick(from: Record<string, unknown>, keys: string[], read: (value: unknown) => unknown) {
  return Object.fromEntries(
    keys.map((key) => [key, read(from[key])]).filter(([, value]) => value !== undefined),
  ) as Record<string, unknown>;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_CHARACTERS && WHOLE.test(value);
}
