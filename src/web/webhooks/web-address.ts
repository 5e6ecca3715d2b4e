import type { JsonValue } from '../../platform/json.js';

/** Returns `value` as an http or https address that is valid in a header; undefined for anything else. */
export function webAddress(value: JsonValue): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  // `URL` silently drops line breaks; a text with line breaks is no address.
  if (!/^https?:\/\/\P{Cc}*$/iu.test(text) || !URL.canParse(text)) return undefined;
  return /^[\x21-\x7e]+$/.test(text) ? text : new URL(text).href;
}
