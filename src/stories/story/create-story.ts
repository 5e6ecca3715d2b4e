import type { JsonObject } from '../../platform/json.js';
import type { StoryExport } from '../export/export-form.js';
import { NEWEST_SCHEMA_VERSION } from '../import/plan/language.js';
import { type ImportedStory, importStory, type StoryImportDeps } from '../import/story-import.js';
import type { StoryHome } from './story-write-store.js';

/** The name of a story that is made without one. */
export const DEFAULT_NAME = 'Untitled story';

/** A story to be made without actions; undefined fields get their defaults. */
export interface NewStory {
  name?: string | undefined;
  description?: string | null | undefined;
  keepEventsForSeconds?: number | undefined;
  disabled?: boolean | undefined;
  priority?: boolean | undefined;
  tags?: string[] | undefined;
}

/** Makes a story without actions, as an import of an empty export would. @throws QuotaReached */
export async function createStory(
  story: NewStory,
  home: StoryHome,
  deps: StoryImportDeps,
): Promise<ImportedStory['story']> {
  const data = emptyExport(story);
  const request = {
    newName: data.name,
    data,
    teamId: home.teamId,
    folderId: home.folderId,
    mode: 'new' as const,
  };
  return (await importStory({ request, templateFaults: [] }, home, deps)).story;
}

function emptyExport(story: NewStory): StoryExport {
  const given: JsonObject = {
    ...(typeof story.description === 'string' && { description: story.description }),
    ...(story.keepEventsForSeconds !== undefined && { keep_events_for: story.keepEventsForSeconds }),
    ...(story.disabled !== undefined && { disabled: story.disabled }),
    ...(story.priority !== undefined && { priority: story.priority }),
  };
  return {
    schema_version: NEWEST_SCHEMA_VERSION,
    name: story.name ?? DEFAULT_NAME,
    ...given,
    agents: [],
    links: [],
    diagram_notes: [],
    diagram_layout: '{}',
    send_to_story_enabled: false,
    entry_agent_guid: null,
    exit_agent_guids: [],
    api_entry_action_guids: [],
    api_exit_action_guids: [],
    send_to_stories: [],
    tags: story.tags ?? [],
    recipients: [],
    monitor_failures: false,
  };
}
