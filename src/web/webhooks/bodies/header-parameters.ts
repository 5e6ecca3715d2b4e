import { decodePiece } from '../../../platform/text/charsets/decode-bytes.js';

/** The value of a header with parameters, such as `form-data; name="a"`. */
export interface HeaderParameters {
  /** In lower case. */
  value: string;
  /** By name in lower case; each byte is one character. */
  parameters: ReadonlyMap<string, string>;
  /** Parameters that name their own charset (RFC 8187), decoded. */
  extended: ReadonlyMap<string, string>;
}

/** An unterminated quotation takes the rest, so that each character is read once. */
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)|([^\s;]*))/g;

/** Parses a header whose bytes are one character each. */
export function headerParameters(latin1: string): HeaderParameters {
  const parameters = new Map<string, string>();
  const extended = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of latin1.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    // A browser writes paths of Windows with single backslashes.
    const text = quoted === undefined ? plain : quoted.replace(/\\(["\\])/g, '$1');
    if (key.endsWith('*')) extended.set(key.slice(0, -1), extendedText(text));
    else if (!parameters.has(key)) parameters.set(key, text);
  }
  return { value: latin1.split(';', 1)[0]?.trim().toLowerCase() ?? '', parameters, extended };
}

/** `UTF-8''caf%C3%A9` → `café`. */
function extendedText(text: string): string {
  const [, charset, encoded = text] = /^([^']*)'[^']*'([\s\S]*)$/.exec(text) ?? [];
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decodePiece(Buffer.from(bytes, 'latin1'), charset === '' ? undefined : charset);
}
