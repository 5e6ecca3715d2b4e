import { isUtf8 } from 'node:buffer';
import { bytesOf } from '../../platform/text/byte-text.js';
import { charsetNamed } from '../../platform/text/charsets/charset-named.js';
import { encodeText } from '../../platform/text/charsets/encode-text.js';
import { charsetOf } from '../../platform/headers/content-type.js';
import type { RequestBody } from '../agent.js';
import { type FormField, writtenFields } from './query.js';

const CHARSET = /;(\s*)charset\s*=\s*(?:"[^"]*"|'[^']*'|[^\s;]+)/i;

/**
 * Encodes a text in the charset that the content type names, UTF-8 by default. A text with a character that this
 * charset lacks is sent as UTF-8, and labelled so. Decoded bytes are sent unchanged.
 */
export function bodyInCharset(text: string, contentType: string): RequestBody {
  const charset = otherCharset(contentType);
  const bytes = bytesOf(text);
  if (charset === undefined || !isUtf8(bytes)) return { body: bytes, contentType };
  const encoded = encodeText(text, charset);
  return encoded === undefined
    ? { body: bytes, contentType: labelledUtf8(contentType) }
    : { body: encoded, contentType };
}

/** Encodes form fields; what `%` codes stand for is in the charset too. */
export function formInCharset(fields: FormField[], contentType: string): RequestBody {
  const charset = otherCharset(contentType);
  const texts = fields.flat().filter((text) => text !== undefined);
  const fits = charset !== undefined && texts.every((text) => encodeText(text, charset) !== undefined);
  const encode = fits ? (text: string) => encodeText(text, charset) ?? Buffer.alloc(0) : bytesOf;
  return {
    body: Buffer.from(writtenFields(fields, encode)),
    contentType: charset === undefined || fits ? contentType : labelledUtf8(contentType),
  };
}

/** JSON is UTF-8 whatever its label says (RFC 8259 §8.1); with another label it is ASCII, which is both. */
export function jsonInCharset(json: string, contentType: string): RequestBody {
  const isOther = otherCharset(contentType) !== undefined;
  const text = isOther ? json.replace(/[^\0-\x7f]/g, escaped) : json;
  return { body: Buffer.from(text), contentType };
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the label of a known charset other than UTF-8. */
function otherCharset(contentType: string): string | undefined {
  const label = charsetOf(contentType);
  const charset = label === undefined ? undefined : charsetNamed(label);
  return charset === undefined || charset.name === 'utf-8' ? undefined : label;
}

function labelledUtf8(contentType: string): string {
  return contentType.replace(CHARSET, ';$1charset=utf-8');
}
