import type { StoryActivity } from '../../activity/story-activity-store.js';
import { slugOf } from '../../../platform/text/slug.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { StoryView } from '../../settings/story-view.js';
import type { StoryRecord } from '../story-store.js';

/** A story in a list (spec §3.1). A story without a description has an empty one. */
export function presentListedStory(story: Omit<StoryRecord, 'settings'>) {
  return {
    id: story.id,
    name: story.name,
    user_id: story.userId,
    created_at: timestamp(story.createdAt),
    updated_at: timestamp(story.updatedAt),
    description: story.description ?? '',
    guid: story.guid,
  };
}

/** A whole story (spec §3.1). */
export function presentStory(story: StoryView) {
  return {
    ...presentListedStory(story),
    slug: slugOf(story.name),
    keep_events_for: story.keepEventsForSeconds,
    disabled: story.disabled,
    priority: story.priority,
    team_id: story.teamId,
    folder_id: story.folderId,
    edited_at: timestamp(story.editedAt),
    mode: story.draftOf === null ? 'LIVE' : 'TEST',
    published: story.draftOf === null,
    locked: story.locked,
    change_control_enabled: story.changeControlEnabled,
    owners: story.owners,
    owner: story.owner ?? null,
    ...presentSettings(story),
  };
}

function presentSettings({ settings, ...story }: StoryView) {
  return {
    tags: settings.tags,
    send_to_story_enabled: settings.sendToStoryEnabled,
    send_to_story_access_source: settings.accessSource,
    send_to_story_access: settings.access ?? (settings.sendToStoryEnabled ? 'TEAM' : null),
    shared_team_slugs: settings.sharedTeamSlugs,
    send_to_story_skill_use_requires_confirmation: settings.needsConfirmation,
    entry_agent_id: story.entryId,
    exit_agents: story.exitIds,
    synchronous_webhooks_enabled: story.synchronousWebhooksEnabled,
    webhook_api_enabled: story.synchronousWebhooksEnabled,
    api_entry_action_id: story.apiEntryIds[0] ?? null,
    api_entry_action_ids: story.apiEntryIds,
    api_exit_action_ids: story.apiExitIds,
    recipients: settings.recipients,
    monitor_failures: settings.monitorFailures,
    runbook: settings.runbook,
    run_subject: settings.runSubject,
    tests_on_publish: settings.testsOnPublish,
    gallery_slug: settings.gallerySlug ?? null,
  };
}

/** Numbers of waiting and failed work of a story, and what starts it, for `include_live_activity`. Tokens are not counted here. */
export function presentStoryActivity(activity: StoryActivity) {
  return {
    pending_action_runs_count: activity.pendingActionRuns,
    concurrent_runs_count: activity.concurrentRuns,
    not_working_actions_count: activity.notWorkingActions,
    tokens_used_percentage: 0,
    starts_by: activity.startsBy,
  };
}

/** An imported story (spec §3.1); `warnings` is absent if there are none (spec §3.3). */
export function presentImportedStory({
  story,
  draftId,
  warnings,
}: {
  story: StoryView;
  draftId?: number | undefined;
  warnings: string[];
}) {
  const draft = draftId === undefined ? {} : { draft_id: draftId };
  return { ...presentStory(story), ...draft, ...(warnings.length > 0 && { warnings }) };
}
