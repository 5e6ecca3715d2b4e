import type { Session } from '../../platform/mysql/session.js';

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
