import type { StoryExport } from '../../export/export-form.js';
import type { StoryGraph } from '../../graph/story-graph.js';

/** The newest known version of the export form; later versions give a warning (spec §3.3). */
export const NEWEST_SCHEMA_VERSION = 30;

const FIRST_FORMULA_SCHEMA = 6;

/** Returns the language of a story's templates (spec §8.1). */
export function languageOf(story: StoryExport): StoryGraph['language'] {
  const formulas =
    (story.standard_lib_version ?? null) !== null || story.schema_version >= FIRST_FORMULA_SCHEMA;
  return formulas ? 'formula' : 'liquid';
}
