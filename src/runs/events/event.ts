import type { JsonValue } from '../../platform/json.js';
import type { Lineage } from '../../engine/state/lineage.js';

/** An event without its payload. */
export interface EventRecord {
  id: number;
  storyId: number;
  teamId: number;
  storyRunGuid: string;
  agentId: number;
  /** Null: the action has been deleted. */
  agentName: string | null;
  lineage: Lineage;
  createdAt: Date;
}

/** An event as it is shown. */
export interface EventView extends EventRecord {
  /** Its own output, or everything a receiver sees; null where it was left out. */
  payload: JsonValue;
  /** Whether something of the payload is missing: retention has taken it, or it was too large for one answer. */
  incomplete: boolean;
}
