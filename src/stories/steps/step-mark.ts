import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';

/** The key of an action or a note under which it remembers the step that it came from. Exports, drafts and versions have it too. */
export const MARK = 'fabula_step';

/** The step that an action came from. */
export interface StepMark {
  /** The guid of the step. */
  guid: string;
  version: number;
  /** The action in the step. */
  action: string;
  /** Tells two uses of a step in one story apart; absent in a step itself. */
  use?: string;
}

/** The step that a note came from. Its version is that of the actions that were inserted with it. */
export interface NoteMark extends Pick<StepMark, 'guid' | 'use'> {
  /** The note in the step. */
  note: string;
}

function markIn(form: JsonObject): JsonObject {
  const mark = Object.hasOwn(form, MARK) ? form[MARK] : undefined;
  return isJsonObject(mark) ? mark : {};
}

/** Returns the mark of a note; undefined: it has none. */
export function noteMarkOf(form: JsonObject): NoteMark | undefined {
  const { guid, note, use } = markIn(form);
  if (typeof guid !== 'string' || typeof note !== 'string') return undefined;
  return { guid, note, ...(typeof use === 'string' && { use }) };
}

/** Returns the mark of an action in the form of an export, or of the keys without a column; undefined: it has none. */
export function stepMarkOf(form: JsonObject): StepMark | undefined {
  const { guid, version, action, use } = markIn(form);
  if (typeof guid !== 'string' || typeof action !== 'string' || !Number.isInteger(version)) return undefined;
  return { guid, version: Number(version), action, ...(typeof use === 'string' && { use }) };
}

/** Returns the form with this mark in place of the one it had. */
export function withMark(form: JsonObject, mark: StepMark | NoteMark): JsonObject {
  return mergedObjects<JsonValue>(form, { [MARK]: { ...mark } });
}

const GUID = /^[0-9a-f]{32}$/;
/** The greatest number in a column of whole numbers. */
const MOST_VERSION = 2_147_483_647;

/** Returns the columns by which the uses of a step are found; a mark that cannot be one of a step has none. */
export function markColumns(extra: JsonObject): { guid: string; version: number } | undefined {
  const mark = stepMarkOf(extra);
  if (mark === undefined || !GUID.test(mark.guid)) return undefined;
  return mark.version >= 0 && mark.version <= MOST_VERSION
    ? { guid: mark.guid, version: mark.version }
    : undefined;
}
