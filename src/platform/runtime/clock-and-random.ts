import { randomInt, randomUUID } from 'node:crypto';

/** The clock, and the source of random values. */
export interface ClockAndRandom {
  /** Returns ms since 1970. */
  nowMs(): number;
  /** Returns a random whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** Returns a random UUID. */
  guid(): string;
}

const REAL: ClockAndRandom = {
  nowMs: () => Date.now(),
  below: (limit) => randomInt(limit),
  guid: () => randomUUID(),
};

let current = REAL;

/** Returns the time that templates and actions take for now, in ms since 1970. */
export function nowMs(): number {
  return current.nowMs();
}

/** Returns a random whole number from 0 to `limit` - 1, for templates. */
export function randomBelow(limit: number): number {
  return current.below(limit);
}

/** Returns a random UUID, for templates. */
export function randomGuid(): string {
  return current.guid();
}

/** Runs `work` with this clock and these random values instead of the real ones. They hold for the whole thread until it ends. */
export async function withClockAndRandom<Result>(
  given: ClockAndRandom,
  work: () => Promise<Result>,
): Promise<Result> {
  current = given;
  try {
    return await work();
  } finally {
    current = REAL;
  }
}
