import type { JsonValue } from '../../../platform/json.js';

/** A filter for the author of a story. */
export interface FilterDocs {
  /** Names of its arguments: `length?, ending?`. One with `?` is optional. */
  takes: string;
  /** Its result, as part of a sentence. */
  gives: string;
  /** A template, and its value with `EXAMPLE_EVENT`. */
  example: [template: string, result: JsonValue];
}

/** The documentation of filters, by name. */
export type FilterDocsTable = Readonly<Record<string, FilterDocs>>;
