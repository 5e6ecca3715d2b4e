import type { WorkerServices } from './sources.js';

/** What tests do inside a Fabula of the test product. Each takes and returns JSON. */
export interface Inner {
  /** Stores a text credential of a team, or a new value of it. */
  setCredential(teamId: number, name: string, value: string, allowedHosts?: string[]): Promise<unknown>;
  /** Returns the credentials of a team with their values. */
  credentialValues(teamId: number): Promise<{ name: string; value: string }[]>;
  /** Returns the text that stands for a credential until a request is sent. */
  referenceOf(owner: { team: number; credential: string }): Promise<string>;
  /** Has parked events and groups looked through once; returns how many were worked on. */
  sweepParked(): Promise<number>;
  /** Starts what schedules are due; returns how many. */
  startDue(): Promise<number>;
}

/** The names of `Inner`: what a door lets through. */
export const INNER = [
  'setCredential',
  'credentialValues',
  'referenceOf',
  'sweepParked',
  'startDue',
] as const satisfies (keyof Inner)[];

/** Returns what tests do inside these workers. */
export function innerOf({ credentials, parkedSweeper, scheduler }: WorkerServices): Inner {
  return {
    setCredential: (...given) => credentials.set(...given),
    credentialValues: (teamId) => credentials.listValues(teamId),
    referenceOf: async (owner) => credentials.signer().sign(owner),
    sweepParked: () => parkedSweeper.tick(),
    startDue: () => scheduler.tick(),
  };
}
