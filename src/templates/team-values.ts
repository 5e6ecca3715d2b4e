import type { JsonValue } from '../json.js';

/** What templates of a team's stories may refer to besides the event; each by name and by slug. */
export interface TeamValuesSnapshot {
  resources: ReadonlyMap<string, JsonValue>;
  /** In clear: never stored, never logged (decisions §8). */
  credentials: ReadonlyMap<string, string>;
  stories: ReadonlyMap<string, JsonValue>;
}

/** Which kinds are wanted; the others stay empty. */
export interface NeededValues {
  resources: boolean;
  credentials: boolean;
  stories: boolean;
}

/** Gives the values of a team, cached for a few seconds. */
export interface TeamValues {
  /** @throws when the database cannot be reached, or a credential cannot be decrypted. */
  load(teamId: number, needs: NeededValues): Promise<TeamValuesSnapshot>;
}
