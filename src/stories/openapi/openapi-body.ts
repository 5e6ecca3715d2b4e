import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { membersOf, type OpenapiDocument, partOf, type Spot, spotAt, textIn } from './imported-document.js';
import { fieldsOfValue, styleOf } from './openapi-parameters.js';
import { exampleOf } from './schema-example.js';

/** The body of an operation: an example of it. */
export interface OpenapiBody {
  contentType: string;
  payload: JsonValue;
  remarks: string[];
}

const FORM = 'application/x-www-form-urlencoded';
/** The first that fits is chosen. */
const PREFERRED = [
  /^application\/json\b/i,
  /\+json\b/i,
  /^\*\/\*|^application\/\*/,
  new RegExp(`^${FORM}`, 'i'),
  /^multipart\/form-data/i,
  /[/+]xml\b/i,
  /^text\//i,
  /./,
];

/** Returns the body of an operation; undefined: it has none. */
export function bodyOfOperation(document: OpenapiDocument, operation: Spot): OpenapiBody | undefined {
  const content = spotAt(document, spotAt(document, operation, 'requestBody'), 'content');
  const types = membersOf(content.value).map(([type]) => type);
  const type = PREFERRED.flatMap((wanted) => types.filter((one) => wanted.test(one)))[0];
  if (type === undefined) return undefined;
  const media = spotAt(document, content, type);
  const example = exampleOf(document, media) ?? {};
  const others = types.filter((other) => other !== type);
  const remarks = others.length === 0 ? [] : [`The operation also takes ${others.slice(0, 5).join(', ')}.`];
  const contentType = type.includes('*')
    ? type.startsWith('text')
      ? 'text/plain'
      : 'application/json'
    : type;
  if (/^multipart\//i.test(type)) {
    return { contentType: 'multipart/form-data', payload: partsIn(document, media, example), remarks };
  }
  if (type.toLowerCase().startsWith(FORM)) {
    return { contentType, payload: formIn(document, media, example), remarks };
  }
  const isObject = typeof example === 'object' && example !== null;
  if (/[/+]json\b/i.test(contentType) || !isObject) return { contentType, payload: example, remarks };
  if (/[/+]xml\b/i.test(contentType))
    return { contentType, payload: xmlIn(document, media, example), remarks };
  return { contentType, payload: '', remarks: [...remarks, 'Fill in the payload.'] };
}

function formIn(document: OpenapiDocument, media: Spot, example: JsonValue): JsonValue {
  if (!isJsonObject(example)) return example;
  const encoding = spotAt(document, media, 'encoding');
  const fields = Object.entries(example).flatMap(([name, value]): [string, JsonValue][] => {
    const style = partOf(encoding.value, name);
    const isPlain = isJsonObject(value) && style === undefined;
    return isPlain ? [[name, stringifyJson(value)]] : fieldsOfValue(name, value, styleOf(style, 'form'));
  });
  return Object.fromEntries(fields);
}

const emptyFile = (name: string) => ({ filename: name, contents: '' });

const isFile = ({ value }: Spot) =>
  textIn(partOf(value, 'format')) === 'binary' || partOf(value, 'contentMediaType') !== undefined;

/** A field of bytes is a file. */
function partsIn(document: OpenapiDocument, media: Spot, example: JsonValue): JsonObject {
  const properties = spotAt(document, spotAt(document, media, 'schema'), 'properties');
  return Object.fromEntries(
    membersOf(isJsonObject(example) ? example : {}).map(([name, value]) => {
      const schema = spotAt(document, properties, name);
      if (isFile(schema)) return [name, emptyFile(name)];
      if (isFile(spotAt(document, schema, 'items'))) return [name, [emptyFile(name)]];
      return [name, isJsonObject(value) ? stringifyJson(value) : value];
    }),
  );
}

/** The schema names the element of the whole. */
function xmlIn(document: OpenapiDocument, media: Spot, example: JsonValue): JsonValue {
  if (!isJsonObject(example)) return example;
  const schema = spotAt(document, media, 'schema');
  const reference = textIn(partOf(partOf(media.value, 'schema'), '$ref'));
  const name = textIn(partOf(partOf(schema.value, 'xml'), 'name')) || reference.split('/').at(-1) || 'root';
  return { [name]: example };
}
