import { isJsonObject } from '../../platform/json.js';

/**
 * Returns the body of an import (spec §3.3) for a file's JSON: an export is imported under its own name; a body
 * (`{new_name, data}`) is used unchanged. Anything else becomes a body that the import refuses with a message.
 */
export function importBodyOf(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) return { data: value };
  const isBody = isJsonObject(value.data) && value.agents === undefined;
  return isBody ? value : { new_name: value.name, data: value };
}
