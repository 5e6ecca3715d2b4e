import type { Knex } from 'knex';
import * as baseline from './20261126090000_baseline.js';
import * as draftBases from './20261128010000_create_draft_bases.js';
import * as approvals from './20261128010100_add_live_to_approvals.js';
import * as caseActions from './20261128040000_add_text_to_case_actions.js';
import * as idempotencyKeys from './20261128050000_create_idempotency_keys.js';
import * as skips from './20261129030000_add_skips_to_schedules.js';
import * as reconnect from './20261129100000_add_reconnect_to_credentials.js';
import * as skipTold from './20261129100100_add_skip_told_to_schedules.js';
import * as leases from './20261129180000_remove_leases_from_settings.js';
import * as attempts from './20261130010000_keep_failed_attempts.js';
import * as paused from './20261130023000_add_paused_to_schedules.js';
import * as inboxMarks from './20261201010000_create_inbox_marks.js';
import * as ownerAndChanges from './20261201020000_add_owner_and_audit_changes.js';
import * as canaries from './20261201030000_create_canaries.js';
import * as snoozeState from './20261201040000_add_snooze_state.js';
import * as inboxHistory from './20261202010000_create_inbox_history.js';
import * as wideDue from './20261202020000_widen_deliveries_due.js';
import * as endingKeys from './20261202030000_add_ending_to_api_keys.js';
import * as shadows from './20261203010000_create_shadows.js';
import * as teamRepositories from './20261203020000_create_team_repositories.js';
import * as troubledRepositories from './20261203060000_find_troubled_repositories.js';
import * as steps from './20261203030000_create_steps.js';
import * as testPolicies from './20261203040000_add_tests_on_publish_to_tenants.js';
import * as promotions from './20261203050000_create_promotions.js';
import * as stepLanguages from './20261203060100_add_language_to_steps.js';
import * as shadowRuns from './20261203061000_create_shadow_runs.js';
import * as repositoryRounds from './20261203062000_add_round_to_repositories.js';
import { BASELINE, FORMER } from './former.js';

/** One step of the schema. MySQL commits each DDL statement by itself, so a step that was killed must be able to run again. */
export interface Migration {
  up(knex: Knex): Promise<void>;
  /** The baseline has none: there is nothing before it. */
  down?(knex: Knex): Promise<void>;
}

/** Every migration by id, oldest first. A list, not a folder scan: .ts in tests and .js in dist are the same. */
export const MIGRATIONS: Record<string, Migration> = {
  [BASELINE]: baseline,
  '20261128010000_create_draft_bases': draftBases,
  '20261128010100_add_live_to_approvals': approvals,
  '20261128040000_add_text_to_case_actions': caseActions,
  '20261128050000_create_idempotency_keys': idempotencyKeys,
  '20261129030000_add_skips_to_schedules': skips,
  '20261129100000_add_reconnect_to_credentials': reconnect,
  '20261129100100_add_skip_told_to_schedules': skipTold,
  '20261129180000_remove_leases_from_settings': leases,
  '20261130010000_keep_failed_attempts': attempts,
  '20261130023000_add_paused_to_schedules': paused,
  '20261201010000_create_inbox_marks': inboxMarks,
  '20261201020000_add_owner_and_audit_changes': ownerAndChanges,
  '20261201030000_create_canaries': canaries,
  '20261201040000_add_snooze_state': snoozeState,
  '20261202010000_create_inbox_history': inboxHistory,
  '20261202020000_widen_deliveries_due': wideDue,
  '20261202030000_add_ending_to_api_keys': endingKeys,
  '20261203010000_create_shadows': shadows,
  '20261203020000_create_team_repositories': teamRepositories,
  '20261203030000_create_steps': steps,
  '20261203040000_add_tests_on_publish_to_tenants': testPolicies,
  '20261203050000_create_promotions': promotions,
  '20261203060000_find_troubled_repositories': troubledRepositories,
  '20261203060100_add_language_to_steps': stepLanguages,
  '20261203061000_create_shadow_runs': shadowRuns,
  '20261203062000_add_round_to_repositories': repositoryRounds,
};

/** Whether this version has the migration, or has it in the baseline; else a newer version made it. */
export const isKnownMigration = (id: string): boolean => Object.hasOwn(MIGRATIONS, id) || FORMER.includes(id);
