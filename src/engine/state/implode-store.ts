import { createHash } from 'node:crypto';
import { raw } from 'mysql2';
import { textBytes } from '../../platform/mysql/row-statements.js';
import type { Script } from '../../platform/mysql/statement-batch.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/sql.js';
import { type DeliveryRow, findDeliveries } from './delivery-store.js';

/** What one parked delivery brings to its group. */
export interface ImplodeItem {
  deliveryId: number;
  /** See `groupKeyOf`. */
  groupKey: string;
  /** How many make the group whole, as this one says. */
  size: number;
  /** Where it belongs in the list; unknown: in the order of arrival. */
  position: number | undefined;
  /** JSON text. */
  item: string;
  timeoutSeconds: number;
}

/** Begins the key of a partial group; no hex digit. */
const PARTIAL = 'p';

/**
 * The key of a group: a digest of the action and what holds the group together. A `partial` group is taken as it is when
 * its time is over, the others are given up; the key tells them apart.
 */
export function groupKeyOf(group: string, { partial }: { partial: boolean }): string {
  const digest = createHash('sha256').update(group).digest('hex');
  return partial ? `${PARTIAL}${digest.slice(1)}` : digest;
}

export function isPartial(groupKey: string): boolean {
  return groupKey.startsWith(PARTIAL);
}

const COLUMNS = ['delivery_id', 'group_key', 'size', 'position', 'item', 'expires_at'];

/** Stores what deliveries bring that are parked in the same transaction. */
export function insertImplodeItems(script: Script, items: ImplodeItem[]): void {
  script.insert({
    table: 'implode_items',
    columns: COLUMNS,
    rows: items.map((item): SqlValue[] => [
      item.deliveryId,
      item.groupKey,
      item.size,
      item.position ?? null,
      item.item,
      raw(`NOW(3) + INTERVAL ${Math.trunc(item.timeoutSeconds)} SECOND`),
    ]),
    sizeOf: (row) => textBytes(row[4]) + 200,
  });
}

const DELETE = `DELETE i FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN implode_items i FORCE INDEX (PRIMARY) ON i.delivery_id = v.id`;

/** What was brought by deliveries that are now gone, or no longer parked. */
export async function deleteImplodeItems(session: Session, deliveryIds: number[]): Promise<void> {
  await session.run(DELETE, [ascending(deliveryIds)]);
}

/** The same, as part of a script. */
export function forgetImplodeItems(script: Script, deliveryIds: number[]): void {
  script.add(DELETE, [ascending(deliveryIds)]);
}

function ascending(ids: number[]): string {
  return JSON.stringify(ids.toSorted((a, b) => a - b));
}

/** Below this nobody needs to know how much of it is another group's. */
const ROUGH_BYTES = 1024 * 1024;
/** Members whose lengths are added up; a group of more short ones becomes several events. */
const MAX_COUNTED = 100_000;

const PARKED =
  "STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = i.delivery_id AND d.state = 'parked'";

/** A group that is whole, or partial and over its time. */
export interface WholeGroup {
  groupKey: string;
  /** As its members say; all that are there, when they differ. */
  size: number;
  /** Of its items, at most. */
  bytes: number;
}

/** Those of the groups that have a member parked. */
export async function findGroupsWithMembers(session: Session, groupKeys: string[]): Promise<string[]> {
  const rows = await session.rows<{ groupKey: string }>(
    `SELECT DISTINCT i.group_key AS groupKey FROM implode_items i ${PARKED} WHERE i.group_key IN (?)`,
    [groupKeys],
  );
  return rows.map(({ groupKey }) => groupKey);
}

/**
 * Those of the groups that have as many members as the smallest of their sizes, and how many the others lack. Where the sizes
 * differ the story knows the last one only: real stories page so, with a size that is too large until the last page comes.
 * Partial groups are whole also when the time of a member is over: that of the first ends first.
 */
export async function countGroups(
  session: Session,
  groupKeys: string[],
): Promise<{ whole: WholeGroup[]; missing: Map<string, number> }> {
  const rows = await session.rows<{
    groupKey: string;
    arrived: number;
    least: number;
    most: number;
    bytes: string;
    expired: number;
  }>(
    `SELECT i.group_key AS groupKey, COUNT(*) AS arrived, MIN(i.size) AS least, MAX(i.size) AS most,
            SUM(OCTET_LENGTH(i.item)) AS bytes, MIN(i.expires_at) <= NOW(3) AS expired
     FROM implode_items i ${PARKED}
     WHERE i.group_key IN (?) GROUP BY i.group_key`,
    [groupKeys],
  );
  const whole: WholeGroup[] = [];
  const missing = new Map<string, number>();
  for (const { groupKey, arrived, least, most, expired, ...row } of rows) {
    if (arrived < least && (expired === 0 || !isPartial(groupKey))) {
      missing.set(groupKey, least - arrived);
      continue;
    }
    const size = least === most ? Math.min(least, arrived) : arrived;
    // Where more have come than one group has, only the first of them are loaded. What all have is a bound, mostly low enough.
    const isRough = size < arrived && Number(row.bytes) > ROUGH_BYTES;
    const bytes = isRough ? await bytesOfFirst(session, groupKey, size) : Number(row.bytes);
    whole.push({ groupKey, size, bytes });
  }
  return { whole, missing };
}

async function bytesOfFirst(session: Session, groupKey: string, size: number): Promise<number> {
  const [row] = await session.rows<{ bytes: string | null }>(
    `SELECT SUM(bytes) AS bytes
     FROM (SELECT OCTET_LENGTH(i.item) AS bytes FROM implode_items i ${PARKED}
           WHERE i.group_key = ? ORDER BY i.delivery_id LIMIT ?) members`,
    [groupKey, size],
  );
  return Number(row?.bytes ?? 0);
}

/** How many of a group's first members have items that together are not too long. */
export async function countFirst(
  session: Session,
  groupKey: string,
  fits: (bytes: number) => boolean,
): Promise<number> {
  const rows = await session.rows<{ bytes: number }>(
    `SELECT OCTET_LENGTH(i.item) AS bytes FROM implode_items i ${PARKED}
     WHERE i.group_key = ? ORDER BY i.delivery_id LIMIT ?`,
    [groupKey, MAX_COUNTED],
  );
  let total = 0;
  const over = rows.findIndex(({ bytes }) => {
    total += bytes;
    return !fits(total);
  });
  return over === -1 ? rows.length : over;
}

/** The parked deliveries of a group, in the order of their arrival; at most `limit`. */
export async function findGroupDeliveries(
  session: Session,
  groupKey: string,
  limit: number,
): Promise<DeliveryRow[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT i.delivery_id AS id FROM implode_items i ${PARKED}
     WHERE i.group_key = ? ORDER BY i.delivery_id LIMIT ?`,
    [groupKey, limit],
  );
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : findDeliveries(session, ids);
}

/** A member of a group. `item` is JSON text. */
export interface GroupMember {
  deliveryId: number;
  position: number | null;
  item: string;
}

/** The first `size` members of a group, in the order of their arrival. */
export function findMembers(session: Session, groupKey: string, size: number): Promise<GroupMember[]> {
  return session.rows(
    `SELECT i.delivery_id AS deliveryId, i.position, i.item
     FROM implode_items i ${PARKED}
     WHERE i.group_key = ? ORDER BY i.delivery_id LIMIT ?`,
    [groupKey, size],
  );
}

/** What a parked delivery waits for. */
export interface Membership {
  deliveryId: number;
  groupKey: string;
  size: number;
  /** 0 or 1. */
  expired: number;
  /** At least 1. */
  secondsLeft: number;
  /** How many the group has. */
  arrived: number;
}

/** The groups of these parked deliveries. The members of a group are counted once, however many of them are asked for. */
export async function findGroupsOf(session: Session, deliveryIds: number[]): Promise<Membership[]> {
  const rows = await session.rows<Omit<Membership, 'arrived'>>(
    `SELECT i.delivery_id AS deliveryId, i.group_key AS groupKey, i.size, i.expires_at <= NOW(3) AS expired,
            GREATEST(1, TIMESTAMPDIFF(SECOND, NOW(3), i.expires_at) + 1) AS secondsLeft
     FROM implode_items i WHERE i.delivery_id IN (?)`,
    [deliveryIds],
  );
  if (rows.length === 0) return [];
  const counts = await session.rows<{ groupKey: string; arrived: number }>(
    `SELECT i.group_key AS groupKey, COUNT(*) AS arrived FROM implode_items i ${PARKED}
     WHERE i.group_key IN (?) GROUP BY i.group_key`,
    [[...new Set(rows.map(({ groupKey }) => groupKey))]],
  );
  const arrivedOf = new Map(counts.map(({ groupKey, arrived }) => [groupKey, arrived]));
  return rows.map((row) => ({ ...row, arrived: arrivedOf.get(row.groupKey) ?? 0 }));
}

/** Forgets up to `limit` items that are over their time and whose delivery is gone; gives how many. */
export async function deleteStrayItems(session: Session, limit: number): Promise<number> {
  const rows = await session.rows<{ id: number }>(
    `SELECT i.delivery_id AS id FROM implode_items i LEFT JOIN deliveries d ON d.id = i.delivery_id
     WHERE i.expires_at < NOW(3) - INTERVAL 1 HOUR AND d.id IS NULL ORDER BY i.expires_at LIMIT ?`,
    [limit],
  );
  if (rows.length > 0)
    await deleteImplodeItems(
      session,
      rows.map(({ id }) => id),
    );
  return rows.length;
}
