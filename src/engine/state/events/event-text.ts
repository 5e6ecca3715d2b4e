import type { AgentLogLevel } from '../../../agents/face.js';
import type { JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { wholeJson, wholeNote } from '../../../platform/json/whole-json.js';
import type { AgentLogEntry } from '../outcome.js';

/**
 * Returns the JSON text that an event is stored as. No text in it holds bytes or half of a character (notes/formats.md, Charsets);
 * `log` is told where one was changed.
 */
export function storedEventText(
  value: JsonValue,
  log: (level: AgentLogLevel, message: string) => void,
): string {
  const { json, changes } = wholeJson(stringifyJson(value));
  const note = wholeNote('The event', changes);
  if (note !== undefined) log('warn', note);
  return json;
}

/** Returns a function that adds log lines to a list. */
export function noteInto(logs: AgentLogEntry[]): (level: AgentLogLevel, message: string) => void {
  return (level, message) => logs.push({ level, message });
}
