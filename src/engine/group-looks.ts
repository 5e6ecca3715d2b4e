import type { Logger } from '../logger.js';
import { createBackgroundQueue } from './background-queue.js';
import type { GroupsLeft } from './implode-groups.js';

const MAX_ROUND = 200;
/** A member of a group comes no sooner after another one: what lacks many is not whole before. */
const MS_PER_MEMBER = 0.1;
/** A rest that is shorter is not worth a timer. */
const SHORTEST_REST_MS = 2;
/** Where more workers bring them faster, or the last one says that there are fewer, a group waits no longer than this for a look. */
const LONGEST_REST_MS = 50;
const MAX_RESTING = 10_000;

/** Looks at groups to which something has come: each look counts all members, so a large group is not looked at each time. */
export interface GroupLooks {
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

export interface GroupLooksDeps {
  /** Ends those groups that are whole (see `completeGroups`). */
  complete: (groupKeys: string[]) => Promise<GroupsLeft>;
  logger: Logger;
}

/** Creates the looks of one process. */
export function createGroupLooks({ complete, logger }: GroupLooksDeps): GroupLooks {
  const resting = new Map<string, Rest>();
  /** What is left then, the sweeper of another process finds. */
  let stopping = false;
  const queue = createBackgroundQueue<string>({
    name: 'implode',
    maxRound: MAX_ROUND,
    work: async (groupKeys) => {
      const { again, missing } = await complete(groupKeys);
      if (stopping) return;
      for (const [groupKey, members] of missing) rest(groupKey, members);
      // Behind the others: one key that comes again and again must not keep their groups waiting.
      queue.add(again);
    },
    logger,
  });

  const rest = (groupKey: string, missing: number) => {
    const ms = Math.min(LONGEST_REST_MS, missing * MS_PER_MEMBER);
    if (ms < SHORTEST_REST_MS || resting.size >= MAX_RESTING || resting.has(groupKey)) return;
    resting.set(groupKey, { isAwaited: false, timer: setTimeout(() => wake(groupKey), ms) });
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
        if (rest === undefined) queue.add([groupKey]);
        else rest.isAwaited = true;
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
