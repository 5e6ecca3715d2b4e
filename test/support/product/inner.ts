import type { JsonValue } from './sources.js';

/** A story as workers know it. */
interface KnownStory {
  disabled: boolean;
  sendToStoryEnabled: boolean;
  /** The number of its actions. */
  agents: number;
}

/** Calls inside a Fabula of the test product. Each takes and returns JSON. */
export interface Inner {
  /** Stores a text credential of a team, or a new value of it. */
  setCredential(teamId: number, name: string, value: string, allowedHosts?: string[]): Promise<unknown>;
  /** Returns the credentials of a team with their values. */
  credentialValues(teamId: number): Promise<{ name: string; value: string }[]>;
  /** Returns the text that stands for a credential until a request is sent. */
  referenceOf(owner: { team: number; credential: string }): Promise<string>;
  /** Returns the resources of a team with their values, or with those for drafts. */
  resourceValues(teamId: number, isTest: boolean): Promise<{ name: string; value: JsonValue }[]>;
  /** Returns all resources that templates of a team see, by name. */
  resourcesSeenBy(teamId: number): Promise<Record<string, JsonValue>>;
  /** Counts processor time of a tenant, in milliseconds. */
  useProcessor(tenantId: number, cpuMs: number): Promise<void>;
  /** Claims a mail of the tenant's quota. @throws when nothing is left */
  requireMail(tenantId: number): Promise<void>;
  /** Works on a delivery; returns its outcome. */
  runDelivery(job: { deliveryId: number; generation: number }): Promise<{ outcome: string }>;
  /** Returns what its workers know of a story; null if nothing. */
  storyKnown(storyId: number): Promise<KnownStory | null>;
  /** Returns whether it indexes the values of runs. */
  indexesValues(): Promise<boolean>;
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
  'resourceValues',
  'resourcesSeenBy',
  'useProcessor',
  'requireMail',
  'runDelivery',
  'storyKnown',
  'indexesValues',
  'sweepParked',
  'startDue',
] as const satisfies (keyof Inner)[];
