import type { StoryRecord } from './story-store.js';
import { timestamp } from '../platform/text/timestamp.js';

/** A story in a list (spec §3.1). A story without a description has an empty one. */
export function presentListedStory(story: StoryRecord) {
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

/** A single story: the fields of an import's response, and whether its webhooks may respond with the run's result. */
export function presentStory(story: StoryRecord) {
  return {
    ...presentImportedStory({ story, warnings: [] }),
    synchronous_webhooks_enabled: story.synchronousWebhooksEnabled,
  };
}

/** An imported story (spec §3.1); `warnings` is absent if there are none (spec §3.3). */
export function presentImportedStory({ story, warnings }: { story: StoryRecord; warnings: string[] }) {
  return {
    id: story.id,
    name: story.name,
    user_id: story.userId,
    description: story.description ?? '',
    created_at: timestamp(story.createdAt),
    updated_at: timestamp(story.updatedAt),
    keep_events_for: story.keepEventsForSeconds,
    disabled: story.disabled,
    priority: story.priority,
    guid: story.guid,
    team_id: story.teamId,
    folder_id: story.folderId,
    ...(warnings.length > 0 && { warnings }),
  };
}
