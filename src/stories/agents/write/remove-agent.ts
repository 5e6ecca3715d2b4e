import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { mergedObjects } from '../../../platform/json/ordered-object.js';
import type { Session } from '../../../platform/mysql/session.js';
import { type AgentRecord, deleteAgent } from '../agent-store.js';
import { isGuidKey } from '../../import/plan/guid-map.js';
import { writeAgentSchedules } from '../../schedules/schedule-sync.js';
import { findExtra, updateStory } from '../../edit/story-change-store.js';
import { withPositions } from './layout.js';
import { deleteAgentLinks } from './link-store.js';

/**
 * Removes an agent with its links, schedules and memory from a story that is locked. A delivery that waits for it
 * becomes a dead letter, as after an import that removed the agent.
 */
export async function removeAgent(agent: AgentRecord, session: Session): Promise<void> {
  const { id, storyId, guid } = agent;
  await deleteAgentLinks(storyId, id, session);
  await writeAgentSchedules(agent, null, session);
  await deleteAgent(id, session);
  const extra = await findExtra(storyId, session);
  const rest = withoutAgents(extra, new Set([guid]));
  if (rest !== extra) await updateStory(storyId, { extra: rest }, session);
}

/** Returns a story's keys without a column, without the places and inputs of these agents and without them as entry or exit. */
export function withoutAgents(extra: JsonObject, guids: ReadonlySet<string>): JsonObject {
  if (guids.size === 0) return extra;
  const isGone = (value: JsonValue) => typeof value === 'string' && guids.has(value);
  const changes: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(extra)) {
    if (!isGuidKey(key)) continue;
    if (isGone(value)) changes[key] = null;
    else if (Array.isArray(value) && value.some(isGone)) changes[key] = value.filter((each) => !isGone(each));
  }
  const { integrations } = extra;
  const isOfGone = (entry: JsonValue) => isJsonObject(entry) && isGone(entry.action_guid ?? null);
  if (Array.isArray(integrations) && integrations.some(isOfGone)) {
    changes.integrations = integrations.filter((entry) => !isOfGone(entry));
  }
  const gone = new Map([...guids].map((guid) => [guid, null]));
  const layout = withPositions(extra.diagram_layout, gone);
  if (layout !== undefined && layout !== extra.diagram_layout) changes.diagram_layout = layout;
  return Object.keys(changes).length === 0 ? extra : mergedObjects(extra, changes);
}
