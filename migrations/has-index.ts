import type { Knex } from 'knex';

/**
 * Whether the table has an index of this name. For steps that change indexes: MySQL has no IF EXISTS for them, and a step
 * whose process was killed before it was noted runs again.
 */
export async function hasIndex(knex: Knex, table: string, index: string): Promise<boolean> {
  const [rows] = await knex.raw<[unknown[]]>('SHOW INDEX FROM ?? WHERE Key_name = ?', [table, index]);
  return (rows ?? []).length > 0;
}
