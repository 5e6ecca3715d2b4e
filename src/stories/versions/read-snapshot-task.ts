import { jsonLines } from '../../platform/json/json-lines.js';
import type { JsonObject } from '../../platform/json.js';
import { storyOfSnapshot } from './version-snapshot.js';

/** For `TASKS`: returns the `StoredStory` of a snapshot, in lines. */
export function linesOfSnapshot(text: string): string {
  return jsonLines(storyOfSnapshot(text) as unknown as JsonObject);
}
