import type { JsonValue } from '../../../platform/json.js';
import { decodeDocument } from '../../../platform/text/charsets/document-charset.js';
import { sniffJson } from './json-body.js';

/** A text body, or the base64 of a binary one. */
export interface TextBody {
  value: JsonValue;
  encoding?: 'base64';
}

const NUL = 0;

/**
 * Parses a body without a declared structure: text, or base64 if the bytes are not text (invalid in the charset, or
 * with a NUL). With `sniff`, text that is a JSON object or list becomes that value (spec §4.3).
 */
export function parseTextBody(
  bytes: Buffer,
  { mediaType, charset }: { mediaType: string; charset?: string | undefined },
  sniff: boolean,
): TextBody {
  const text = decodeDocument(bytes, { mediaType, charset });
  // UTF-16 bytes are full of NULs; only a NUL in the decoded text means binary data.
  if (text === undefined || text.includes(String.fromCharCode(NUL))) {
    return { value: bytes.toString('base64'), encoding: 'base64' };
  }
  return { value: (sniff ? sniffJson(text) : undefined) ?? text };
}
