import { parseExact } from '../text/exact-json.js';
import { type CurlRequest, type FormPart, note } from './curl-request.js';
import { isSecretField, type SecretList } from './found-secrets.js';
import { isObject } from './literal-text.js';
import { readMultipart } from './multipart-text.js';
import { type Fields, fieldsOf, hasLists, objectOf } from './query-fields.js';

/** The body of a call. */
export interface CallBody {
  /** A media type, as the option `content_type` has it. */
  contentType: string;
  payload: unknown;
  /** Whether a field is there several times. */
  isFlat: boolean;
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** Reads the body of a call; undefined: it has none. Texts are as they came. */
export function callBody(request: CurlRequest, contentType: string | undefined): CallBody | undefined {
  if (request.form.length > 0) return formBody(request.form);
  const { body } = request;
  if (body === undefined || request.isGet || (body === '' && !request.isJson)) return undefined;
  if (request.isJson) return jsonBody(body, contentType ?? 'application/json', request);
  if (contentType === undefined) return unnamedBody(request, body);
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/[/+]json$/.test(mediaType)) return jsonBody(body, contentType, request);
  if (mediaType === FORM) return encodedBody(body, contentType);
  const parts = mediaType === MULTIPART ? readMultipart(body, contentType) : undefined;
  if (parts !== undefined) {
    const file = parts.find((part) => part.file !== undefined);
    if (file !== undefined)
      note(request, `Fill in the content of the file ${file.file} at payload.${file.name}.`);
    return formBody(parts);
  }
  return { contentType, payload: body, isFlat: false };
}

/** Without a type curl sends a form; JSON is meant as JSON by whoever wrote it. */
function unnamedBody(request: CurlRequest, body: string): CallBody {
  if (request.isUpload) return { contentType: 'application/octet-stream', payload: body, isFlat: false };
  const value = jsonIn(body);
  if (value === undefined) return encodedBody(body, FORM);
  note(
    request,
    `The command names no content type, so curl sends this JSON as ${FORM}. Here it is sent as JSON.`,
  );
  return { contentType: 'application/json', payload: value, isFlat: false };
}

function jsonBody(body: string, contentType: string, request: CurlRequest): CallBody {
  const value = jsonIn(body);
  if (value !== undefined) return { contentType, payload: value, isFlat: false };
  if (!/^\s*(?:"|-?\d|true|false|null)/.test(body))
    note(request, 'The body is not JSON. It is sent as it is.');
  return { contentType, payload: body, isFlat: false };
}

/** Returns the object or list that the text is. */
function jsonIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseExact(text) as object;
  } catch {
    return undefined;
  }
}

function encodedBody(body: string, contentType: string): CallBody {
  const fields: Fields | undefined = body.includes('=') ? fieldsOf(body) : undefined;
  if (fields === undefined) return { contentType, payload: body, isFlat: false };
  return { contentType, payload: objectOf(fields, (text) => text), isFlat: hasLists(fields) };
}

function formBody(parts: readonly FormPart[]): CallBody {
  const fields = new Map<string, unknown[]>();
  for (const { name, text, file, type } of parts) {
    const value =
      file === undefined
        ? text
        : { filename: file, ...(type !== undefined && { content_type: type }), contents: text };
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  const entries = [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
  return {
    contentType: MULTIPART,
    payload: Object.fromEntries(entries),
    isFlat: [...fields.values()].some((values) => values.length > 1),
  };
}

/** Returns the payload as templates: texts as `write` gives them, and credentials in place of secrets. */
export function payloadTemplate(
  value: unknown,
  { list, write }: { list: SecretList; write: (text: string) => string },
  place: { where: string; name: string } = { where: 'payload', name: '' },
): unknown {
  const { where, name } = place;
  const given = { list, write };
  if (typeof value === 'string') {
    if (value === '' || !isSecretField(name, value)) return write(value);
    return list.keep({ where, kind: 'secret in body', value });
  }
  if (Array.isArray(value)) {
    return value.map((item, at) => payloadTemplate(item, given, { where: `${where}[${at}]`, name }));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      payloadTemplate(item, given, { where: `${where}.${key}`, name: key }),
    ]),
  );
}
