import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

/**
 * `live_credential_id`: the credential whose test value this is; null: none. `test_enabled`: whether drafts get the test
 * value.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('credentials', 'live_credential_id'))) {
    await knex.raw(
      'ALTER TABLE credentials ADD COLUMN live_credential_id BIGINT UNSIGNED NULL,' +
        ' ADD COLUMN test_enabled BOOLEAN NOT NULL DEFAULT FALSE',
    );
  }
  if (!(await hasIndex(knex, 'credentials', 'credentials_live'))) {
    await knex.raw('ALTER TABLE credentials ADD KEY credentials_live (live_credential_id)');
  }
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('credentials', 'live_credential_id'))) return;
  await knex.raw('DELETE FROM credentials WHERE live_credential_id IS NOT NULL');
  await knex.raw(
    'ALTER TABLE credentials DROP KEY credentials_live, DROP COLUMN live_credential_id, DROP COLUMN test_enabled',
  );
}
