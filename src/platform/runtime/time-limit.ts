import { existsSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const THREAD_TIMES = '/proc/thread-self/schedstat';
const tellsThreadTimes = !isMainThread && existsSync(THREAD_TIMES);
/** Between two questions for the process's processor time: one takes as long as many a template. */
const ASK_EVERY_MS = 50;

let askedAt = -Infinity;
let cpuMsThen = 0;
let outer: TimeLimit | undefined;
/** The work that is being done on the event loop, if it has to leave it after a while. */
let turn: Turn | undefined;

interface Turn {
  limit: TimeLimit;
  /** It has to leave: what it comes to counts no more, even if it goes on. */
  isOver: boolean;
}

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

  /** What is left of it, in ms; 0 or less when it is over. `now` is for who has asked the clock already. */
  leftMs(now = performance.now()): number {
    const leftMs = Math.max(this.#endsAt, this.#askAgainAt) - now;
    if (leftMs > 0) return leftMs;
    const cpuLeftMs = this.#cpuMsBefore + this.ms - cpuMs();
    // A thread works no faster than time passes, and to ask for it takes a while.
    if (tellsThreadTimes && cpuLeftMs > 0) this.#askAgainAt = now + cpuLeftMs;
    return cpuLeftMs;
  }

  /** Also when the work's turn on the event loop is over. */
  isOver(now = performance.now()): boolean {
    return this.leftMs(now) <= 0 || (turn !== undefined && turnIsOver(turn, now));
  }
}

/** The work takes too long for an event loop that others wait for: it is to be done in a thread. */
export class TurnOver extends Error {
  constructor() {
    super('The work takes too long for the event loop');
    this.name = 'TurnOver';
  }
}

/**
 * What `work` gives, if it takes `ms` at most and makes nothing large: within it each limit ends with the turn (decision 0030).
 * @throws TurnOver, whatever `work` made of the end of its turn; else what `work` throws.
 */
export function inTurn<T>(ms: number, work: () => T): T {
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
  // What it gave or threw came of the end of its turn.
  throw new TurnOver();
}

/** Work on the event loop leaves it when it comes upon a text of more characters, or a value that takes as many: each step takes long then. */
export const MAX_TURN_CHARACTERS = 256 * 1024;

/** To be told of what work has made, in characters. @throws TurnOver where that is too large for the event loop. */
export function leaveIfLarge(characters: number): void {
  if (turn === undefined || characters <= MAX_TURN_CHARACTERS) return;
  turn.isOver = true;
  throw new TurnOver();
}

/** Whether the work that is being done has to leave the event loop after a while. */
export function isInTurn(): boolean {
  return turn !== undefined;
}

function turnIsOver(current: Turn, now: number): boolean {
  if (!current.isOver) current.isOver = current.limit.leftMs(now) <= 0;
  return current.isOver;
}

/** Of all threads of this process, ever; in a thread of a pool its own, where the system tells it. */
function cpuMs(): number {
  const own = isMainThread ? undefined : threadCpuMs();
  if (own !== undefined) return own;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Linux tells it, in ns. What the others do meanwhile must not use up this thread's limits. */
function threadCpuMs(): number | undefined {
  if (!tellsThreadTimes) return undefined;
  return Number(readFileSync(THREAD_TIMES, 'latin1').split(' ')[0]) / 1e6;
}
