import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

const TABLES = ['resources', 'credentials'] as const;

/** A list of a folder reads that folder, instead of all resources or credentials of the tenant. */
export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    if (await hasIndex(knex, table, `${table}_folder`)) continue;
    await knex.raw('ALTER TABLE ?? ADD KEY ?? (folder_id)', [table, `${table}_folder`]);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    if (!(await hasIndex(knex, table, `${table}_folder`))) continue;
    await knex.raw('ALTER TABLE ?? DROP KEY ??', [table, `${table}_folder`]);
  }
}
