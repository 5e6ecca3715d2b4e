import type { JsonObject } from '../../platform/json.js';
import { HIDDEN } from '../../platform/secrets/hidden-secrets.js';

export const WEBHOOK_TYPE = 'Agents::WebhookAgent';

/** The allowed webhook paths (spec §3.3); clients remove `.` and `..` from an address. */
const PATH = /^(?!\.{1,2}$)[A-Za-z0-9\-_.~]{1,255}$/;

/** A text in place of an address that was taken out of an export: `<assigned-on-import>`. */
const PLACEHOLDER = /^<[^<>]*>$/;

/**
 * Returns the webhook address in options; blank values, placeholders and a hidden secret count as absent, numbers as text.
 */
export function givenAddress(options: JsonObject): { path: string | undefined; secret: string | undefined } {
  const secret = scalarText(options.secret);
  return { path: scalarText(options.path), secret: secret === HIDDEN ? undefined : secret };
}

/** Returns the reason why a path is invalid; undefined if it is valid. */
export function pathProblem(path: string): string | undefined {
  return PATH.test(path) ? undefined : 'can only contain letters, digits and -_.~ (at most 255 characters)';
}

function scalarText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || PLACEHOLDER.test(text) ? undefined : text;
}
