import type { JsonValue } from '../../platform/json.js';
import type { Lineage } from '../../agents/face.js';

/** An event without its payload. */
export interface EventRecord {
  id: number;
  storyId: number;
  /** The owner of the story. */
  userId: number;
  teamId: number;
  storyRunGuid: string;
  agentId: number;
  /** Null: the action has been deleted. */
  agentName: string | null;
  lineage: Lineage;
  createdAt: Date;
  /** How long its action worked, in ms; null: unknown, or no action worked. */
  workMs: number | null;
  /** The draft that emitted it; null: a live story. */
  draftId: number | null;
}

/** An event as the API presents it. */
export interface EventView extends EventRecord {
  /** Its own output, or everything that a receiver sees; null if it was left out. */
  payload: JsonValue;
  /** Whether a part of the payload is missing: retention has deleted it, or it was too large for one response. */
  incomplete: boolean;
}
