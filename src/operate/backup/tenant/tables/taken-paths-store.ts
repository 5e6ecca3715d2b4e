import type { Session } from '../../../../platform/mysql/session.js';

/** A webhook of this installation. */
export interface TakenPath {
  path: string;
  guid: string;
  story: string;
  tenantId: number;
}

/** Returns the webhooks of this installation that have one of these paths. */
export function findTakenPaths(session: Session, paths: readonly string[]): Promise<TakenPath[]> {
  return session.rows<TakenPath>(
    `SELECT a.webhook_path AS path, a.guid, s.name AS story, s.tenant_id AS tenantId
     FROM agents a JOIN stories s ON s.id = a.story_id WHERE a.webhook_path IN (?) ORDER BY a.webhook_path`,
    [[...paths]],
  );
}
