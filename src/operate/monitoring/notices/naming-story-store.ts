import type { UnreportedCredential } from '../../../data/face.js';
import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import { MONITORED } from './failure-store.js';
import type { NotifiedStory } from './notify-story.js';
import { toNotifiedStory, type NotifiedStoryRow } from './notified-story.js';

/** Returns up to `limit` stories that may use a credential, no drafts, whose recipients are notified of failures. */
export async function findStoriesToTell(
  { id, tenantId, teamId, readAccess }: UnreportedCredential,
  limit: number,
  session: Session,
): Promise<NotifiedStory[]> {
  const rows = await session.rows<NotifiedStoryRow>(
    `SELECT s.id AS storyId, s.tenant_id AS tenantId, s.team_id AS teamId, s.name AS storyName, s.settings
     FROM teams t STRAIGHT_JOIN stories s ON s.team_id = t.id
     WHERE t.tenant_id = ? AND (t.id = ? OR ? = 'GLOBAL' OR (? = 'SPECIFIC_TEAMS' AND EXISTS (SELECT 1
         FROM team_shares h WHERE h.kind = 'credential' AND h.item_id = ? AND h.team_id = t.id)))
       AND s.draft_of IS NULL AND NOT s.disabled AND JSON_LENGTH(s.settings, '$.recipients') > 0
       AND EXISTS (SELECT 1 FROM agents a WHERE a.story_id = s.id AND ${MONITORED})
     ORDER BY s.id LIMIT ?`,
    [tenantId, teamId, readAccess, readAccess, id, limit],
  );
  return rows.map(toNotifiedStory);
}

/** Returns the names of these actions, by id. */
export async function findActionNames(
  ids: readonly number[],
  session: Session,
): Promise<{ id: number; name: string }[]> {
  return session.rows('SELECT id, name FROM agents WHERE id IN (?) ORDER BY id', [idsOrNone([...ids])]);
}
