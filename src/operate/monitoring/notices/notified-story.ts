import { parseJson } from '../../../platform/json/parse-json.js';
import type { JsonObject } from '../../../platform/json.js';
import { readStorySettings } from '../../../stories/face.js';
import type { NotifiedStory } from './notify-story.js';

/** The columns of a story with recipients, beside others. */
export interface NotifiedStoryRow {
  storyId: number;
  tenantId: number;
  teamId: number;
  storyName: string;
  /** JSON text. */
  settings: string;
}

/** Returns the story of a row. */
export function toNotifiedStory({
  storyId,
  tenantId,
  teamId,
  storyName,
  settings,
}: NotifiedStoryRow): NotifiedStory {
  const { recipients, runbook } = readStorySettings(parseJson(settings) as JsonObject);
  return { id: storyId, tenantId, teamId, name: storyName, recipients, runbook };
}
