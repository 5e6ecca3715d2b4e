import type { Knex } from 'knex';

/**
 * Steps: parts of stories that are kept to be used again, of a team or of the tenant (no team), with their versions. An action
 * that came from one says so in columns of its own, so that the uses of a step are found.
 */
const COLUMNS = [
  { name: 'step_guid', type: 'CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL' },
  { name: 'step_version', type: 'INT UNSIGNED NULL' },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS steps (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    guid CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    description TEXT NOT NULL,
    version INT UNSIGNED NOT NULL,
    action_count INT UNSIGNED NOT NULL,
    action_types TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    UNIQUE KEY steps_guid (guid),
    KEY steps_tenant (tenant_id, id),
    KEY steps_team (team_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS step_versions (
    step_id BIGINT UNSIGNED NOT NULL,
    number INT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    reason VARCHAR(500) NOT NULL,
    content MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (step_id, number)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  for (const { name, type } of COLUMNS) {
    if (await knex.schema.hasColumn('agents', name)) continue;
    await knex.raw(`ALTER TABLE agents ADD COLUMN ${name} ${type}`);
  }
  if (await hasIndex(knex)) return;
  await knex.raw('ALTER TABLE agents ADD KEY agents_step (step_guid, story_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS step_versions');
  await knex.raw('DROP TABLE IF EXISTS steps');
  if (await hasIndex(knex)) await knex.raw('ALTER TABLE agents DROP KEY agents_step');
  for (const { name } of COLUMNS) {
    if (!(await knex.schema.hasColumn('agents', name))) continue;
    await knex.raw(`ALTER TABLE agents DROP COLUMN ${name}`);
  }
}

async function hasIndex(knex: Knex): Promise<boolean> {
  const rows: unknown[] = await knex('information_schema.statistics')
    .where({ table_name: 'agents', index_name: 'agents_step' })
    .whereRaw('table_schema = DATABASE()')
    .select('index_name');
  return rows.length > 0;
}
