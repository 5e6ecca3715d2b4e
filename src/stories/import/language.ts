import type { StoryExport } from '../export-form.js';
import type { StoryGraph } from '../story-graph.js';

/** The newest form of export that is known; later ones are read with a warning (spec §3.3). */
export const NEWEST_SCHEMA_VERSION = 30;

const FIRST_FORMULA_SCHEMA = 6;

/** The language of a story's templates (spec §8.1). */
export function languageOf(story: StoryExport): StoryGraph['language'] {
  const formulas =
    (story.standard_lib_version ?? null) !== null || story.schema_version >= FIRST_FORMULA_SCHEMA;
  return formulas ? 'formula' : 'liquid';
}
