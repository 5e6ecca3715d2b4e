import { DEFINED_TABLES } from './defined-tables.js';
import type { TenantTable } from './tenant-table.js';
import { WORK_TABLES } from './work-tables.js';

/**
 * THE list of tables that belong to tenants, in the order in which they are imported: definitions come before work, so
 * that a worker that is early finds them.
 */
export const TENANT_TABLES: readonly TenantTable[] = [...DEFINED_TABLES, ...WORK_TABLES];

/** Tables that stay behind, with the reason. */
export const LEFT_BEHIND: Readonly<Record<string, string>> = {
  archive_progress: 'of the installation',
  archive_waits: 'of the installation',
  archived_runs: 'the target archives stored runs in its own archive',
  canaries: 'results that are kept for a month',
  canary_letters: 'a retry ends where it began',
  console_sessions: 'people sign in again',
  counting_positions: 'of the installation',
  credential_tokens: 'fetched again',
  idempotency_keys: 'remembered for a day, by digests that contain the id of the tenant',
  imported_rows: 'of the installation',
  inbox_history: 'kept for a month: keys contain ids of the old installation',
  inbox_marks: 'assigned again: keys contain ids of the old installation',
  leases: 'of the installation',
  login_links: 'people ask for new ones',
  migrations: 'of the installation',
  migrations_lock: 'of the installation',
  run_values: 'indexed again: digests contain the id of the tenant',
  settings: 'of the installation',
  shadow_differences: 'go with their shadow',
  shadow_runs: 'go with their shadow',
  shadows: 'results that are kept for a month',
  team_holds: 'made by whoever adds to a team',
};
