import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { decodeBytes, decodePiece } from '../../../platform/text/charsets/decode-bytes.js';
import { sniffJson } from './json-body.js';
import { headerParameters } from './header-parameters.js';
import {
  decodeName,
  malformed,
  MAX_BODY_PARTS,
  multipartParts,
  type Part,
  tooManyParts,
} from './multipart-parts.js';
import { setNested } from './nested-names.js';
import { formCharset } from './form-charset.js';

/**
 * Parses a `multipart/form-data` body: fields by name (nested as in Rails), files as
 * `{filename, content_type, size, contents}` with base64 contents (spec §4.3). Several files of one name are a list.
 * A file input that was left empty (no file name, no bytes) is no field.
 * @throws BadRequest when it is malformed or cut short, PayloadTooLarge for more than 1,000 parts.
 */
export function parseMultipartBody(bytes: Buffer, contentType: string): JsonObject {
  const { parameters } = headerParameters(contentType);
  const boundary = parameters.get('boundary');
  if (boundary === undefined || boundary === '') throw malformed('the content type has no boundary');
  const parts = multipartParts(bytes, boundary).flatMap(filesOfMixed);
  if (parts.length > MAX_BODY_PARTS) throw tooManyParts();
  const charsetOfPart = charsetsOf(parts, parameters.get('charset'));
  const entries = parts.flatMap((part) => entryOf(part, charsetOfPart));
  return objectOf(entries);
}

/** Older senders put the files of one field into a part of their own (RFC 2388 §4.2). */
function filesOfMixed(part: Part): Part[] {
  const boundary = part.type.parameters.get('boundary');
  if (part.type.value !== 'multipart/mixed' || boundary === undefined || boundary === '') return [part];
  const name = part.disposition.parameters.get('name') ?? '';
  return multipartParts(part.bytes, boundary).map((file) => ({
    ...file,
    disposition: {
      ...file.disposition,
      parameters: new Map([...file.disposition.parameters, ['name', name]]),
    },
  }));
}

/**
 * Returns the charset of a part: its own, else the one that the field `charsets` gives it (JSON by field name, as
 * SendGrid sends), else that of the form.
 */
function charsetsOf(parts: Part[], charset: string | undefined): (part: Part) => string | undefined {
  const texts = new Map(
    parts.filter((part) => !isFile(part)).map((part) => [nameBytes(part), part.bytes] as const),
  );
  const byField = sniffJson(texts.get('charsets')?.toString('latin1') ?? '');
  const common = formCharset(charset, texts, () => [...texts.values()].every((value) => isUtf8(value)));
  return (part) => {
    const own = part.type.parameters.get('charset');
    if (own !== undefined) return own;
    const listed = isJsonObject(byField) ? byField[nameBytes(part)] : undefined;
    return typeof listed === 'string' ? listed : common;
  };
}

function nameBytes({ disposition }: Part): string {
  return disposition.parameters.get('name') ?? disposition.extended.get('name') ?? '';
}

function isFile({ disposition: { parameters, extended } }: Part): boolean {
  return parameters.has('filename') || extended.has('filename');
}

interface Entry {
  name: string;
  value: JsonValue;
  isFile: boolean;
}

/** A part without a name is dropped: the event has no key for it. */
function entryOf(part: Part, charsetOfPart: (part: Part) => string | undefined): Entry[] {
  const charset = charsetOfPart(part);
  const { parameters, extended } = part.disposition;
  const name = extended.get('name') ?? decodeName(parameters.get('name') ?? '', charset);
  if (name === '') return [];
  const given = extended.get('filename') ?? decodeName(parameters.get('filename') ?? '', charset);
  const { bytes } = part;
  if (!isFile(part) && !isBinary(part))
    return [{ name, value: decodeBytes(bytes, charset) ?? decodePiece(bytes, charset), isFile: false }];
  if (given === '' && bytes.length === 0) return [];
  // Some browsers send the whole path.
  const filename = given.replace(/^[\s\S]*[/\\]/, '');
  const type = part.type.value === '' ? 'application/octet-stream' : part.type.value;
  const contents = bytes.toString('base64');
  return [{ name, value: { filename, content_type: type, size: bytes.length, contents }, isFile: true }];
}

/** A part that has another type than text, and bytes that are no text, is a file without a name. */
function isBinary({ type, bytes }: Part): boolean {
  return type.value !== '' && !/^text\/|[/+](json|xml)$/.test(type.value) && !isUtf8(bytes);
}

/** The last of equal names wins, but files of one name become a list, and win over texts (RFC 7578 §4.3). */
function objectOf(entries: Entry[]): JsonObject {
  const files = new Map<string, JsonValue[]>();
  for (const { name, value, isFile: isFileEntry } of entries) {
    if (isFileEntry && !name.endsWith('[]')) files.set(name, [...(files.get(name) ?? []), value]);
  }
  const fields: JsonObject = {};
  for (const { name, value } of entries) {
    const list = files.get(name);
    setNested(fields, name, list === undefined ? value : list.length === 1 ? (list[0] ?? null) : list);
  }
  return fields;
}
