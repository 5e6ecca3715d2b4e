import type { JsonObject, JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import type { StorySettings } from './story-settings.js';

/** The settings to change; undefined ones stay. `entryGuid` null: none. */
export type SettingsChange = {
  [Key in keyof Omit<StorySettings, 'entryGuid' | 'gallerySlug'>]?: StorySettings[Key] | undefined;
} & { entryGuid?: string | null | undefined };

/** Returns the keys of the export with the change, in their places, so that export and engine have it. */
export function writeSettings(extra: JsonObject, change: SettingsChange): JsonObject {
  const keys: Record<string, JsonValue | undefined> = {
    send_to_story_enabled: change.sendToStoryEnabled,
    send_to_story_access_source: change.accessSource,
    send_to_story_access: change.access === null ? null : change.access?.toLowerCase(),
    shared_team_slugs: change.sharedTeamSlugs,
    send_to_story_skill_use_requires_confirmation: change.needsConfirmation,
    entry_agent_guid: change.entryGuid,
    exit_agent_guids: change.exitGuids,
    exit_agent_guid: Object.hasOwn(extra, 'exit_agent_guid') ? olderExit(change) : undefined,
    api_entry_action_guids: change.apiEntryGuids,
    api_exit_action_guids: change.apiExitGuids,
    tags: change.tags,
    recipients: change.recipients,
    monitor_failures: change.monitorFailures,
    runbook: change.runbook,
    run_subject: change.runSubject,
    tests_on_publish: change.testsOnPublish,
  };
  const given = Object.entries(keys).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return mergedObjects(extra, Object.fromEntries(given));
}

/** The older key of a single exit; the engine reads it if the list is empty. */
function olderExit({ exitGuids }: SettingsChange): string | null | undefined {
  return exitGuids === undefined ? undefined : (exitGuids[0] ?? null);
}
