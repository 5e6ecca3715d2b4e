import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 5;

/** Watches the event loop of this process. */
export interface LoopWatch {
  /** Ends the watch; gives the longest time that the loop worked without a break, in ms of its own processor time. */
  end(): number;
}

/**
 * Begins to watch. Processor time counts, not the time that passes: on a busy machine a loop may get no processor for a second,
 * and has held nobody up.
 */
export function watchLoop(): LoopWatch {
  let last = loopCpuMs();
  let longest = 0;
  const look = () => {
    const now = loopCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      look();
      return longest;
    },
  };
}

/** Processor time of the thread with the event loop; of all threads where the system does not tell. */
function loopCpuMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
