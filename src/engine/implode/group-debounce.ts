import type { Logger } from '../../platform/logger.js';
import { createBackgroundQueue } from '../commit/background-queue.js';
import type { GroupsLeft } from './complete-groups.js';

const MAX_ROUND = 200;
/** A member of a group comes no sooner after another one: what lacks many is not whole before. */
const MS_PER_MEMBER = 0.1;
/** A rest that is shorter is not worth a timer. */
const SHORTEST_REST_MS = 2;
/** Where more workers bring them faster, or the last one says that there are fewer, a group waits no longer than this for a look. */
const LONGEST_REST_MS = 50;
const MAX_RESTING = 10_000;

/** Looks at groups to which something has come: each look counts all members, so a large group is not looked at each time. */
export interface GroupDebounce {
  /** Something has come to these groups. Each is looked at soon, and again after that when more comes. */
  add(groupKeys: Iterable<string>): void;
  /** Has looked at all when it resolves; nothing rests from now on. */
  drain(): Promise<void>;
}

interface Rest {
  timer: NodeJS.Timeout;
  /** Something has come meanwhile. */
  isAwaited: boolean;
}

interface Look {
  at: ReadonlySet<string>;
  /** Those to which something comes meanwhile: whether the look has seen it nobody knows. */
  came: Set<string>;
}

export interface GroupDebounceDeps {
  /** Ends those groups that are whole (see `completeGroups`). */
  complete: (groupKeys: string[]) => Promise<GroupsLeft>;
  logger: Logger;
}

/** Creates the looks of one process. */
export function createGroupDebounce({ complete, logger }: GroupDebounceDeps): GroupDebounce {
  const resting = new Map<string, Rest>();
  /** The look that is under way. */
  let look: Look | undefined;
  /** What is left then, the sweeper of another process finds. */
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
        // Behind the others: one key that comes again and again must not keep their groups waiting.
        if (!stopping) queue.add(again);
      } finally {
        look = undefined;
        queue.add(came);
      }
    },
    logger,
  });

  /** Whether it rests from now on. */
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
