import { charsetNamed } from '../../../platform/text/charsets/charset-named.js';

const ASCII_LABEL = /^[\w.:-]{1,100}$/;

/**
 * Returns the charset of a form: that of its content type, else that of its field `_charset_` (RFC 7578 §4.6), else,
 * if the values are not UTF-8, that of its field `charset`, as PayPal sends. A form in UTF-16 is not possible.
 */
export function formCharset(
  given: string | undefined,
  fields: ReadonlyMap<string, Uint8Array>,
  isUtf8Form: () => boolean,
): string | undefined {
  const named = [given, labelOf(fields.get('_charset_'))].find(isUsable);
  if (named !== undefined) return named;
  const charset = labelOf(fields.get('charset'));
  return isUsable(charset) && !isUtf8Form() ? charset : undefined;
}

function labelOf(bytes: Uint8Array | undefined): string | undefined {
  const text = bytes === undefined || bytes.length > 100 ? '' : Buffer.from(bytes).toString('latin1').trim();
  return ASCII_LABEL.test(text) ? text : undefined;
}

function isUsable(label: string | undefined): label is string {
  const name = label === undefined ? undefined : charsetNamed(label)?.name;
  return name !== undefined && !isWideCharset(name);
}

/** Whether ASCII has other bytes in the charset. */
export function isWideCharset(name: string): boolean {
  return /^utf-?(?:16|32|7)|^ucs/.test(name);
}
