import type { Database } from '../../platform/mysql/database.js';
import { fitsPacket } from '../../platform/mysql/statements/insert-rows.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import { findDeliveries, type DeliveryRow } from '../state/deliveries/delivery-store.js';
import {
  countFirst,
  countGroups,
  findGroupDeliveries,
  findMembers,
  isPartial,
  type GroupMember,
  type WholeGroup,
} from '../state/deliveries/implode-store.js';
import { findActionInStory } from '../../stories/face.js';
import { emit, type EmissionDeps } from '../dispatch/adding/emission.js';
import { deadLetter } from '../state/outcome.js';
import type { DoneOutcome, UndoneOutcome } from '../state/outcome.js';
import type { OutcomeWriter } from '../commit/outcome-writer.js';

const TOO_LARGE = 'The group is too large for one event';
/** Most members given up in one pass; the next pass continues. */
const MAX_GIVEN_UP = 1_000;
/** Most groups joined at the same time, and most bytes of their items. */
const MAX_JOINED_GROUPS = 50;
const MAX_JOINED_BYTES = 16 * 1024 * 1024;

export interface ImplodeDeps extends EmissionDeps {
  database: Database;
  outcomes: Pick<OutcomeWriter, 'submit'>;
}

/** The groups that need further checks. */
export interface GroupsLeft {
  /** Keys to check again: with a reused key, members of its next group may have arrived. */
  again: string[];
  /** Missing members of each group that is not whole. */
  missing: ReadonlyMap<string, number>;
}

/**
 * Emits one event for each of these groups that is whole (rule 12). Runs after the COMMIT of arrivals: of members that
 * arrive at once, the last to commit sees all of them. A second call for the same group finds no tokens.
 */
export async function completeGroups(groupKeys: string[], deps: ImplodeDeps): Promise<GroupsLeft> {
  if (groupKeys.length === 0) return { again: [], missing: new Map() };
  const { whole, missing } = await retryTransient(() =>
    deps.database.read((session) => countGroups(session, groupKeys)),
  );
  const { maxAllowedPacket } = await deps.database.facts();
  const again: string[] = [];
  for (const groups of joinedTogether(whole)) {
    const ended = await Promise.all(groups.map((group) => completeGroup(group, maxAllowedPacket, deps)));
    again.push(...groups.filter((_, index) => ended[index]).map(({ groupKey }) => groupKey));
  }
  return { again, missing };
}

/** Splits groups into batches that share a transaction, small enough for memory and for the connection pool. */
function joinedTogether(whole: WholeGroup[]): WholeGroup[][] {
  const shares: WholeGroup[][] = [];
  let share: WholeGroup[] = [];
  let total = 0;
  for (const group of whole) {
    if (share.length >= MAX_JOINED_GROUPS || (share.length > 0 && total + group.bytes > MAX_JOINED_BYTES)) {
      shares.push(share);
      share = [];
      total = 0;
    }
    share.push(group);
    total += group.bytes;
  }
  return share.length === 0 ? shares : [...shares, share];
}

/** Returns true if this call ended the group: as an event or as dead letters. */
async function completeGroup(
  group: WholeGroup,
  maxAllowedPacket: number,
  deps: ImplodeDeps,
): Promise<boolean> {
  const { groupKey } = group;
  const fits = (bytes: number) => fitsPacket(bytes, maxAllowedPacket);
  const isTooLarge = !fits(group.bytes);
  if (isTooLarge && !isPartial(groupKey)) return giveUp({ ...group, error: TOO_LARGE }, deps);
  // A partial group need not be complete: members that do not fit into one event form another.
  const size = isTooLarge
    ? await retryTransient(() => deps.database.read((session) => countFirst(session, groupKey, fits)))
    : group.size;
  if (size === 0) return giveUp({ groupKey, size: 1, error: TOO_LARGE }, deps);
  const members = await retryTransient(() =>
    deps.database.read((session) => findMembers(session, groupKey, size)),
  );
  if (members.length < size) return false;
  const delivery = await lastDelivery(members, deps);
  if (delivery === undefined) return false;
  const outcome = await joinGroup(members, delivery, deps);
  if (outcome.kind !== 'done') return giveUp({ groupKey, size, error: outcome.error ?? '' }, deps);
  return (await deps.outcomes.submit(outcome)).applied;
}

/** Makes the members dead letters without loading their items, which may exceed memory. Later members form a new group. */
async function giveUp(
  { groupKey, size, error }: Pick<WholeGroup, 'groupKey' | 'size'> & { error: string },
  { database, outcomes }: ImplodeDeps,
): Promise<boolean> {
  const members = await retryTransient(() =>
    database.read((session) => findGroupDeliveries(session, groupKey, Math.min(size, MAX_GIVEN_UP))),
  );
  const ended = await Promise.all(members.map((delivery) => outcomes.submit(deadLetter(delivery, error))));
  return ended.some(({ applied }) => applied);
}

/**
 * Returns the outcome of a whole group: one event with `members` in order of arrival. It continues the run of the last
 * member, `delivery`, and has its lineage.
 */
export async function joinGroup(
  members: GroupMember[],
  delivery: DeliveryRow,
  deps: EmissionDeps,
): Promise<DoneOutcome | UndoneOutcome> {
  const action = await findActionInStory(delivery, deps.graphs);
  if (action === undefined) return deadLetter(delivery, 'The action has been deleted');
  const { story, agent } = action;
  const event = (await deps.loader.events([delivery.eventId])).get(delivery.eventId);
  const payload = `[${inOrder(members)
    .map(({ item }) => item)
    .join(',')}]`;
  return {
    kind: 'done',
    delivery,
    alsoConsumes: members.map(({ deliveryId }) => deliveryId).filter((id) => id !== delivery.id),
    outputs: await emit({ delivery, story, agent, parent: event }, [{ payload, branch: 'normal' }], deps),
    logs: [],
  };
}

async function lastDelivery(
  members: GroupMember[],
  { database }: ImplodeDeps,
): Promise<DeliveryRow | undefined> {
  const id = members.at(-1)?.deliveryId ?? 0;
  const [row] = await retryTransient(() => database.read((session) => findDeliveries(session, [id])));
  return row;
}

/** Returns members by position if all have one, otherwise in order of arrival. */
function inOrder(members: GroupMember[]): GroupMember[] {
  if (members.some(({ position }) => position === null)) return members;
  return members.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0) || a.deliveryId - b.deliveryId);
}
