import type { Session } from '../../platform/mysql/session.js';

/** `APPROVED` holds only while the draft and the live story are as they were approved. */
export type RequestStatus = 'PENDING' | 'APPROVED' | 'CANCELLED' | 'PROMOTED';

/** A request to publish a draft. */
export interface ChangeRequest {
  id: number;
  storyId: number;
  draftId: number;
  title: string;
  description: string | null;
  status: RequestStatus;
  /** The user who asked. */
  userId: number;
  approvedBy: number | null;
  /** The draft's version that was approved. */
  approvedVersion: number | null;
  /** The digest of the live story that it was approved for; null: an older server approved it. */
  approvedLive: string | null;
  promotedBy: number | null;
  /** Why it was promoted without an approval. */
  bypassReason: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Closed requests of a story that are kept. */
const KEPT = 200;
const OPEN = "status IN ('PENDING', 'APPROVED')";
const COLUMNS =
  'id, story_id AS storyId, draft_id AS draftId, title, description, status, user_id AS userId,' +
  ' approved_by AS approvedBy, approved_version AS approvedVersion, approved_live AS approvedLive, promoted_by AS promotedBy,' +
  ' bypass_reason AS bypassReason, created_at AS createdAt, updated_at AS updatedAt';

/** Returns the story's open request: that of the draft if one is given, else the newest. */
export async function findOpenRequest(
  { storyId, draftId }: { storyId: number; draftId?: number | undefined },
  session: Session,
): Promise<ChangeRequest | undefined> {
  const place = draftId === undefined ? '' : ' AND draft_id = ?';
  const [request] = await session.rows<ChangeRequest>(
    `SELECT ${COLUMNS} FROM change_requests WHERE story_id = ?${place} AND ${OPEN} ORDER BY id DESC LIMIT 1`,
    [storyId, ...(draftId === undefined ? [] : [draftId])],
  );
  return request;
}

/** Returns the story's request with this id, open or not; locks it if `lock` is set. */
export async function findChangeRequest(
  { storyId, id, lock = false }: { storyId: number; id: number; lock?: boolean },
  session: Session,
): Promise<ChangeRequest | undefined> {
  const [request] = await session.rows<ChangeRequest>(
    `SELECT ${COLUMNS} FROM change_requests WHERE id = ? AND story_id = ?${lock ? ' FOR UPDATE' : ''}`,
    [id, storyId],
  );
  return request;
}

/** Inserts a request, and deletes the oldest closed ones of the story beyond what is kept. Returns its id. */
export async function insertChangeRequest(
  request: Pick<ChangeRequest, 'storyId' | 'draftId' | 'title' | 'description' | 'userId'>,
  session: Session,
): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO change_requests (story_id, draft_id, title, description, user_id) VALUES (?, ?, ?, ?, ?)',
    [request.storyId, request.draftId, request.title, request.description, request.userId],
  );
  const old = await session.rows<{ id: number }>(
    `SELECT id FROM change_requests WHERE story_id = ? AND NOT (${OPEN}) ORDER BY id DESC LIMIT 1000 OFFSET ?`,
    [request.storyId, KEPT],
  );
  if (old.length > 0) {
    await session.run('DELETE FROM change_requests WHERE id IN (?)', [old.map(({ id }) => id)]);
  }
  return insertId;
}

/** Approves the draft's version, for the live story with this digest. */
export async function approveRequest(
  id: number,
  { userId, version, live }: { userId: number; version: number; live: string },
  session: Session,
): Promise<void> {
  await session.run(
    "UPDATE change_requests SET status = 'APPROVED', approved_by = ?, approved_version = ?, approved_live = ?, updated_at = NOW(3) WHERE id = ?",
    [userId, version, live, id],
  );
}

export async function cancelRequest(id: number, session: Session): Promise<void> {
  await session.run("UPDATE change_requests SET status = 'CANCELLED', updated_at = NOW(3) WHERE id = ?", [
    id,
  ]);
}

/** Closes the request. `bypassReason`: why there is no approval. */
export async function closeRequest(
  id: number,
  { userId, bypassReason }: { userId: number; bypassReason: string | null },
  session: Session,
): Promise<void> {
  await session.run(
    "UPDATE change_requests SET status = 'PROMOTED', promoted_by = ?, bypass_reason = ?, updated_at = NOW(3) WHERE id = ?",
    [userId, bypassReason, id],
  );
}

/** Deletes the requests of a deleted story, and cancels those that would publish it if it was a draft. */
export async function endStoryRequests(storyId: number, session: Session): Promise<void> {
  await session.run('DELETE FROM change_requests WHERE story_id = ?', [storyId]);
  await session.run(
    `UPDATE change_requests SET status = 'CANCELLED', updated_at = NOW(3) WHERE draft_id = ? AND ${OPEN}`,
    [storyId],
  );
}
