import { isJsonObject, type JsonValue } from '../../../platform/json.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';

/** The parts of a value that are wanted. */
export interface Choice {
  /** Keys whose values are wanted whole. */
  whole: Set<string>;
  /** Keys of whose values parts are wanted. */
  parts: Map<string, Choice>;
}

/** Returns the choice of these paths. The last key of a path may have dots: `headers.a.b` is `a` and `b`, or `a.b`. */
export function choiceOf(paths: readonly string[]): Choice {
  const choice: Choice = { whole: new Set(), parts: new Map() };
  for (const path of paths) choose(path, choice);
  return choice;
}

function choose(path: string, choice: Choice): void {
  choice.whole.add(path);
  const [key, rest] = divided(path);
  if (rest === undefined) return;
  const inside = choice.parts.get(key) ?? choiceOf([]);
  choice.parts.set(key, inside);
  choose(rest, inside);
}

/** Returns the chosen parts of a value, and of each entry of a list. */
export function chosen(value: JsonValue, choice: Choice): JsonValue {
  if (Array.isArray(value)) return value.map((each) => chosen(each, choice));
  if (!isJsonObject(value)) return value;
  return orderedObject(
    Object.entries(value).flatMap(([key, part]): [string, JsonValue][] => {
      if (choice.whole.has(key)) return [[key, part]];
      const inside = choice.parts.get(key);
      return inside === undefined ? [] : [[key, chosen(part, inside)]];
    }),
  );
}

/** Whether something stands at the path; also if there is nothing to tell by, as in an empty list. */
export function leadsSomewhere(value: JsonValue, path: string): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0 || value.some((each) => leadsSomewhere(each, path));
  if (!isJsonObject(value)) return false;
  if (Object.hasOwn(value, path)) return true;
  const [key, rest] = divided(path);
  const part = Object.hasOwn(value, key) ? value[key] : undefined;
  return part !== undefined && rest !== undefined && leadsSomewhere(part, rest);
}

/** The first key of a path, and what follows it. */
function divided(path: string): [key: string, rest: string | undefined] {
  const dot = path.indexOf('.');
  return dot === -1 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)];
}
