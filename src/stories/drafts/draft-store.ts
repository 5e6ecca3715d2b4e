import { stringifyJson } from '../../platform/json/exact-number.js';
import type { JsonObject } from '../../platform/json.js';
import { type Page, readPage, type Window } from '../../platform/mysql/page-query.js';
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
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS =
  'id, draft_name AS name, draft_of AS storyId, team_id AS teamId, user_id AS userId, guid, version,' +
  ' created_at AS createdAt, updated_at AS updatedAt';

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

/** Returns the ids of the story's drafts, ascending. */
export async function findDraftIds(storyId: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>('SELECT id FROM stories WHERE draft_of = ? ORDER BY id', [
    storyId,
  ]);
  return rows.map(({ id }) => id);
}

/** Replaces the export's keys without a column of an action. */
export async function setAgentExtra(id: number, extra: JsonObject, session: Session): Promise<void> {
  await session.run('UPDATE agents SET extra = ? WHERE id = ?', [stringifyJson(extra), id]);
}

/** Sets the draft's own name. */
export async function renameDraft(id: number, name: string, session: Session): Promise<void> {
  await session.run('UPDATE stories SET draft_name = ?, updated_at = NOW(3) WHERE id = ?', [name, id]);
}
