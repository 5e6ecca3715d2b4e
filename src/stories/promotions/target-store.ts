import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';

/** A name and its slug, by which templates find a thing. */
export interface NamedThing {
  name: string;
  slug: string;
}

/** Returns these teams, lowest ids first. */
export function findTeamNames(
  ids: readonly number[],
  session: Session,
): Promise<{ id: number; name: string }[]> {
  return session.rows('SELECT id, name FROM teams WHERE id IN (?) ORDER BY id', [idsOrNone(ids)]);
}

export async function findTenantName(id: number, session: Session): Promise<string> {
  const [tenant] = await session.rows<{ name: string }>('SELECT name FROM tenants WHERE id = ?', [id]);
  return tenant?.name ?? '';
}

const OTHERS = { credential: ' AND x.live_credential_id IS NULL', resource: '' };

/** Returns the names of the credentials or resources that stories of the team may use: its own, and shared ones. */
export function findUsableNames(
  kind: 'credential' | 'resource',
  { tenantId, teamId }: { tenantId: number; teamId: number },
  session: Session,
): Promise<NamedThing[]> {
  return session.rows(
    `SELECT x.name, x.slug FROM ${kind}s x JOIN teams t ON t.id = x.team_id WHERE t.tenant_id = ?${OTHERS[kind]}
     AND (x.team_id = ? OR x.read_access = 'GLOBAL' OR (x.read_access = 'SPECIFIC_TEAMS' AND EXISTS
       (SELECT 1 FROM team_shares s WHERE s.item_id = x.id AND s.kind = ? AND s.team_id = ?)))`,
    [tenantId, teamId, kind, teamId],
  );
}

/** The webhook of an action. */
export interface StoredWebhook {
  storyId: number;
  action: string;
  path: string;
}

/** Returns the webhooks of these stories, in the order of their actions. */
export function findWebhookPaths(storyIds: readonly number[], session: Session): Promise<StoredWebhook[]> {
  return session.rows(
    `SELECT story_id AS storyId, name AS action, webhook_path AS path FROM agents
     WHERE story_id IN (?) AND webhook_path IS NOT NULL ORDER BY story_id, position, id`,
    [idsOrNone(storyIds)],
  );
}

/** Whether a run of the story is stored. */
export async function hasRuns(storyId: number, session: Session): Promise<boolean> {
  const rows = await session.rows('SELECT id FROM story_runs WHERE story_id = ? LIMIT 1', [storyId]);
  return rows.length > 0;
}
