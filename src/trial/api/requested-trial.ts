import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { RequestedAction } from '../story/story-trial.js';

/** A trial as it is asked for. */
export interface RequestedStoryTrial {
  /** A stored story. */
  storyId: number | undefined;
  /** A draft. */
  draftId: number | undefined;
  /** An export, as JSON text. */
  story: { text: string; actions: readonly JsonValue[] } | undefined;
  /** The team of an export. */
  teamId: number | undefined;
  runGuid: string | undefined;
  event: JsonObject | undefined;
  eventId: number | undefined;
  action: RequestedAction | undefined;
  /** JSON of the rules that answer requests. */
  rules: string;
  /** Whether requests without a rule are really sent. */
  sends: boolean;
}
