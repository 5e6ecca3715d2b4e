import { createHash } from 'node:crypto';
import { raw } from 'mysql2';
import { insertRows } from '../../../platform/mysql/statements/insert-rows.js';
import { textBytes } from '../../../platform/mysql/statements/row-statements.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { SqlValue } from '../../../platform/mysql/statements/sql.js';
import { type DeliveryRow, findDeliveries } from './delivery-store.js';

/** The member of an implode group that one parked delivery stores. */
export interface ImplodeItem {
  deliveryId: number;
  /** See `groupKeyOf`. */
  groupKey: string;
  /** Members of the whole group, according to this member. */
  size: number;
  /** Its index in the list; undefined: by order of arrival. */
  position: number | undefined;
  /** JSON text. */
  item: string;
  timeoutSeconds: number;
}

/** First character of a partial group's key; no hex digit. */
const PARTIAL = 'p';

/** An agent that gathers groups. `pastIds`: its ids in other installations, oldest first, separated by commas. */
interface GroupingAgent {
  id: number;
  pastIds?: string | undefined;
}

/**
 * Returns the key of a group: a digest of the agent, by all ids that it ever had, and the group's own key. At its timeout
 * a `partial` group is emitted as it is, any other is given up; the key tells them apart.
 */
export function groupKeyOf(
  group: string,
  { agent, partial }: { agent: GroupingAgent; partial: boolean },
): string {
  const ids = [...(agent.pastIds?.split(',').map(Number) ?? []), agent.id];
  const key = digestOf(`${ids[0]}:${group}`, partial);
  return ids.slice(1).reduce((before, id) => movedGroupKey(before, id), key);
}

/** Returns the key of a group whose agent has this id from now on: keys of other tenants' groups stay different. */
export function movedGroupKey(groupKey: string, agentId: number): string {
  return digestOf(`${agentId}:${groupKey}`, isPartial(groupKey));
}

function digestOf(text: string, partial: boolean): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return partial ? `${PARTIAL}${digest.slice(1)}` : digest;
}

export function isPartial(groupKey: string): boolean {
  return groupKey.startsWith(PARTIAL);
}

const COLUMNS = ['delivery_id', 'group_key', 'size', 'position', 'item', 'expires_at'];

/** Stores the members of deliveries that are parked in the same transaction. */
export async function insertImplodeItems(session: Session, items: ImplodeItem[]): Promise<void> {
  await insertRows(session, {
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

/** Deletes the members of deliveries that are deleted or no longer parked. */
export async function deleteImplodeItems(session: Session, deliveryIds: number[]): Promise<void> {
  await session.run(DELETE, [ascending(deliveryIds)]);
}

function ascending(ids: number[]): string {
  return JSON.stringify(ids.toSorted((a, b) => a - b));
}

/** Below this the bytes of all members are exact enough, even if some belong to the next group. */
const ROUGH_BYTES = 1024 * 1024;
/** Most members of one event; a larger group of short ones becomes several events. */
const MAX_COUNTED = 100_000;

const PARKED =
  "STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = i.delivery_id AND d.state = 'parked'";

/** A group that is whole, or partial and past its timeout. */
export interface WholeGroup {
  groupKey: string;
  /** The size that its members give; if they differ, the number of members present. */
  size: number;
  /** Upper bound of the bytes of its items. */
  bytes: number;
}

/** Returns the groups among these that have a parked member. */
export async function findGroupsWithMembers(session: Session, groupKeys: string[]): Promise<string[]> {
  const rows = await session.rows<{ groupKey: string }>(
    `SELECT DISTINCT i.group_key AS groupKey FROM implode_items i ${PARKED} WHERE i.group_key IN (?)`,
    [groupKeys],
  );
  return rows.map(({ groupKey }) => groupKey);
}

/**
 * Returns the groups with at least as many members as the smallest size given, and how many members the others lack. Sizes
 * differ in stories that page: the size is too large until the last page arrives. A partial group is whole too once a
 * member's timeout has passed; the first member's passes first.
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
    // If there are more members than one group has, only the first are loaded; the bytes of all are an upper bound, mostly low enough.
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

/** Returns how many of a group's first members have items that fit together. */
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

/** Returns at most `limit` parked deliveries of a group, in order of arrival. */
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

/** Returns the first `size` members of a group, in order of arrival. */
export function findMembers(session: Session, groupKey: string, size: number): Promise<GroupMember[]> {
  return session.rows(
    `SELECT i.delivery_id AS deliveryId, i.position, i.item
     FROM implode_items i ${PARKED}
     WHERE i.group_key = ? ORDER BY i.delivery_id LIMIT ?`,
    [groupKey, size],
  );
}

/** The group that a parked delivery waits for. */
export interface GroupMembership {
  deliveryId: number;
  groupKey: string;
  size: number;
  /** 0 or 1. */
  expired: number;
  /** At least 1. */
  secondsLeft: number;
  /** Members of the group so far. */
  arrived: number;
}

/** Returns the groups of these parked deliveries. Each group's members are counted once, however many are asked for. */
export async function findGroupsOf(session: Session, deliveryIds: number[]): Promise<GroupMembership[]> {
  const rows = await session.rows<Omit<GroupMembership, 'arrived'>>(
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

const STRAY = `implode_items i LEFT JOIN deliveries d ON d.id = i.delivery_id
     WHERE i.expires_at < NOW(3) - INTERVAL 1 HOUR AND d.id IS NULL`;

/** Holds if `deleteStrayItems` would find an item. */
export const ANY_STRAY_ITEM = `EXISTS (SELECT 1 FROM ${STRAY})`;

/** Deletes up to `limit` items whose timeout passed over an hour ago and whose delivery is missing. Returns the count. */
export async function deleteStrayItems(session: Session, limit: number): Promise<number> {
  const rows = await session.rows<{ id: number }>(
    `SELECT i.delivery_id AS id FROM ${STRAY} ORDER BY i.expires_at LIMIT ?`,
    [limit],
  );
  if (rows.length > 0)
    await deleteImplodeItems(
      session,
      rows.map(({ id }) => id),
    );
  return rows.length;
}
