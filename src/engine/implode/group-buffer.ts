import { createBatchLoader } from '../../platform/mysql/statements/batch-loader.js';
import { fitsPacket } from '../../platform/mysql/statements/insert-rows.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import { messageOf } from '../../platform/errors.js';
import { findGroupsWithMembers } from '../state/deliveries/implode-store.js';
import type { Logger } from '../../platform/logger.js';
import { type ImplodeDeps, joinGroup } from './complete-groups.js';
import type { Committed, Outcome, ParkedOutcome } from '../state/outcome.js';
import type { OutcomeWriter } from '../commit/outcome-writer.js';

/** Idle time before a group is parked; it grows with the number of missing members, as these may be on their way. */
const QUIET_MS = { least: 20, perMember: 0.1, most: 100 };
/** Time since its first member after which a group is parked even if members still arrive. */
const MOST_MS = 1_000;
const LOOK_EVERY_MS = 10;
/** Limits of all groups together; above them arrivals are parked at once. */
const MAX_MEMBERS = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;

const TAKEN: Committed = { applied: true, eventIds: [] };

/** The outcome of a delivery that adds a member to a group. */
type Arrival = ParkedOutcome & { item: NonNullable<ParkedOutcome['item']> };

/** The arrivals of one key in this process that are not parked. */
interface Group {
  key: string;
  /** By delivery id: the relay may have started a delivery a second time. */
  members: Map<number, Arrival>;
  /** Members of the whole group: the smallest size that its members give. */
  size: number;
  bytes: number;
  since: number;
  lastAt: number;
}

export interface GroupBufferDeps extends ImplodeDeps {
  logger: Logger;
}

/**
 * The outcome writer for jobs. A member of an implode group waits briefly in memory for the rest of its group, and is
 * parked only if that does not arrive (decision 0011). Until then its delivery stays pending: if this process dies, the
 * relay has the work repeated within a minute.
 */
export interface GroupBuffer extends Pick<OutcomeWriter, 'submit'> {
  /** Resolves when all groups are joined or parked; later arrivals are parked at once. */
  drain(): Promise<void>;
}

export function createGroupBuffer(deps: GroupBufferDeps): GroupBuffer {
  const { database, outcomes, logger } = deps;
  const open = new Map<string, Group>();
  /** Groups being joined or parked, by key; a new arrival for such a key waits for it. */
  const underWay = new Map<string, Promise<void>>();
  const held = { members: 0, bytes: 0 };
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  const hasMembersParked = createBatchLoader<string, true>(async (keys) => {
    const found = await retryTransient(() =>
      database.read((session) => findGroupsWithMembers(session, keys)),
    );
    return new Map(found.map((key) => [key, true]));
  });

  /** Runs in the background: if storing fails, the relay finds the deliveries. */
  const settle = (group: Group, work: (group: Group) => Promise<void>) => {
    open.delete(group.key);
    const settled = work(group)
      .catch((error: unknown) => {
        logger.warn('left to the relay', { work: 'implode', error: messageOf(error) });
      })
      .finally(() => {
        held.members -= group.members.size;
        held.bytes -= group.bytes;
        underWay.delete(group.key);
      });
    underWay.set(group.key, settled);
  };

  const park = async ({ members }: Group): Promise<void> => {
    await Promise.all([...members.values()].map((arrival) => outcomes.submit(arrival)));
  };

  const joinOrPark = async (group: Group): Promise<void> => {
    if (!(await join(group))) await park(group);
  };

  /** Returns true if it became one event. If some members are parked already, all are parked and counted in the database. */
  const join = async ({ key, members, bytes }: Group): Promise<boolean> => {
    const { maxAllowedPacket } = await retryTransient(() => database.facts());
    if (!fitsPacket(bytes, maxAllowedPacket) || (await hasMembersParked(key)) === true) return false;
    const arrivals = [...members.values()].toSorted((a, b) => a.delivery.id - b.delivery.id);
    const last = arrivals.at(-1);
    if (last === undefined) return true;
    const gathered = arrivals.map(({ delivery, item: { position, item } }) => ({
      deliveryId: delivery.id,
      position: position ?? null,
      item,
    }));
    const outcome = await retryTransient(() => joinGroup(gathered, last.delivery, deps));
    if (outcome.kind !== 'done') return false;
    const { applied, error } = await outcomes.submit(outcome);
    return applied && error === undefined;
  };

  const look = () => {
    const now = performance.now();
    for (const group of open.values()) if (isOverdue(group, now)) settle(group, park);
    timer = open.size > 0 ? setTimeout(look, LOOK_EVERY_MS) : undefined;
  };

  const add = (arrival: Arrival) => {
    const group = open.get(arrival.item.groupKey) ?? newGroup(arrival.item);
    open.set(group.key, group);
    const before = group.members.get(arrival.delivery.id);
    const bytes = bytesOf(arrival) - (before === undefined ? 0 : bytesOf(before));
    group.bytes += bytes;
    held.bytes += bytes;
    if (before === undefined) held.members += 1;
    group.members.set(arrival.delivery.id, arrival);
    group.size = Math.min(group.size, arrival.item.size);
    group.lastAt = performance.now();
    if (group.members.size >= group.size) settle(group, joinOrPark);
    else timer ??= setTimeout(look, LOOK_EVERY_MS);
  };

  /** Returns true if the outcome may wait here; not with log lines, which are stored with it, or if the relay checks late. */
  const mayWait = (outcome: Outcome): outcome is Arrival =>
    isArrival(outcome) &&
    outcome.logs.length === 0 &&
    outcome.delivery.dueSoon &&
    held.members < MAX_MEMBERS &&
    held.bytes + outcome.item.item.length <= MAX_BYTES &&
    !stopping;

  const submit = (outcome: Outcome): Promise<Committed> => {
    const ahead = isArrival(outcome) ? underWay.get(outcome.item.groupKey) : undefined;
    if (ahead !== undefined) return ahead.then(() => submit(outcome));
    if (!mayWait(outcome)) return outcomes.submit(outcome);
    add(outcome);
    return Promise.resolve(TAKEN);
  };

  return {
    submit,
    async drain() {
      stopping = true;
      clearTimeout(timer);
      for (const group of open.values()) settle(group, park);
      await Promise.all(underWay.values());
    },
  };
}

function isArrival(outcome: Outcome): outcome is Arrival {
  return outcome.kind === 'parked' && outcome.item !== undefined;
}

function bytesOf({ item }: Arrival): number {
  return Buffer.byteLength(item.item);
}

function newGroup({ groupKey: key, size }: Arrival['item']): Group {
  const now = performance.now();
  return { key, members: new Map(), size, bytes: 0, since: now, lastAt: now };
}

function isOverdue({ size, members, since, lastAt }: Group, now: number): boolean {
  const patienceMs = Math.min(QUIET_MS.most, QUIET_MS.least + QUIET_MS.perMember * (size - members.size));
  return now - lastAt >= patienceMs || now - since >= MOST_MS;
}
