import { parseJson } from '../../../platform/json/parse-json.js';
import type { JsonObject } from '../../../platform/json.js';
import { readStorySettings } from '../../../stories/face.js';
import type { ToldStory } from './tell-story.js';

/** The columns of a story whose recipients are told, beside others. */
export interface ToldStoryRow {
  storyId: number;
  tenantId: number;
  teamId: number;
  storyName: string;
  /** JSON text. */
  settings: string;
}

/** Returns the story of a row. */
export function toldStory({ storyId, tenantId, teamId, storyName, settings }: ToldStoryRow): ToldStory {
  const { recipients } = readStorySettings(parseJson(settings) as JsonObject);
  return { id: storyId, tenantId, teamId, name: storyName, recipients };
}
