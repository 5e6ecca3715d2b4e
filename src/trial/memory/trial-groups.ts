import { type GroupMember, type ImplodeItem, isPartial } from '../../engine/face.js';
import type { TrialClock } from './trial-deliveries.js';

interface Brought extends ImplodeItem {
  expiresAtMs: number;
}

/** Members by delivery id, in order of arrival. */
type Group = Map<number, Brought>;

/** A member of a group that was incomplete at its timeout. */
export interface ExpiredMember {
  deliveryId: number;
  size: number;
  arrived: number;
}

/** The implode groups of a trial. */
export function createTrialGroups(clock: TrialClock) {
  const groups = new Map<string, Group>();
  const groupOfDelivery = new Map<number, string>();
  const isOver = (key: string, group: Group) =>
    isPartial(key) && least(group, ({ expiresAtMs }) => expiresAtMs) <= clock.nowMs();

  return {
    add(item: ImplodeItem): void {
      const group = groups.get(item.groupKey) ?? new Map<number, Brought>();
      groups.set(item.groupKey, group);
      group.set(item.deliveryId, { ...item, expiresAtMs: clock.nowMs() + item.timeoutSeconds * 1000 });
      groupOfDelivery.set(item.deliveryId, item.groupKey);
    },

    /** Removes deliveries that are deleted or no longer parked. */
    delete(deliveryIds: number[]): void {
      for (const id of deliveryIds) {
        const key = groupOfDelivery.get(id);
        if (key === undefined) continue;
        const group = groups.get(key);
        group?.delete(id);
        if (group?.size === 0) groups.delete(key);
        groupOfDelivery.delete(id);
      }
    },

    /** Returns the members of a whole group by delivery id (see `countGroups`); undefined if it is not whole. */
    findWhole(groupKey: string): GroupMember[] | undefined {
      const group = groups.get(groupKey);
      if (group === undefined) return undefined;
      const size = least(group, (item) => item.size);
      if (group.size < size && !isOver(groupKey, group)) return undefined;
      const differ = [...group.values()].some((item) => item.size !== size);
      return [...group.values()]
        .toSorted((a, b) => a.deliveryId - b.deliveryId)
        .slice(0, differ ? group.size : size)
        .map(({ deliveryId, position, item }) => ({ deliveryId, position: position ?? null, item }));
    },

    /** Returns the first timeout of all members; undefined without groups. */
    firstExpiryMs(): number | undefined {
      const times = [...groups.values()].map((group) => least(group, ({ expiresAtMs }) => expiresAtMs));
      return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
    },

    /** Returns the keys of partial groups past their timeout. */
    over(): string[] {
      return [...groups].filter(([key, group]) => isOver(key, group)).map(([key]) => key);
    },

    /** Returns the members past their timeout, except of partial groups. */
    expired(): ExpiredMember[] {
      return [...groups].flatMap(([key, group]) =>
        [...group.values()]
          .filter(({ expiresAtMs }) => !isPartial(key) && expiresAtMs <= clock.nowMs())
          .map(({ deliveryId, size }) => ({ deliveryId, size, arrived: group.size })),
      );
    },
  };
}

function least(group: Group, numberOf: (item: Brought) => number): number {
  let found = Number.POSITIVE_INFINITY;
  for (const item of group.values()) found = Math.min(found, numberOf(item));
  return found;
}
