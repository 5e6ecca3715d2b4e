import type { Session } from '../../platform/mysql/session.js';

/** Owner of a story: its tenant and team. */
export interface StoryOwner {
  tenantId: number;
  teamId: number;
  isDraft: boolean;
}

/** Returns whose these stories are, by id; deleted ones are missing. */
export async function findStoryPlaces(
  session: Session,
  ids: readonly number[],
): Promise<Map<number, StoryOwner>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<Omit<StoryOwner, 'isDraft'> & { id: number; isDraft: number }>(
    'SELECT id, tenant_id AS tenantId, team_id AS teamId, draft_of IS NOT NULL AS isDraft FROM stories WHERE id IN (?)',
    [[...ids]],
  );
  return new Map(
    rows.map(({ id, tenantId, teamId, isDraft }) => [id, { tenantId, teamId, isDraft: isDraft !== 0 }]),
  );
}
