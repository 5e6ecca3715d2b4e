import type { Knex } from 'knex';
import * as m01 from './20261121000100_create_settings.js';
import * as m02 from './20261121000200_create_tenants.js';
import * as m03 from './20261121000300_create_users.js';
import * as m04 from './20261121000400_create_teams.js';
import * as m05 from './20261121000500_create_memberships.js';
import * as m06 from './20261121000600_create_api_keys.js';
import * as m07 from './20261121000700_create_folders.js';
import * as m08 from './20261121000800_create_stories.js';
import * as m09 from './20261121000900_create_agents.js';
import * as m10 from './20261121001000_create_links.js';
import * as m11 from './20261121001100_create_story_runs.js';
import * as m12 from './20261121001200_create_events.js';
import * as m13 from './20261121001300_create_deliveries.js';
import * as m14 from './20261121001400_create_agent_logs.js';
import * as m15 from './20261121001500_create_agent_memory.js';
import * as m16 from './20261121001600_create_credentials.js';
import * as m17 from './20261121001700_create_resources.js';
import * as r01 from './20261121002000_create_record_types.js';
import * as r02 from './20261121002100_create_record_fields.js';
import * as r03 from './20261121002200_create_records.js';
import * as r04 from './20261121002300_create_record_values.js';
import * as r05 from './20261121002400_create_record_counts.js';
import * as r06 from './20261121002500_create_record_chores.js';
import * as r07 from './20261121002600_create_case_records.js';
import * as c01 from './20261121003000_create_cases.js';
import * as c02 from './20261121003100_create_case_assignees.js';
import * as c03 from './20261121003200_create_tags.js';
import * as c04 from './20261121003300_create_case_tags.js';
import * as c05 from './20261121003400_create_case_activities.js';
import * as c06 from './20261121003500_create_case_links.js';
import * as c07 from './20261121003600_create_case_actions.js';
import * as c08 from './20261121003700_create_case_subscribers.js';
import * as c09 from './20261121003800_create_case_notifications.js';
import * as t01 from './20261121004000_add_deactivated_at_to_users.js';
import * as t02 from './20261121004100_add_folder_to_resources.js';
import * as t03 from './20261121004200_add_description_to_resources.js';
import * as t04 from './20261121004300_add_description_to_credentials.js';
import * as t05 from './20261121004400_add_api_key_to_credentials.js';
import * as m50 from './20261121005000_create_audit_logs.js';
import * as a01 from './20261122000100_add_waits_and_calls_to_deliveries.js';
import * as a02 from './20261122000200_create_story_calls.js';
import * as a03 from './20261122000300_create_implode_items.js';
import * as a04 from './20261122000400_create_deduplicated_values.js';
import * as a05 from './20261122000500_create_prompts.js';
import * as a06 from './20261122000600_create_schedules.js';
import * as l01 from './20261122010000_widen_audit_logs.js';
import * as v01 from './20261122020000_widen_index_of_story_runs.js';
import * as v02 from './20261122020100_widen_indexes_of_events.js';
import * as v03 from './20261122020200_widen_indexes_of_agent_logs.js';
import * as k01 from './20261122030000_add_run_index_to_prompts.js';
import * as s01 from './20261125010000_add_allowed_hosts_to_credentials.js';
import * as b01 from './20261125030000_add_status_to_audit_logs.js';
import * as o01 from './20261125060000_add_acting_user_to_case_activities.js';
import * as o02 from './20261125060100_add_author_set_by_to_cases.js';
import * as q01 from './20261125070000_create_tenant_quotas.js';
import * as q02 from './20261125070100_create_tenant_usage.js';
import * as q03 from './20261125070200_create_tenant_mail_settings.js';
import * as e01 from './20261125080000_drop_ended_at_from_story_runs.js';
import * as mp1 from './20261125090000_add_mail_progress_to_deliveries.js';
import * as sl1 from './20261126000000_add_locks_to_stories.js';
import * as st1 from './20261126002000_add_settings_to_stories.js';
import * as st2 from './20261126002100_create_story_owners.js';
import * as st3 from './20261126002200_create_story_failure_notices.js';
import * as sn1 from './20261126003000_create_story_notes.js';
import * as em1 from './20261126004000_create_event_marks.js';
import * as em2 from './20261126004100_create_agent_removals.js';
import * as ve1 from './20261126005000_create_story_versions.js';
import * as ve2 from './20261126005100_create_story_version_parts.js';
import * as ve3 from './20261126005200_add_drafts_to_stories.js';
import * as ve4 from './20261126005300_create_change_requests.js';
import * as se1 from './20261126006000_share_resources.js';
import * as se2 from './20261126006100_create_team_shares.js';
import * as se3 from './20261126006200_add_modes_to_credentials.js';
import * as se4 from './20261126006300_create_credential_tokens.js';
import * as nf1 from './20261126009500_nest_folders.js';
import * as hc1 from './20261126010000_create_counting_positions.js';
import * as hc2 from './20261126010100_create_story_counts.js';
import * as hc3 from './20261126010200_create_agent_counts.js';
import * as hc4 from './20261126010300_create_duration_counts.js';
import * as hc5 from './20261126010400_create_uncounted_ends.js';
import * as wa1 from './20261126011000_create_action_watches.js';
import * as wa2 from './20261126011100_create_story_watch_notices.js';
import * as tg1 from './20261126020000_add_colors_to_tags.js';
import * as tg2 from './20261126020100_list_tags_of_stories.js';
import * as at1 from './20261126020200_create_action_templates.js';
import * as tv1 from './20261126020300_add_test_values_to_credentials.js';
import * as vf1 from './20261126029000_index_values_by_folder.js';
import * as rv1 from './20261126029100_create_run_values.js';
import * as nt1 from './20261126031000_create_notices.js';
import * as nt2 from './20261126031100_create_story_recipient_secrets.js';
import * as nt3 from './20261126031200_index_silent_action_watches.js';
import * as nt4 from './20261126031300_create_team_digests.js';
import * as ar1 from './20261126032000_create_archived_runs.js';
import * as ar2 from './20261126032100_create_archive_waits.js';
import * as ar3 from './20261126032200_create_archive_progress.js';
import * as mt1 from './20261126032300_move_tenants.js';
import * as cl1 from './20261126040000_add_claims.js';
import * as cl2 from './20261126040100_create_team_holds.js';
import * as pe1 from './20261126060000_create_console_sessions.js';
import * as pe2 from './20261126060100_create_user_passwords.js';
import * as pe3 from './20261126060200_create_login_links.js';
import * as pe4 from './20261126060300_index_users_by_email.js';
import * as pe5 from './20261126060400_add_session_to_audit_logs.js';
import * as wm1 from './20261126070000_add_work_to_events.js';
import * as wm2 from './20261126070100_add_reason_to_audit_logs.js';
import * as qs1 from './20261126070200_add_last_run_to_schedules.js';
import * as sr1 from './20261126070300_add_request_to_events.js';
import * as sr2 from './20261126070400_add_request_to_agent_logs.js';
import * as sm1 from './20261126080000_create_story_minutes.js';
import * as sm2 from './20261126080100_add_work_to_agent_counts.js';
import * as db1 from './20261128010000_create_draft_bases.js';
import * as db2 from './20261128010100_add_live_to_approvals.js';
import * as ca1 from './20261128040000_add_text_to_case_actions.js';
import * as ik1 from './20261128050000_create_idempotency_keys.js';
import * as ss1 from './20261129030000_add_skips_to_schedules.js';
import * as rc1 from './20261129100000_add_reconnect_to_credentials.js';
import * as sk1 from './20261129100100_add_skip_told_to_schedules.js';

/** One step of the schema; MySQL commits each DDL statement by itself, so a step is one statement. */
export interface Migration {
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

/** Every migration by id, oldest first. A list, not a folder scan: .ts in tests and .js in dist are the same. */
export const MIGRATIONS: Record<string, Migration> = {
  '20261121000100_create_settings': m01,
  '20261121000200_create_tenants': m02,
  '20261121000300_create_users': m03,
  '20261121000400_create_teams': m04,
  '20261121000500_create_memberships': m05,
  '20261121000600_create_api_keys': m06,
  '20261121000700_create_folders': m07,
  '20261121000800_create_stories': m08,
  '20261121000900_create_agents': m09,
  '20261121001000_create_links': m10,
  '20261121001100_create_story_runs': m11,
  '20261121001200_create_events': m12,
  '20261121001300_create_deliveries': m13,
  '20261121001400_create_agent_logs': m14,
  '20261121001500_create_agent_memory': m15,
  '20261121001600_create_credentials': m16,
  '20261121001700_create_resources': m17,
  '20261121002000_create_record_types': r01,
  '20261121002100_create_record_fields': r02,
  '20261121002200_create_records': r03,
  '20261121002300_create_record_values': r04,
  '20261121002400_create_record_counts': r05,
  '20261121002500_create_record_chores': r06,
  '20261121002600_create_case_records': r07,
  '20261121003000_create_cases': c01,
  '20261121003100_create_case_assignees': c02,
  '20261121003200_create_tags': c03,
  '20261121003300_create_case_tags': c04,
  '20261121003400_create_case_activities': c05,
  '20261121003500_create_case_links': c06,
  '20261121003600_create_case_actions': c07,
  '20261121003700_create_case_subscribers': c08,
  '20261121003800_create_case_notifications': c09,
  '20261121004000_add_deactivated_at_to_users': t01,
  '20261121004100_add_folder_to_resources': t02,
  '20261121004200_add_description_to_resources': t03,
  '20261121004300_add_description_to_credentials': t04,
  '20261121004400_add_api_key_to_credentials': t05,
  '20261121005000_create_audit_logs': m50,
  '20261122000100_add_waits_and_calls_to_deliveries': a01,
  '20261122000200_create_story_calls': a02,
  '20261122000300_create_implode_items': a03,
  '20261122000400_create_deduplicated_values': a04,
  '20261122000500_create_prompts': a05,
  '20261122000600_create_schedules': a06,
  '20261122010000_widen_audit_logs': l01,
  '20261122020000_widen_index_of_story_runs': v01,
  '20261122020100_widen_indexes_of_events': v02,
  '20261122020200_widen_indexes_of_agent_logs': v03,
  '20261122030000_add_run_index_to_prompts': k01,
  '20261125010000_add_allowed_hosts_to_credentials': s01,
  '20261125030000_add_status_to_audit_logs': b01,
  '20261125060000_add_acting_user_to_case_activities': o01,
  '20261125060100_add_author_set_by_to_cases': o02,
  '20261125070000_create_tenant_quotas': q01,
  '20261125070100_create_tenant_usage': q02,
  '20261125070200_create_tenant_mail_settings': q03,
  '20261125080000_drop_ended_at_from_story_runs': e01,
  '20261125090000_add_mail_progress_to_deliveries': mp1,
  '20261126000000_add_locks_to_stories': sl1,
  '20261126002000_add_settings_to_stories': st1,
  '20261126002100_create_story_owners': st2,
  '20261126002200_create_story_failure_notices': st3,
  '20261126003000_create_story_notes': sn1,
  '20261126004000_create_event_marks': em1,
  '20261126004100_create_agent_removals': em2,
  '20261126005000_create_story_versions': ve1,
  '20261126005100_create_story_version_parts': ve2,
  '20261126005200_add_drafts_to_stories': ve3,
  '20261126005300_create_change_requests': ve4,
  '20261126006000_share_resources': se1,
  '20261126006100_create_team_shares': se2,
  '20261126006200_add_modes_to_credentials': se3,
  '20261126006300_create_credential_tokens': se4,
  '20261126009500_nest_folders': nf1,
  '20261126010000_create_counting_positions': hc1,
  '20261126010100_create_story_counts': hc2,
  '20261126010200_create_agent_counts': hc3,
  '20261126010300_create_duration_counts': hc4,
  '20261126010400_create_uncounted_ends': hc5,
  '20261126011000_create_action_watches': wa1,
  '20261126011100_create_story_watch_notices': wa2,
  '20261126020000_add_colors_to_tags': tg1,
  '20261126020100_list_tags_of_stories': tg2,
  '20261126020200_create_action_templates': at1,
  '20261126020300_add_test_values_to_credentials': tv1,
  '20261126029000_index_values_by_folder': vf1,
  '20261126029100_create_run_values': rv1,
  '20261126031000_create_notices': nt1,
  '20261126031100_create_story_recipient_secrets': nt2,
  '20261126031200_index_silent_action_watches': nt3,
  '20261126031300_create_team_digests': nt4,
  '20261126032000_create_archived_runs': ar1,
  '20261126032100_create_archive_waits': ar2,
  '20261126032200_create_archive_progress': ar3,
  '20261126032300_move_tenants': mt1,
  '20261126040000_add_claims': cl1,
  '20261126040100_create_team_holds': cl2,
  '20261126060000_create_console_sessions': pe1,
  '20261126060100_create_user_passwords': pe2,
  '20261126060200_create_login_links': pe3,
  '20261126060300_index_users_by_email': pe4,
  '20261126060400_add_session_to_audit_logs': pe5,
  '20261126070000_add_work_to_events': wm1,
  '20261126070100_add_reason_to_audit_logs': wm2,
  '20261126070200_add_last_run_to_schedules': qs1,
  '20261126070300_add_request_to_events': sr1,
  '20261126070400_add_request_to_agent_logs': sr2,
  '20261126080000_create_story_minutes': sm1,
  '20261126080100_add_work_to_agent_counts': sm2,
  '20261128010000_create_draft_bases': db1,
  '20261128010100_add_live_to_approvals': db2,
  '20261128040000_add_text_to_case_actions': ca1,
  '20261128050000_create_idempotency_keys': ik1,
  '20261129030000_add_skips_to_schedules': ss1,
  '20261129100000_add_reconnect_to_credentials': rc1,
  '20261129100100_add_skip_told_to_schedules': sk1,
};
