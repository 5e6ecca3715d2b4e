import { charsetNamed } from './charset-named.js';
import { decodeBytes } from './decode-bytes.js';

/** A document says its charset near its start (HTML Standard: within 1,024 bytes; XML: in its first line). */
const HEAD_BYTES = 1024;

const XML_TYPE = /^(?:application|text)\/(?:xml(?:-dtd|-external-parsed-entity)?|.+\+xml)$/;
const HTML_TYPE = /^text\/html$/;
const JSON_TYPE = /^(?:application|text)\/(?:json|x-json|.+\+json)$/;

/**
 * Returns the text of a document, or undefined if its bytes are no text. The byte order mark wins, then the charset
 * of its content type, then what XML and HTML declare themselves, then UTF-8 (RFC 7303 §3; HTML Standard). What the
 * content type says wrongly, the document's own declaration may mend.
 */
export function decodeDocument(
  bytes: Uint8Array,
  { mediaType, charset }: { mediaType: string; charset?: string | undefined },
): string | undefined {
  const declared = () => declaredCharset(bytes, mediaType);
  if (charset === undefined || charsetNamed(charset) === undefined) return decodeBytes(bytes, declared());
  const text = decodeBytes(bytes, charset);
  if (text !== undefined) return text;
  const own = declared();
  return own === undefined ? undefined : decodeBytes(bytes, own);
}

/** Returns the label of the charset that the bytes of XML, HTML or JSON show; undefined if they show none. */
function declaredCharset(bytes: Uint8Array, mediaType: string): string | undefined {
  const isHtml = HTML_TYPE.test(mediaType);
  const isXml = XML_TYPE.test(mediaType);
  if (isXml || JSON_TYPE.test(mediaType)) {
    const wide = zeroPattern(bytes);
    if (wide !== undefined) return wide;
  }
  if (!isXml && !isHtml) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString(
    'latin1',
  );
  return asDeclared(xmlDeclaration(text) ?? (isHtml ? metaCharset(text) : undefined));
}

/** XML and JSON begin with ASCII: zeros among the first four bytes show UTF-16 or UTF-32 without a mark (XML 1.0 F.1). */
function zeroPattern(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== 0 && bytes[1] !== 0) return undefined;
  const zeros = [...bytes.subarray(0, 4)].map((byte) => (byte === 0 ? '0' : 'x')).join('');
  return ZERO_PATTERNS.get(zeros);
}

const ZERO_PATTERNS: ReadonlyMap<string, string> = new Map([
  ['000x', 'utf-32be'],
  ['x000', 'utf-32le'],
  ['0x0x', 'utf-16be'],
  ['x0x0', 'utf-16le'],
]);

/** A declaration that could be read as ASCII is not in UTF-16, whatever it says. */
function asDeclared(label: string | undefined): string | undefined {
  return label !== undefined && /^(?:utf-?16|utf-?32|ucs|iso-10646)/i.test(label) ? 'utf-8' : label;
}

function xmlDeclaration(head: string): string | undefined {
  const [, , label] =
    /^\s{0,100}<\?xml\s[^>]{0,500}?encoding\s{0,20}=\s{0,20}(["'])([\w.:-]{1,100})\1/.exec(head) ?? [];
  return label;
}

/** `<meta charset="…">`, or the `charset=` of `<meta http-equiv="Content-Type" content="…">`. */
function metaCharset(head: string): string | undefined {
  const withoutComments = head.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  for (const [tag] of withoutComments.matchAll(/<meta[\s/][^>]{0,500}/gi)) {
    const [, label] = /[\s/;"']charset\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:-]{1,100})/i.exec(tag) ?? [];
    if (label !== undefined && charsetNamed(label) !== undefined) return label;
  }
  return undefined;
}
