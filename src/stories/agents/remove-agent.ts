import type { JsonObject, JsonValue } from '../../platform/json.js';
import { merged } from '../../platform/json/ordered-object.js';
import type { Session } from '../../platform/mysql/session.js';
import { type AgentRecord, deleteAgent } from '../agent-store.js';
import { isGuidKey } from '../import/guid-map.js';
import { writeAgentSchedules } from '../schedules/schedule-sync.js';
import { findExtra, updateStory } from '../story-change-store.js';
import { withPositions } from './layout.js';
import { deleteLinksOf } from './link-store.js';

/**
 * Removes an agent with its links, schedules and memory from a story that is locked. A delivery that waits for it
 * becomes a dead letter, as after an import that removed the agent.
 */
export async function removeAgent(agent: AgentRecord, session: Session): Promise<void> {
  const { id, storyId, guid } = agent;
  await deleteLinksOf(storyId, id, session);
  await writeAgentSchedules(agent, null, session);
  await deleteAgent(id, session);
  const extra = await findExtra(storyId, session);
  const rest = withoutAgent(extra, guid);
  if (rest !== extra) await updateStory(storyId, { extra: rest }, session);
}

/** Returns a story's keys without a column, without the agent's place and without it as entry or exit. */
function withoutAgent(extra: JsonObject, guid: string): JsonObject {
  const changes: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(extra)) {
    if (!isGuidKey(key)) continue;
    if (value === guid) changes[key] = null;
    else if (Array.isArray(value) && value.includes(guid))
      changes[key] = value.filter((each) => each !== guid);
  }
  const layout = withPositions(extra.diagram_layout, new Map([[guid, null]]));
  if (layout !== undefined && layout !== extra.diagram_layout) changes.diagram_layout = layout;
  return Object.keys(changes).length === 0 ? extra : merged(extra, changes);
}
