import { parseJson } from '../../platform/json/parse-json.js';
import type { JsonObject } from '../../platform/json.js';
import type { Session } from '../../platform/mysql/session.js';
import { pickSettings } from './story-settings.js';

/** An agent, as settings name it. */
interface AgentRef {
  id: number;
  storyId: number;
  guid: string;
}

const COLUMNS = 'id, story_id AS storyId, guid';

/** Returns the agents with these guids, of any story. */
export async function findAgentsByGuid(guids: string[], session: Session): Promise<AgentRef[]> {
  if (guids.length === 0) return [];
  return session.rows<AgentRef>(`SELECT ${COLUMNS} FROM agents WHERE guid IN (?)`, [[...new Set(guids)]]);
}

/** Returns those of these agents that belong to the story. */
export async function findAgentsOfStory(
  storyId: number,
  ids: number[],
  session: Session,
): Promise<AgentRef[]> {
  if (ids.length === 0) return [];
  return session.rows<AgentRef>(`SELECT ${COLUMNS} FROM agents WHERE id IN (?) AND story_id = ?`, [
    ids,
    storyId,
  ]);
}

/** Returns the settings of these stories from their export keys, for rows without the column, by story id. */
export async function findSettings(ids: number[], session: Session): Promise<Map<number, JsonObject>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<{ id: number; extra: string }>(
    'SELECT id, extra FROM stories WHERE id IN (?)',
    [ids],
  );
  return new Map(rows.map(({ id, extra }) => [id, pickSettings(parseJson(extra) as JsonObject)]));
}
