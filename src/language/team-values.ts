import type { JsonValue } from '../platform/json.js';

/** Values that templates of a team's stories may refer to besides the event; each by name and by slug. */
export interface TeamValuesSnapshot {
  resources: ReadonlyMap<string, JsonValue>;
  /** References: only the clients know the secrets themselves (decision 0026). */
  credentials: ReadonlyMap<string, string>;
  stories: ReadonlyMap<string, JsonValue>;
}

/** The kinds to load; the others stay empty. */
export interface NeededValues {
  resources: boolean;
  credentials: boolean;
  stories: boolean;
  /** Whether the story is a draft: resources and credentials have their test values, where these are enabled. */
  isTest?: boolean | undefined;
}

/** Loads the values of a team, cached for a few seconds. */
export interface TeamValues {
  /** `since`: values that were read earlier do not count, by `performance.now()`. @throws when the database is unreachable, or ENCRYPTION_KEY is not configured. */
  load(teamId: number, needs: NeededValues, since?: number): Promise<TeamValuesSnapshot>;
  /** Returns the team's name as addresses write it; undefined if there is no such team. Not cached: it gives access. */
  slugOf(teamId: number): Promise<string | undefined>;
}
