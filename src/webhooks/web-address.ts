import type { JsonValue } from '../platform/json.js';

/** The http or https address that `value` is, fit for a header; undefined for anything else. */
export function webAddress(value: JsonValue): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  // A URL parser drops line breaks without a word; here they show that the text is no address.
  if (!/^https?:\/\/\P{Cc}*$/iu.test(text) || !URL.canParse(text)) return undefined;
  return /^[\x21-\x7e]+$/.test(text) ? text : new URL(text).href;
}
