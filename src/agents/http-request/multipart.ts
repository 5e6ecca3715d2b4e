import { bytesOf } from '../../platform/text/byte-text.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { decodeBase64 } from '../base64.js';
import { optionText } from '../options/options.js';
import { formFields, type ParamsEncoder } from './query.js';

/** A file field of a multipart body. */
interface FilePart {
  filename: string;
  contentType: string;
  content: Buffer;
}

/**
 * Encodes an object as `multipart/form-data`. A field `{filename, contents}` or `{filename, base64encodedcontents}` is
 * a file (`content_type` optional); a list of files gives one part for each.
 */
export function multipartBody(
  object: JsonObject,
  { boundary, encoder }: { boundary: string; encoder: ParamsEncoder },
): Buffer {
  const parts = Object.entries(object).flatMap(([name, value]) => partsOf(name, value, encoder));
  const framed = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...framed, Buffer.from(`--${boundary}--\r\n`)]);
}

function partsOf(
  name: string,
  value: JsonValue,
  encoder: ParamsEncoder,
): { head: string; content: Buffer }[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isFile)) {
    const key = encoder === 'flat' ? name : `${name}[]`;
    return value.map((file, index) => filePart(key, fileOf(file, `payload.${name}[${index}]`)));
  }
  if (Array.isArray(value) && value.length === 0) return [];
  if (isFile(value)) return [filePart(name, fileOf(value, `payload.${name}`))];
  return formFields({ [name]: value }, encoder).map(([key, text = '']) => ({
    head: `Content-Disposition: form-data; name="${quoted(key)}"`,
    content: bytesOf(text),
  }));
}

function isFile(value: JsonValue): value is JsonObject {
  return (
    isJsonObject(value) && ('base64encodedcontents' in value || ('contents' in value && 'filename' in value))
  );
}

function fileOf(value: JsonObject, place: string): FilePart {
  const { filename, contents, content_type: contentType, base64encodedcontents: encoded } = value;
  const content =
    encoded === undefined
      ? bytesOf(optionText(contents))
      : decodeBase64(optionText(encoded), `${place}.base64encodedcontents`);
  return { filename: optionText(filename) || 'file', contentType: optionText(contentType), content };
}

function filePart(name: string, { filename, contentType, content }: FilePart) {
  const type = /^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/.test(contentType)
    ? contentType
    : 'application/octet-stream';
  const disposition = `form-data; name="${quoted(name)}"; filename="${quoted(filename)}"`;
  return { head: `Content-Disposition: ${disposition}\r\nContent-Type: ${type}`, content };
}

/** Escapes names in multipart headers as browsers do. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
