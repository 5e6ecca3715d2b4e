import { insertRows } from '../../platform/mysql/statements/insert-rows.js';
import {
  readNewestRows,
  type WalkPage,
  type WalkWindow,
} from '../../platform/mysql/statements/newest-page.js';
import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { unpackSnapshot } from '../versions/version-snapshot.js';
import { packetParts } from '../versions/version-store.js';

export type PromotedState = 'new' | 'changed' | 'unchanged';

/** A promotion. `source` and `mapping` are JSON. */
export interface PromotionRecord {
  id: number;
  userId: number;
  userName: string | null;
  name: string;
  source: string;
  mapping: string;
  /** Why it overwrote changes; null: it did not. */
  reason: string | null;
  createdAt: Date;
  revertedAt: Date | null;
  revertedBy: number | null;
  revertReason: string | null;
}

/** A story of a promotion. */
export interface PromotionStoryRecord {
  id: number;
  promotionId: number;
  storyId: number;
  teamId: number;
  sourceGuid: string;
  name: string;
  state: PromotedState;
  /** The versions before and after; null: there is none. */
  versionBefore: number | null;
  versionAfter: number | null;
  /** Of the story's state after the promotion. */
  digestAfter: string;
}

/** Promotions that a tenant keeps; older ones stay while the next promotion of a story is compared with them. */
const KEPT = 100;

const COLUMNS =
  "p.id, p.user_id AS userId, NULLIF(TRIM(CONCAT_WS(' ', u.first_name, u.last_name)), '') AS userName, p.name, p.source," +
  ' p.mapping, p.reason, p.created_at AS createdAt, p.reverted_at AS revertedAt, p.reverted_by AS revertedBy,' +
  ' p.revert_reason AS revertReason';
const FROM = 'promotions p LEFT JOIN users u ON u.id = p.user_id';
const STORY_COLUMNS =
  's.id, s.promotion_id AS promotionId, s.story_id AS storyId, s.team_id AS teamId, s.source_guid AS sourceGuid, s.name,' +
  ' s.state, s.version_before AS versionBefore, s.version_after AS versionAfter, s.digest_after AS digestAfter';
/** Promotions into these teams alone. */
const OF_TEAMS =
  'p.tenant_id = ? AND NOT EXISTS (SELECT 1 FROM promotion_stories s WHERE s.promotion_id = p.id AND s.team_id NOT IN (?))';

/** Whose promotions are asked for: those into teams that the reader sees. */
export interface PromotionScope {
  tenantId: number;
  teamIds: readonly number[];
}

/** Returns a page of the promotions, newest first. */
export function listPromotions(
  { tenantId, teamIds }: PromotionScope,
  window: WalkWindow,
  session: Session,
): Promise<WalkPage<PromotionRecord>> {
  const values = [tenantId, idsOrNone(teamIds)];
  const query = { columns: COLUMNS, from: FROM, where: OF_TEAMS, values, order: { id: 'p.id' } };
  return readNewestRows<PromotionRecord>(session, { ...query, placeOf: ({ id }) => ({ id }) }, window);
}

/** Returns the promotion with this id. */
export async function findPromotion(
  id: number,
  { tenantId, teamIds }: PromotionScope,
  session: Session,
): Promise<PromotionRecord | undefined> {
  const [promotion] = await session.rows<PromotionRecord>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE p.id = ? AND ${OF_TEAMS}`,
    [id, tenantId, idsOrNone(teamIds)],
  );
  return promotion;
}

/** Returns the stories of these promotions, in the order of their bundles. */
export function findPromotionStories(
  promotionIds: readonly number[],
  session: Session,
): Promise<PromotionStoryRecord[]> {
  return session.rows(
    `SELECT ${STORY_COLUMNS} FROM promotion_stories s WHERE s.promotion_id IN (?) ORDER BY s.promotion_id, s.id`,
    [idsOrNone(promotionIds)],
  );
}

/** Returns the story of the team that came last from this story of a source; undefined: none is left. */
export async function findPromotedStory(
  { teamId, sourceGuid }: { teamId: number; sourceGuid: string },
  session: Session,
): Promise<number | undefined> {
  const [row] = await session.rows<{ storyId: number }>(
    `SELECT s.story_id AS storyId FROM promotion_stories s JOIN stories t ON t.id = s.story_id AND t.team_id = s.team_id
     WHERE s.team_id = ? AND s.source_guid = ? AND t.draft_of IS NULL ORDER BY s.id DESC LIMIT 1`,
    [teamId, sourceGuid],
  );
  return row?.storyId;
}

/** A story as it came with a promotion. */
export interface PromotedBase {
  name: string;
  /** The text of its snapshot. */
  text: string;
}

/** Returns the story as it came with its last promotion that stands; undefined: it is unknown. */
export async function readPromotedBase(storyId: number, session: Session): Promise<PromotedBase | undefined> {
  const [last] = await session.rows<{ id: number; name: string }>(
    `SELECT s.id, s.name FROM promotion_stories s JOIN promotions p ON p.id = s.promotion_id
     WHERE s.story_id = ? AND p.reverted_at IS NULL ORDER BY s.id DESC LIMIT 1`,
    [storyId],
  );
  if (last === undefined) return undefined;
  const parts = await session.rows<{ bytes: Buffer }>(
    'SELECT bytes FROM promotion_parts WHERE promotion_story_id = ? ORDER BY position',
    [last.id],
  );
  if (parts.length === 0) return undefined;
  return { name: last.name, text: await unpackSnapshot(Buffer.concat(parts.map(({ bytes }) => bytes))) };
}

/** Returns the ids of these stories that a later promotion, which stands, has. */
export async function findPromotedLater(
  { id, storyIds }: { id: number; storyIds: readonly number[] },
  session: Session,
): Promise<Set<number>> {
  const rows = await session.rows<{ storyId: number }>(
    `SELECT DISTINCT s.story_id AS storyId FROM promotion_stories s JOIN promotions p ON p.id = s.promotion_id
     WHERE s.story_id IN (?) AND p.id > ? AND p.reverted_at IS NULL`,
    [idsOrNone(storyIds), id],
  );
  return new Set(rows.map(({ storyId }) => storyId));
}

/** Values of a promotion to be written. */
export interface NewPromotion
  extends Pick<PromotionRecord, 'userId' | 'name' | 'source' | 'mapping' | 'reason'> {
  tenantId: number;
  stories: (Omit<PromotionStoryRecord, 'id' | 'promotionId'> & {
    /** The story as it came: `packSnapshot`. */
    packed: Buffer;
  })[];
}

/** Inserts a promotion with its stories, and deletes the oldest ones beyond what is kept. Returns its id. */
export async function insertPromotion(promotion: NewPromotion, session: Session): Promise<number> {
  const { tenantId, userId, name, source, mapping, reason } = promotion;
  const { insertId: id } = await session.run(
    'INSERT INTO promotions (tenant_id, user_id, name, source, mapping, reason) VALUES (?, ?, ?, ?, ?, ?)',
    [tenantId, userId, name, source, mapping, reason],
  );
  for (const { packed, ...story } of promotion.stories) {
    const { insertId } = await session.run(
      `INSERT INTO promotion_stories (promotion_id, story_id, team_id, source_guid, name, state, version_before,
         version_after, digest_after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        id,
        story.storyId,
        story.teamId,
        story.sourceGuid,
        story.name,
        story.state,
        story.versionBefore,
        story.versionAfter,
        story.digestAfter,
      ],
    );
    const parts = packetParts(packed);
    await insertRows(session, {
      table: 'promotion_parts',
      columns: ['promotion_story_id', 'position', 'bytes'],
      rows: parts.map((bytes, position) => [insertId, position, bytes]),
      sizeOf: (_row, index) => parts[index]?.length ?? 0,
    });
  }
  await prune(tenantId, session);
  return id;
}

/** A promotion stays while one of its stories has come with no later one. */
async function prune(tenantId: number, session: Session): Promise<void> {
  const old = await session.rows<{ id: number }>(
    `SELECT p.id FROM promotions p WHERE p.tenant_id = ? AND p.id <
       COALESCE((SELECT x.id FROM promotions x WHERE x.tenant_id = ? ORDER BY x.id DESC LIMIT 1 OFFSET ?), 0)
     AND NOT EXISTS (SELECT 1 FROM promotion_stories s JOIN stories t ON t.id = s.story_id WHERE s.promotion_id = p.id
       AND p.reverted_at IS NULL AND NOT EXISTS (SELECT 1 FROM promotion_stories y JOIN promotions q ON q.id = y.promotion_id
         WHERE y.story_id = s.story_id AND y.promotion_id > p.id AND q.reverted_at IS NULL))
     ORDER BY p.id LIMIT 100`,
    [tenantId, tenantId, KEPT - 1],
  );
  if (old.length === 0) return;
  const ids = [old.map(({ id }) => id)];
  await session.run(
    `DELETE x FROM promotion_stories s JOIN promotion_parts x ON x.promotion_story_id = s.id WHERE s.promotion_id IN (?)`,
    ids,
  );
  await session.run('DELETE FROM promotion_stories WHERE promotion_id IN (?)', ids);
  await session.run('DELETE FROM promotions WHERE id IN (?)', ids);
}

/** Marks the promotion as reverted; returns false if it is already. */
export async function markReverted(
  id: number,
  { userId, reason }: { userId: number; reason: string | null },
  session: Session,
): Promise<boolean> {
  const { affectedRows } = await session.run(
    `UPDATE promotions SET reverted_at = NOW(3), reverted_by = ?, revert_reason = ?
     WHERE id = ? AND reverted_at IS NULL`,
    [userId, reason, id],
  );
  return affectedRows > 0;
}

/** Deletes what is kept of a deleted story; the promotions still name it. */
export async function endStoryPromotions(storyId: number, session: Session): Promise<void> {
  await session.run(
    'DELETE x FROM promotion_stories s JOIN promotion_parts x ON x.promotion_story_id = s.id WHERE s.story_id = ?',
    [storyId],
  );
}
