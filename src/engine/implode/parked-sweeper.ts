import { findCallersAtEnd } from '../state/deliveries/call-store.js';
import type { DeliveryRow } from '../state/deliveries/delivery-store.js';
import {
  ANY_STRAY_ITEM,
  deleteStrayItems,
  findGroupsOf,
  isPartial,
} from '../state/deliveries/implode-store.js';
import type { Logger } from '../../platform/logger.js';
import { repeated } from '../../platform/runtime/background-loop.js';
import { deadLetter, nothingMore } from '../state/outcome.js';
import { afterCall } from '../calls/call-results.js';
import { completeGroups, type ImplodeDeps } from './complete-groups.js';
import type { Outcome } from '../state/outcome.js';
import { ANY_PARKED_DUE, findCallers, leaseParked, postponeParked } from './parked-store.js';

/** Deliveries of one pass; with the pause below this bounds the rate. */
const BATCH = 500;
/** Most groups of one key completed in one pass, so that others are not delayed. */
const MAX_PASSES = 20;
const PAUSE_WHEN_BUSY_MS = 50;
const PAUSE_MS = 2_000;
const PAUSE_AFTER_ERROR_MS = 5_000;

export interface ParkedSweeperDeps extends ImplodeDeps {
  logger: Logger;
}

/** Ends parked deliveries that were missed because a process died between a COMMIT and its follow-up (rule 12). */
export interface ParkedSweeper {
  /** Runs one pass; returns the number of checked deliveries. */
  tick(): Promise<number>;
  /** Repeats passes until `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export function createParkedSweeper(deps: ParkedSweeperDeps): ParkedSweeper {
  const { database } = deps;
  const tick = async () => {
    const [isDue, hasStray] = await Promise.all([
      database.exists(ANY_PARKED_DUE),
      database.exists(ANY_STRAY_ITEM),
    ]);
    if (!isDue) {
      if (hasStray) await database.read((session) => deleteStrayItems(session, BATCH));
      return 0;
    }
    const parked = await database.transaction((session) => leaseParked(session, BATCH));
    if (parked.length > 0) await look(parked, deps);
    return parked.length;
  };

  return repeated({
    tick,
    pauseAfter: (checked: number) => (checked >= BATCH ? PAUSE_WHEN_BUSY_MS : PAUSE_MS),
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'checking parked deliveries failed',
    logger: deps.logger,
  });
}

async function look(parked: DeliveryRow[], deps: ParkedSweeperDeps): Promise<void> {
  const ids = parked.map(({ id }) => id);
  const { groups, callers, atEnd } = await deps.database.read(async (session) => ({
    groups: await findGroupsOf(session, ids),
    callers: await findCallers(session, ids),
    atEnd: new Set((await findCallersAtEnd(session, ids)).map(({ id }) => id)),
  }));
  let keys = [...new Set(groups.map(({ groupKey }) => groupKey))];
  for (let pass = 0; keys.length > 0 && pass < MAX_PASSES; pass += 1) {
    keys = (await completeGroups(keys, deps)).again;
  }
  const groupOf = new Map(groups.map((group) => [group.deliveryId, group]));
  const endOf = async (delivery: DeliveryRow): Promise<Outcome | undefined> => {
    if (delivery.cancelled) return nothingMore(delivery);
    if (atEnd.has(delivery.id)) return afterCall(delivery, deps);
    const group = groupOf.get(delivery.id);
    // With a reused key, whole groups may have been emitted just now: the remaining members are checked again.
    const isOpen = group !== undefined && (group.expired === 0 || group.arrived >= group.size);
    if (group !== undefined && (isOpen || isPartial(group.groupKey))) return undefined;
    if (group !== undefined) return deadLetter(delivery, givenUp(group));
    if (callers.has(delivery.id)) return undefined;
    return deadLetter(delivery, 'The group or run that the action waited for no longer exists');
  };
  const ends = await Promise.all(parked.map(endOf));
  const outcomes = ends.filter((outcome) => outcome !== undefined);
  // Groups completed just now have consumed their tokens: outcomes for those are dropped.
  await Promise.all(outcomes.map((outcome) => deps.outcomes.submit(outcome)));
  const ended = new Set(outcomes.map(({ delivery }) => delivery.id));
  await deps.database.read((session) =>
    postponeParked(
      session,
      ids.filter((id) => !ended.has(id)).map((id) => ({ id, mostSeconds: groupOf.get(id)?.secondsLeft })),
    ),
  );
}

/** Returns the error of a group that was incomplete at its timeout. */
export function givenUp({ size, arrived }: { size: number; arrived: number }): string {
  return `The group was dropped: ${arrived} of ${size} events arrived in time`;
}
