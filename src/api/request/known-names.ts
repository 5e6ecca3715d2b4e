import type { Problem } from '../../platform/errors.js';
import { isJsonObject } from '../../platform/json.js';
import { isEmptyInput } from '../../platform/validation/strangers.js';

/** The names beside its schemas that a route knows; see `RouteDefinition`. */
export interface KnownNames {
  ignored?: readonly string[] | undefined;
  unsupported?: Readonly<Record<string, string>> | undefined;
}

interface Given {
  query: Record<string, unknown>;
  /** Undefined if the request has no body. */
  body: unknown;
}

/** Returns query and body without the known names, and a problem for each one that asks for what Fabula lacks. */
export function takeKnownNames(
  { ignored = [], unsupported = {} }: KnownNames,
  { query, body }: Given,
): Given & { problems: Problem[] } {
  const names = new Set([...ignored, ...Object.keys(unsupported)]);
  if (names.size === 0) return { query, body, problems: [] };
  const parts = [query, ...(isJsonObject(body) ? [body] : [])];
  const problems = Object.entries(unsupported).flatMap(([name, reason]): Problem[] =>
    parts.some((part) => Object.hasOwn(part, name) && !asksForNothing(part[name]))
      ? [{ message: `"${name}" is not supported here: ${reason}`, details: name }]
      : [],
  );
  return { query: without(query, names), body: isJsonObject(body) ? without(body, names) : body, problems };
}

function asksForNothing(value: unknown): boolean {
  return isEmptyInput(value) || /^false$/i.test(String(value));
}

function without<Part extends Record<string, unknown>>(part: Part, names: ReadonlySet<string>): Part {
  if (!Object.keys(part).some((name) => names.has(name))) return part;
  return Object.fromEntries(Object.entries(part).filter(([name]) => !names.has(name))) as Part;
}
