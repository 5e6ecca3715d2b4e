import type { Knex } from 'knex';

/** The teams that may use a resource, and its second value for drafts of stories. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('resources', 'read_access')) return;
  await knex.raw(
    'ALTER TABLE resources' +
      ' ADD COLUMN user_id BIGINT UNSIGNED NULL,' +
      " ADD COLUMN read_access VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'TEAM'," +
      ' ADD COLUMN test_enabled BOOLEAN NOT NULL DEFAULT FALSE,' +
      ' ADD COLUMN test_value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,' +
      ' ADD COLUMN test_created_at DATETIME(3) NULL,' +
      ' ADD COLUMN test_updated_at DATETIME(3) NULL,' +
      ' ADD KEY resources_access (team_id, read_access)',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('resources', 'read_access'))) return;
  await knex.raw(
    'ALTER TABLE resources DROP KEY resources_access, DROP COLUMN user_id, DROP COLUMN read_access,' +
      ' DROP COLUMN test_enabled, DROP COLUMN test_value, DROP COLUMN test_created_at,' +
      ' DROP COLUMN test_updated_at',
  );
}
