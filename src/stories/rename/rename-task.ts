import { createLanguages } from '../../language/face.js';
import type { Problem } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { StoryGraph } from '../graph/story-graph.js';
import { renameAction, type RenameOrder } from './rename-action.js';

/** The JSON text of a `RenameOrder`, in the language of its story. */
export interface RenameWork {
  language: StoryGraph['language'];
  order: string;
}

/** The JSON text of a `RenamePreview`, or why the action cannot have the name. */
export type RenameDone = { json: string; problems?: undefined } | { json?: undefined; problems: Problem[] };

const languages = createLanguages();

/** For `TASKS`: returns what a rename of an action changes. */
export function renameInThread({ language, order }: RenameWork): RenameDone {
  const { preview, problems } = renameAction(parseJson(order) as unknown as RenameOrder, languages[language]);
  return preview === undefined ? { problems } : { json: stringifyJson(preview) };
}
