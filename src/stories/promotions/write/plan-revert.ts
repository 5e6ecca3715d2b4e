import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { StoredStory } from '../../export/story-export-store.js';
import type { SnapshotReader } from '../../versions/snapshot-reader.js';
import { unpackSnapshot } from '../../versions/version-snapshot.js';
import { findVersion, readVersionBytes } from '../../versions/version-store.js';
import { findPromotionStories, type PromotionRecord, type PromotionStoryRecord } from '../promotion-store.js';

/** A story that a promotion has made or changed. */
export interface PlannedRevert {
  row: PromotionStoryRecord;
  /** Its state before; `new`: the promotion made it; undefined: that version was deleted. */
  before: StoredStory | 'new' | undefined;
}

/** A revert before it is written. */
export interface RevertPlan {
  promotion: PromotionRecord;
  /** In the order of locks: by id. */
  stories: PlannedRevert[];
}

interface PlanDeps {
  database: Pick<Database, 'read'>;
  read: SnapshotReader;
}

/** Reads the states to go back to, without any lock: large ones are read in threads. @throws as `SnapshotReader`. */
export async function planRevert(
  tenantId: number,
  promotion: PromotionRecord,
  { database, read }: PlanDeps,
): Promise<RevertPlan> {
  const rows = await database.read((session) => findPromotionStories([promotion.id], session));
  const changed = rows.filter(({ state }) => state !== 'unchanged');
  const stories: PlannedRevert[] = [];
  for (const row of changed.toSorted((one, other) => one.storyId - other.storyId)) {
    const bytes = await database.read((session) => bytesBefore(row, session));
    const before = bytes && (await read(tenantId, await unpackSnapshot(bytes)));
    stories.push({ row, before: row.state === 'new' ? 'new' : before });
  }
  return { promotion, stories };
}

async function bytesBefore(
  { storyId, versionBefore }: PromotionStoryRecord,
  session: Session,
): Promise<Buffer | undefined> {
  const version =
    versionBefore === null ? undefined : await findVersion({ storyId, id: versionBefore }, session);
  return version && readVersionBytes(version.id, session);
}
