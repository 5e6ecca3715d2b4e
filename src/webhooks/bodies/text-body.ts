import type { JsonValue } from '../../platform/json.js';
import { decodeText } from './charset.js';
import { sniffJson } from './json-body.js';

/** A body that is text, or base64 of bytes that are not. */
export interface TextBody {
  value: JsonValue;
  encoding?: 'base64';
}

const NUL = 0;

/**
 * A body of no declared structure: text, or base64 where the bytes are no text (invalid in the charset, or
 * holding a NUL). With `sniff`, text that is a JSON object or list becomes that value (spec §4.3).
 */
export function parseTextBody(bytes: Buffer, charset: string | undefined, sniff: boolean): TextBody {
  const text = decodeText(bytes, charset);
  // UTF-16 is full of NUL bytes; only in the text itself do they mean binary data.
  if (text === undefined || text.includes(String.fromCharCode(NUL))) {
    return { value: bytes.toString('base64'), encoding: 'base64' };
  }
  return { value: (sniff ? sniffJson(text) : undefined) ?? text };
}
