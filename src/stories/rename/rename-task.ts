import { createLanguages } from '../../language/face.js';
import type { Problem } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { StoryGraph } from '../graph/story-graph.js';
import { renameAction, type RenameOrder } from './rename-action.js';
import { renameSeveral, type SeveralRenames } from './rename-several.js';

/** The JSON text of a `RenameOrder`, or of `SeveralRenames`, in the language of its story. */
export interface RenameWork {
  language: StoryGraph['language'];
  order: string;
}

/** The JSON text of a `RenamePreview`, or of a `RenamesPreview`; or why an action cannot have the name. */
export type RenameDone = { json: string; problems?: undefined } | { json?: undefined; problems: Problem[] };

const languages = createLanguages();

/** For `TASKS`: returns what a rename of an action, or of several, changes. */
export function renameInThread({ language, order }: RenameWork): RenameDone {
  const given = parseJson(order) as unknown as RenameOrder | SeveralRenames;
  const { preview, problems } =
    'renames' in given ? renameSeveral(given, languages[language]) : renameAction(given, languages[language]);
  return preview === undefined ? { problems } : { json: stringifyJson(preview) };
}
