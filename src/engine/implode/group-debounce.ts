import type { Logger } from '../../platform/logger.js';
import { createBackgroundQueue } from '../commit/background-queue.js';
import type { GroupsLeft } from './complete-groups.js';

const MAX_ROUND = 200;
/** Shortest time between two members: a group that lacks many cannot be whole earlier. */
const MS_PER_MEMBER = 0.1;
/** A shorter pause is not worth a timer. */
const SHORTEST_REST_MS = 2;
/** Longest pause before a check: several workers may add members faster, or the last member may give a smaller size. */
const LONGEST_REST_MS = 50;
const MAX_RESTING = 10_000;

/** Checks groups with new members. A check counts all members, so a large group is not checked for each of them. */
export interface GroupDebounce {
  /** These groups have new members: each is checked soon, and once more if further members arrive. */
  add(groupKeys: Iterable<string>): void;
  /** Resolves when all groups are checked; later ones are checked without a pause. */
  drain(): Promise<void>;
}

interface Rest {
  timer: NodeJS.Timeout;
  /** A member has arrived meanwhile. */
  isAwaited: boolean;
}

interface Look {
  at: ReadonlySet<string>;
  /** Groups with members that arrived during the check, which may not have counted them. */
  came: Set<string>;
}

export interface GroupDebounceDeps {
  /** Emits the groups that are whole (see `completeGroups`). */
  complete: (groupKeys: string[]) => Promise<GroupsLeft>;
  logger: Logger;
}

/** Creates the checks of one process. */
export function createGroupDebounce({ complete, logger }: GroupDebounceDeps): GroupDebounce {
  const resting = new Map<string, Rest>();
  /** The running check. */
  let look: Look | undefined;
  /** Set by `drain`: unfinished groups are left to the sweeper of another process. */
  let stopping = false;
  const queue = createBackgroundQueue<string>({
    name: 'implode',
    maxRound: MAX_ROUND,
    work: async (groupKeys) => {
      const came = new Set<string>();
      look = { at: new Set(groupKeys), came };
      try {
        const { again, missing } = await complete(groupKeys);
        for (const [groupKey, members] of stopping ? [] : missing) {
          if (rest(groupKey, members, came.has(groupKey))) came.delete(groupKey);
        }
        // Appended behind the others, so that a reused key does not delay their groups.
        if (!stopping) queue.add(again);
      } finally {
        look = undefined;
        queue.add(came);
      }
    },
    logger,
  });

  /** Starts a pause for the group; returns false if it is too short, or the limit is reached. */
  const rest = (groupKey: string, missing: number, isAwaited: boolean): boolean => {
    const ms = Math.min(LONGEST_REST_MS, missing * MS_PER_MEMBER);
    if (ms < SHORTEST_REST_MS || resting.size >= MAX_RESTING || resting.has(groupKey)) return false;
    resting.set(groupKey, { isAwaited, timer: setTimeout(() => wake(groupKey), ms) });
    return true;
  };

  const wake = (groupKey: string) => {
    const rest = resting.get(groupKey);
    resting.delete(groupKey);
    if (rest?.isAwaited === true) queue.add([groupKey]);
  };

  return {
    add(groupKeys) {
      for (const groupKey of new Set(groupKeys)) {
        const rest = resting.get(groupKey);
        if (rest !== undefined) rest.isAwaited = true;
        else if (look?.at.has(groupKey) === true) look.came.add(groupKey);
        else queue.add([groupKey]);
      }
    },
    async drain() {
      stopping = true;
      for (const [groupKey, { timer }] of resting) {
        clearTimeout(timer);
        wake(groupKey);
      }
      await queue.drain();
    },
  };
}
