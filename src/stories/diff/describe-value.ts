import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { StoryDifference } from './story-diff.js';

/** Characters of a value in a message. */
const MAX_SHOWN = 80;

/** Returns the words for the place of a difference: `"Mark", options.url`. */
export function describePlace({
  kind,
  action,
  path,
}: Pick<StoryDifference, 'kind' | 'action' | 'path'>): string {
  return [action === null ? kind : `"${action}"`, ...(path === null ? [] : [path])].join(', ');
}

/** Returns a value in a message, cut if it is long. A whole action is told by its name. */
export function describeValue(value: JsonValue): string {
  const text = isJsonObject(value) && typeof value.type === 'string' ? 'this action' : stringifyJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
