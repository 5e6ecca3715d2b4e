import { availableParallelism } from 'node:os';
import { networkKey } from '../../platform/http/address/address-key.js';
import { Unavailable } from '../../platform/errors.js';

/**
 * The origin of an attempt: a person in a browser where they signed in before, or with a link; or an unknown client at an
 * address, from a network with or without recent wrong passwords. Each of these three has a lane of its own.
 */
export type Attempt = { userId: number } | { address: string | undefined; hasGuessed?: boolean };

export interface SignInQueueOptions {
  /** Hashes that are computed at once. They need threads that file access and names need too, and whole cores. */
  atOnce: number;
  /** Most attempts that wait in one of the three lanes. Beyond that, the network that has most of them loses its last. */
  maxWaiting: number;
  /** Most attempts of one network that wait. */
  maxOfNetwork: number;
}

const DEFAULTS: SignInQueueOptions = {
  atOnce: availableParallelism() > 2 ? 2 : 1,
  maxWaiting: 1_000,
  maxOfNetwork: 300,
};

interface Waiting {
  start: () => void;
  refuse: (error: Error) => void;
}

/** Waiting attempts of one lane, by network or user, in the order in which these are served. */
type Lane = Map<string, Waiting[]>;

export type SignInQueue = ReturnType<typeof createSignInQueue>;

/**
 * Creates the queue in which passwords are hashed. The lanes take turns, and in a lane its networks, however many attempts
 * one of them has (decision 0084).
 */
export function createSignInQueue(options: Partial<SignInQueueOptions> = {}) {
  const { atOnce, maxWaiting, maxOfNetwork } = { ...DEFAULTS, ...options };
  const known: Lane = new Map();
  const newcomers: Lane = new Map();
  const guessers: Lane = new Map();
  /** The lane whose turn it is next comes first. */
  const lanes = [known, newcomers, guessers];
  let running = 0;

  const laneOf = (attempt: Attempt): Lane => {
    if ('userId' in attempt) return known;
    return attempt.hasGuessed === true ? guessers : newcomers;
  };

  const wait = (attempt: Attempt): Promise<void> => {
    const lane = laneOf(attempt);
    const name = 'userId' in attempt ? String(attempt.userId) : networkKey(attempt.address);
    const own = lane.get(name) ?? [];
    const isFull = own.length >= maxOfNetwork || (sizeOf(lane) >= maxWaiting && !makeRoom(lane, own));
    if (isFull) throw new Unavailable(TOO_MANY);
    lane.set(name, own);
    return new Promise<void>((resolve, reject) => own.push({ start: resolve, refuse: reject }));
  };

  const startNext = (): void => {
    const at = lanes.findIndex(({ size }) => size > 0);
    if (at === -1) {
      running -= 1;
      return;
    }
    const passed = lanes.splice(0, at + 1);
    lanes.push(...passed);
    const lane = passed.at(-1);
    if (lane !== undefined) takeFrom(lane)?.start();
  };

  return {
    /** Does `work`, which computes one hash, when its turn comes. @throws Unavailable if too many wait. */
    async take<T>(attempt: Attempt, work: () => Promise<T>): Promise<T> {
      if (running >= atOnce) await wait(attempt);
      else running += 1;
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}

const TOO_MANY = 'Too many sign-ins at the moment; try again';

function sizeOf(lane: Lane): number {
  return [...lane.values()].reduce((sum, { length }) => sum + length, 0);
}

/** Refuses the last of the network that has most waiting. Returns false if none has more than the `own` one. */
function makeRoom(lane: Lane, own: readonly Waiting[]): boolean {
  const most = [...lane.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  if (most.length <= own.length + 1) return false;
  most.pop()?.refuse(new Unavailable(TOO_MANY));
  return true;
}

/** Removes and returns the first of the network whose turn it is, which then goes to the end. */
function takeFrom(lane: Lane): Waiting | undefined {
  for (const [name, waiting] of lane) {
    const first = waiting.shift();
    lane.delete(name);
    if (waiting.length > 0) lane.set(name, waiting);
    return first;
  }
  return undefined;
}
