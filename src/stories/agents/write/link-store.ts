import { insertRows } from '../../../platform/mysql/statements/insert-rows.js';
import type { Session } from '../../../platform/mysql/session.js';

/** The end of a link that is not the agent itself. */
export type LinkSide = 'source' | 'receiver';

/** A stored link of an agent. */
export interface StoredLink {
  id: number;
  /** The agent at the other end. */
  otherId: number;
  linkType: string | null;
}

/** A link to be stored. */
export interface NewAgentLink {
  sourceId: number;
  receiverId: number;
  linkType: string | null;
}

const COLUMN = { source: 'source_agent_id', receiver: 'receiver_agent_id' } as const;

/** Returns the links of an agent whose other end is its source, or its receiver. */
export function findLinks(
  { storyId, agentId, side }: { storyId: number; agentId: number; side: LinkSide },
  session: Session,
): Promise<StoredLink[]> {
  const own = COLUMN[side === 'source' ? 'receiver' : 'source'];
  return session.rows(
    `SELECT id, ${COLUMN[side]} AS otherId, link_type AS linkType FROM links
     WHERE story_id = ? AND ${own} = ? ORDER BY position, id`,
    [storyId, agentId],
  );
}

/** Returns the number of the story's links, and the position of the next one. */
export async function measureLinks(
  storyId: number,
  session: Session,
): Promise<{ count: number; next: number }> {
  const [row] = await session.rows<{ count: number; next: number }>(
    'SELECT COUNT(*) AS count, COALESCE(MAX(position) + 1, 0) AS next FROM links WHERE story_id = ?',
    [storyId],
  );
  return row ?? { count: 0, next: 0 };
}

/** Appends links to the story's. `next` is the position of the first. */
export async function insertLinks(
  { storyId, next, links }: { storyId: number; next: number; links: NewAgentLink[] },
  session: Session,
): Promise<void> {
  if (links.length === 0) return;
  await insertRows(session, {
    table: 'links',
    columns: 'story_id position source_agent_id receiver_agent_id link_type extra'.split(' '),
    rows: links.map((link, index) => [
      storyId,
      next + index,
      link.sourceId,
      link.receiverId,
      link.linkType,
      '{}',
    ]),
    sizeOf: () => 100,
  });
}

/** Deletes the story's links with these ids. */
export async function deleteLinks(storyId: number, ids: number[], session: Session): Promise<void> {
  if (ids.length === 0) return;
  await session.run('DELETE FROM links WHERE story_id = ? AND id IN (?)', [storyId, ids]);
}

/** Deletes every link from and to an agent. */
export async function deleteAgentLinks(storyId: number, agentId: number, session: Session): Promise<void> {
  await session.run(
    'DELETE FROM links WHERE story_id = ? AND (source_agent_id = ? OR receiver_agent_id = ?)',
    [storyId, agentId, agentId],
  );
}
