import type { Knex } from 'knex';
import { hasIndex } from './has-index.js';

/** A person signs in with an address, without the name of a tenant. */
export async function up(knex: Knex): Promise<void> {
  if (await hasIndex(knex, 'users', 'users_address')) return;
  await knex.raw('ALTER TABLE users ADD KEY users_address (email)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users DROP KEY users_address');
}
