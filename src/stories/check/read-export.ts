import type { Problem } from '../../platform/errors.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import type { StoryExport } from '../export/export-form.js';
import { importBodyOf } from '../import/import-body.js';
import { type ImportRequest, inspectImport } from '../import/import-request.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** An export with a valid structure, or its faults and its usable parts. */
export type ReadExport =
  | { request: ImportRequest; refusals: [] }
  | { request: undefined; refusals: Problem[]; usable: Usable<StoryExport> };

/** Reads an export, or the body of an import (`{new_name, data}`), from JSON text. */
export function readExport(text: string): ReadExport {
  const parsed = parsedText(text);
  if (parsed === undefined) return { request: undefined, refusals: [{ message: 'is not JSON' }], usable: {} };
  const { request, problems, usable } = inspectImport(importBodyOf(parsed.value));
  if (request !== undefined) return { request, refusals: [] };
  return { request, refusals: problems, usable: usable.data ?? {} };
}

function parsedText(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined; // not JSON: `readExport` reports it
  }
}
