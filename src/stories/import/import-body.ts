import { isJsonObject } from '../../platform/json.js';

/**
 * The body of an import (spec §3.3) that a file comes to: an export, which goes in under its own name, or such a body
 * itself (`{new_name, data}`). What is neither becomes a body that the import refuses by name.
 */
export function importBodyOf(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) return { data: value };
  const isBody = isJsonObject(value.data) && value.agents === undefined;
  return isBody ? value : { new_name: value.name, data: value };
}
