import type { JsonValue } from '../../../platform/json.js';
import { ExactNumber } from '../../../platform/json/exact-number.js';
import { MAX_OUTPUT_CHARACTERS } from '../../limits.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import { sizeWithin } from '../../values/value-size.js';
import { Lambda } from '../functions/formula-function.js';

/**
 * Returns the value of a whole formula as JSON.
 * @throws TemplateError when it is too large, or contains a value that JSON cannot represent.
 */
export function jsonResult(value: unknown, mostCharacters = MAX_OUTPUT_CHARACTERS): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof ExactNumber) return value;
  sizeWithin(value, mostCharacters);
  refuseLambdas(value);
  return value as JsonValue;
}

function refuseLambdas(value: unknown): void {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next instanceof Lambda) throw new TemplateError('A LAMBDA cannot be the result of a formula');
    if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (typeof next === 'object' && next !== null) {
      for (const item of Object.values(next)) pending.push(item);
    }
  }
}
