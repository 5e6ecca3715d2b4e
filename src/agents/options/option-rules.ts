import type { JsonObject, JsonValue } from '../../platform/json.js';

/**
 * Rules that the schema of an agent's options does not have, by option. Each calls the function that `run` calls, with
 * the value as the schema gives it and with all options as they are written. It throws PermanentJobError as `run` does.
 */
export type OptionChecks = Readonly<
  Record<string, (value: JsonValue | undefined, options: JsonObject) => unknown>
>;

/** Marks an object schema within options whose names are all known, for `unknownNames` in option-checks.ts. */
export const KNOWN_NAMES = { namesAreKnown: true };
