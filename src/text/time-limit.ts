/** Between two questions for the process's processor time: one takes as long as many a template. */
const ASK_EVERY_MS = 50;

let askedAt = -Infinity;
let cpuMsThen = 0;
let outer: TimeLimit | undefined;

/**
 * Does `work`, which waits for nothing, in `ms` at most: every limit that begins in it ends with this one at the latest. `work` gets
 * the limit: where it throws and the limit is over, the reason is that it took too long.
 */
export function withinTime<T>(ms: number, work: (limit: TimeLimit) => T): T {
  const before = outer;
  const limit = new TimeLimit(ms);
  outer = limit;
  try {
    return work(limit);
  } finally {
    outer = before;
  }
}

/**
 * A limit of the time for work that waits for nothing, such as a render; it begins when it is made. It is over when so much time has passed and the
 * process has worked for as long: one that was stopped for a while, or got no processor, has not taken too long (decision 0024).
 */
export class TimeLimit {
  readonly ms: number;
  readonly #endsAt: number;
  readonly #cpuMsBefore: number;

  constructor(ms: number) {
    const now = performance.now();
    if (now - askedAt > ASK_EVERY_MS) {
      askedAt = now;
      cpuMsThen = cpuMs();
    }
    this.ms = outer === undefined ? ms : Math.max(0, Math.min(ms, outer.leftMs(now)));
    this.#endsAt = now + this.ms;
    this.#cpuMsBefore = cpuMsThen;
  }

  /** What is left of it, in ms; 0 or less when it is over. `now` is for who has asked the clock already. */
  leftMs(now = performance.now()): number {
    const leftMs = this.#endsAt - now;
    return leftMs > 0 ? leftMs : this.#cpuMsBefore + this.ms - cpuMs();
  }

  isOver(now?: number): boolean {
    return this.leftMs(now) <= 0;
  }
}

/** Of all threads of this process, ever. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
