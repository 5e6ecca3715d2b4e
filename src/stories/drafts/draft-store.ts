import { type Page, readPage, type Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';

/** A draft of a story: a story of its own, which would change that one. */
export interface DraftRecord {
  id: number;
  name: string;
  /** The story that it is a draft of. */
  storyId: number;
  teamId: number;
  userId: number;
  guid: string;
  /** Incremented by every change of the draft. */
  version: number;
  /** The version of the live story that it was made of or brought up to; null: it is not known. */
  baseVersion: number | null;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS =
  'id, draft_name AS name, draft_of AS storyId, team_id AS teamId, user_id AS userId, guid, version,' +
  ' created_at AS createdAt, updated_at AS updatedAt,' +
  ' (SELECT b.story_version FROM draft_bases b WHERE b.draft_id = stories.id AND b.position = 0) AS baseVersion';

/** Returns a page of the story's drafts, oldest first. */
export function listDrafts(storyId: number, window: Window, session: Session): Promise<Page<DraftRecord>> {
  const query = { columns: COLUMNS, from: 'stories', where: 'draft_of = ?', values: [storyId], order: 'id' };
  return readPage<DraftRecord>(session, query, window);
}

/** Returns the tenant's draft with this id. */
export async function findDraft(
  { id, tenantId }: { id: number; tenantId: number },
  session: Session,
): Promise<DraftRecord | undefined> {
  const [draft] = await session.rows<DraftRecord>(
    `SELECT ${COLUMNS} FROM stories WHERE id = ? AND tenant_id = ? AND draft_of IS NOT NULL`,
    [id, tenantId],
  );
  return draft;
}

/** Returns the story's drafts by name, oldest first. */
export function findDraftNames(
  storyId: number,
  session: Session,
): Promise<Pick<DraftRecord, 'id' | 'name'>[]> {
  return session.rows('SELECT id, draft_name AS name FROM stories WHERE draft_of = ? ORDER BY id', [storyId]);
}

/** Returns the ids of the story's drafts, ascending. */
export async function findDraftIds(storyId: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>('SELECT id FROM stories WHERE draft_of = ? ORDER BY id', [
    storyId,
  ]);
  return rows.map(({ id }) => id);
}

/** Returns the guids of the story's actions, in their order. */
export async function listAgentGuids(storyId: number, session: Session): Promise<string[]> {
  const rows = await session.rows<{ guid: string }>(
    'SELECT guid FROM agents WHERE story_id = ? ORDER BY position, id',
    [storyId],
  );
  return rows.map(({ guid }) => guid);
}

/** Deletes what the draft was made of. */
export async function deleteDraftBase(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM draft_bases WHERE draft_id = ?', [id]);
}

/** Sets the draft's own name. */
export async function renameDraft(id: number, name: string, session: Session): Promise<void> {
  await session.run('UPDATE stories SET draft_name = ?, updated_at = NOW(3) WHERE id = ?', [name, id]);
}
