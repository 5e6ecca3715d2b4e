import type { JsonValue } from '../platform/json.js';

/** What templates of a team's stories may refer to besides the event; each by name and by slug. */
export interface TeamValuesSnapshot {
  resources: ReadonlyMap<string, JsonValue>;
  /** References: the secrets themselves are known to the clients alone (decision 0026). */
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
  /** @throws when the database cannot be reached, or ENCRYPTION_KEY is not configured. */
  load(teamId: number, needs: NeededValues): Promise<TeamValuesSnapshot>;
}
