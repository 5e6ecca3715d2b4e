import type { Database } from '../../platform/mysql/database.js';
import { fitsPacket } from '../../platform/mysql/insert-rows.js';
import { retryTransient } from '../../platform/mysql/retry-transient.js';
import { findDeliveries, type DeliveryRow } from '../state/delivery-store.js';
import {
  countFirst,
  countGroups,
  findGroupDeliveries,
  findMembers,
  isPartial,
  type GroupMember,
  type WholeGroup,
} from '../state/implode-store.js';
import { findAction } from '../../stories/find-action.js';
import { emit, type EmissionDeps } from '../dispatch/emission.js';
import { deadLetter } from '../state/outcome.js';
import type { DoneOutcome, UndoneOutcome } from '../state/outcome.js';
import type { OutcomeWriter } from '../commit/outcome-writer.js';

const TOO_LARGE = 'The group is too large to become one event';
/** Members set aside at once; the others are looked at again. */
const MAX_GIVEN_UP = 1_000;
/** Groups that are joined at the same time, and the bytes of their items. */
const MAX_JOINED_GROUPS = 50;
const MAX_JOINED_BYTES = 16 * 1024 * 1024;

export interface ImplodeDeps extends EmissionDeps {
  database: Database;
  outcomes: Pick<OutcomeWriter, 'submit'>;
}

/** What is left of groups that were looked at. */
export interface GroupsLeft {
  /** To be asked for again: where a key comes again and again, more groups of it may have come together. */
  again: string[];
  /** How many members those lack that are not whole. */
  missing: ReadonlyMap<string, number>;
}

/**
 * Makes one event of each of these groups that is whole (rule 12). Asked after the COMMIT of arrivals: of several
 * that arrive at once, the last to commit sees all of them. Who gets there second finds the tokens gone.
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

/** Several at a time, so that their results share a transaction; few enough for memory and for the pool. */
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

/** Whether something came of the group here. */
async function completeGroup(
  group: WholeGroup,
  maxAllowedPacket: number,
  deps: ImplodeDeps,
): Promise<boolean> {
  const { groupKey } = group;
  const fits = (bytes: number) => fitsPacket(bytes, maxAllowedPacket);
  const isTooLarge = !fits(group.bytes);
  if (isTooLarge && !isPartial(groupKey)) return giveUp({ ...group, error: TOO_LARGE }, deps);
  // A group that ends by time is what is there: what does not fit into one event makes another.
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

/** Nothing of it is loaded: it may be larger than this process. What arrives later makes a group of its own. */
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
 * One event for a whole group, `members` in the order of their arrival. It continues the run of the last of them,
 * `delivery`: what it knows of the past is what that one knew.
 */
export async function joinGroup(
  members: GroupMember[],
  delivery: DeliveryRow,
  deps: EmissionDeps,
): Promise<DoneOutcome | UndoneOutcome> {
  const action = await findAction(delivery, deps.graphs);
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

/** By position where all have one; members without come in the order of their arrival. */
function inOrder(members: GroupMember[]): GroupMember[] {
  if (members.some(({ position }) => position === null)) return members;
  return members.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0) || a.deliveryId - b.deliveryId);
}
