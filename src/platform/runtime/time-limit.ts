import { existsSync, readFileSync } from 'node:fs';

const THREAD_TIMES = '/proc/thread-self/schedstat';
const tellsThreadTimes = existsSync(THREAD_TIMES);
/** Interval between reads of the process's CPU time: one read takes as long as many a template. */
const ASK_EVERY_MS = 50;

let askedAt = -Infinity;
let cpuMsThen = 0;
let outer: TimeLimit | undefined;
/** The time slice of the work that runs on the event loop now, if it is limited. */
let turn: Turn | undefined;

interface Turn {
  limit: TimeLimit;
  /** The work must leave the event loop: its result is discarded, even if it continues. */
  isOver: boolean;
}

/**
 * Runs `work`, which is synchronous, with a limit of `ms`: every limit created inside ends with this one at the latest.
 * `work` receives the limit: if it throws and the limit is over, the reason is that it took too long.
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
 * A time limit for synchronous work, such as a render; it starts when created. It is over when `ms` have passed and the
 * thread has used as much CPU time: work that was suspended, or got no CPU, has not taken too long (decision 0029). Where the
 * system does not tell the times of threads, those of the process count.
 */
export class TimeLimit {
  readonly ms: number;
  readonly #endsAt: number;
  readonly #cpuMsBefore: number;
  #askAgainAt = 0;

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

  /** Returns the ms left; 0 or less when the limit is over. Pass `now` if the clock was read already. */
  leftMs(now = performance.now()): number {
    const leftMs = Math.max(this.#endsAt, this.#askAgainAt) - now;
    if (leftMs > 0) return leftMs;
    const cpuLeftMs = this.#cpuMsBefore + this.ms - cpuMs();
    // CPU time of a thread advances no faster than the clock, and reading it is slow.
    if (tellsThreadTimes && cpuLeftMs > 0) this.#askAgainAt = now + cpuLeftMs;
    return cpuLeftMs;
  }

  /** Returns true if the limit or the work's time slice on the event loop is over. */
  isOver(now = performance.now()): boolean {
    return this.leftMs(now) <= 0 || (turn !== undefined && turnIsOver(turn, now));
  }
}

/** The work takes too long for an event loop that others share: it must run in a thread. */
export class TimeSliceExceeded extends Error {
  constructor() {
    super('The work takes too long for the event loop');
    this.name = 'TurnOver';
  }
}

/**
 * Returns what `work` returns, if it takes at most `ms` and makes nothing large: inside, each limit ends with the time slice
 * (decision 0030).
 * @throws TurnOver if the time slice ended, whatever `work` returned or threw; otherwise what `work` throws.
 */
export function inTimeSlice<T>(ms: number, work: () => T): T {
  const own: Turn = { limit: new TimeLimit(ms), isOver: false };
  const before = turn;
  turn = own;
  try {
    const result = work();
    if (!own.isOver) return result;
  } catch (error) {
    if (!own.isOver) throw error;
  } finally {
    turn = before;
  }
  // Its result or error may be due to the end of its time slice.
  throw new TimeSliceExceeded();
}

/** Work leaves the event loop at a text of more characters, or a value of the same size: each step takes long then. */
export const MAX_SLICE_CHARACTERS = 256 * 1024;

/** Reports the size of a value that work has made, in characters. @throws TurnOver if it is too large for the event loop. */
export function leaveIfLarge(characters: number): void {
  if (turn === undefined || characters <= MAX_SLICE_CHARACTERS) return;
  turn.isOver = true;
  throw new TimeSliceExceeded();
}

/** Returns true while work runs in a time slice of the event loop. */
export function isInTurn(): boolean {
  return turn !== undefined;
}

function turnIsOver(current: Turn, now: number): boolean {
  if (!current.isOver) current.isOver = current.limit.leftMs(now) <= 0;
  return current.isOver;
}

/** CPU time of this thread so far, if the system tells it; else that of all threads of this process. */
function cpuMs(): number {
  const own = threadCpuMs();
  if (own !== undefined) return own;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Linux reports it, in ns. Work of other threads must not use up this thread's limits. */
function threadCpuMs(): number | undefined {
  if (!tellsThreadTimes) return undefined;
  return Number(readFileSync(THREAD_TIMES, 'latin1').split(' ')[0]) / 1e6;
}
