import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';

/** The story of a webhook, as its list shows it. */
export interface WebhookStory {
  id: number;
  name: string;
  disabled: boolean;
}

/** Returns these stories, by id. */
export async function findCalledStories(
  session: Session,
  ids: readonly number[],
): Promise<Map<number, WebhookStory>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<{ id: number; name: string; disabled: number }>(
    'SELECT id, name, disabled FROM stories WHERE id IN (?)',
    [[...ids]],
  );
  return new Map(rows.map((row) => [row.id, { ...row, disabled: row.disabled !== 0 }]));
}

/** A webhook of a live story. */
export interface TeamWebhook {
  id: number;
  name: string;
  teamId: number;
  storyId: number;
  storyName: string;
}

/** Returns those of these webhooks that belong to live stories of the teams. */
export function findTeamWebhooks(
  session: Session,
  ids: readonly number[],
  { tenantId, teamIds }: { tenantId: number; teamIds: readonly number[] },
): Promise<TeamWebhook[]> {
  return session.rows<TeamWebhook>(
    `SELECT a.id, a.name, s.team_id AS teamId, s.id AS storyId, s.name AS storyName
     FROM agents a FORCE INDEX (PRIMARY) STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = a.story_id
     WHERE a.id IN (?) AND s.tenant_id = ? AND s.team_id IN (?) AND s.draft_of IS NULL`,
    [idsOrNone([...ids]), tenantId, idsOrNone([...teamIds])],
  );
}
