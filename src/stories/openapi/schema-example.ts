import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import {
  membersOf,
  itemsOf,
  type OpenapiDocument,
  partOf,
  type Spot,
  spotAt,
  textIn,
} from './imported-document.js';

/** Deeper parts of an example are left out: schemas may refer to themselves. */
const MOST_DEPTH = 8;
/** An example beyond this many values helps nobody. */
const MOST_VALUES = 1_000;

/** Returns an example of a media type or a parameter: its own, else one made from its schema; undefined: it has neither. */
export function exampleOf(document: OpenapiDocument, place: Spot): JsonValue | undefined {
  const own = partOf(place.value, 'example');
  if (own !== undefined) return own;
  const examples = spotAt(document, place, 'examples');
  const [first] = membersOf(examples.value);
  const named = first && partOf(spotAt(document, examples, first[0]).value, 'value');
  if (named !== undefined) return named;
  const schema = spotAt(document, place, 'schema');
  return schema.value === undefined ? undefined : exampleOfSchema(document, schema);
}

/** Returns a value that a schema may mean. Required and optional properties are in it, read-only ones are not. */
function exampleOfSchema(document: OpenapiDocument, schema: Spot): JsonValue {
  return new ExampleMaker(document).make(schema, MOST_DEPTH) ?? null;
}

class ExampleMaker {
  #left = MOST_VALUES;

  constructor(private readonly document: OpenapiDocument) {}

  /** Undefined: too deep, or too much already. */
  make(schema: Spot, depth: number): JsonValue | undefined {
    this.#left -= 1;
    if (depth <= 0 || this.#left < 0) return undefined;
    const { value } = schema;
    if (!isJsonObject(value ?? null)) return null;
    const given = givenIn(value);
    if (given !== undefined) return given;
    const all = itemsOf(partOf(value, 'allOf'));
    if (all.length > 0) return this.#merged(schema, all.length, depth);
    for (const key of ['oneOf', 'anyOf']) {
      const chosen = this.#firstOf(schema, key, depth);
      if (chosen !== undefined) return chosen;
    }
    return this.#ofType(schema, depth);
  }

  #firstOf(schema: Spot, key: string, depth: number): JsonValue | undefined {
    const choices = spotAt(this.document, schema, key);
    for (const [at] of itemsOf(choices.value).entries()) {
      const choice = spotAt(this.document, choices, at);
      if (partOf(choice.value, 'type') !== 'null') return this.make(choice, depth - 1);
    }
    return undefined;
  }

  #merged(schema: Spot, count: number, depth: number): JsonValue {
    const own = partOf(schema.value, 'properties') === undefined ? {} : this.#ofType(schema, depth);
    const list = spotAt(this.document, schema, 'allOf');
    const parts = Array.from({ length: count }, (_, at) =>
      this.make(spotAt(this.document, list, at), depth - 1),
    );
    const objects = [...parts, own].filter((part) => isJsonObject(part ?? null));
    const other = parts.find((part) => part !== undefined && part !== null && !isJsonObject(part));
    return other !== undefined && objects.length <= 1 ? other : (Object.assign({}, ...objects) as JsonObject);
  }

  #ofType(schema: Spot, depth: number): JsonValue {
    const { value } = schema;
    const type = typeOf(value);
    if (type === 'object') return this.#object(schema, depth);
    if (type === 'array') {
      const item = this.make(spotAt(this.document, schema, 'items'), depth - 1);
      return item === undefined ? [] : [item];
    }
    if (type === 'integer' || type === 'number') return numberIn(value);
    if (type === 'boolean') return true;
    return type === 'null' ? null : textFor(textIn(partOf(value, 'format')));
  }

  #object(schema: Spot, depth: number): JsonObject {
    const properties = spotAt(this.document, schema, 'properties');
    const made: [string, JsonValue][] = [];
    for (const [name] of membersOf(properties.value)) {
      const property = spotAt(this.document, properties, name);
      if (partOf(property.value, 'readOnly') === true || partOf(property.value, 'deprecated') === true)
        continue;
      const value = this.make(property, depth - 1);
      if (value !== undefined) made.push([name, value]);
    }
    return Object.fromEntries(made);
  }
}

/** What the schema itself gives. */
function givenIn(schema: JsonValue | undefined): JsonValue | undefined {
  const list = itemsOf(partOf(schema, 'examples'));
  return (
    partOf(schema, 'example') ??
    list[0] ??
    partOf(schema, 'default') ??
    partOf(schema, 'const') ??
    itemsOf(partOf(schema, 'enum'))[0]
  );
}

/** OpenAPI 3.1 may have a list of types. */
function typeOf(schema: JsonValue | undefined): string {
  const type = partOf(schema, 'type');
  const named = Array.isArray(type) ? type.map(textIn).find((one) => one !== 'null') : textIn(type);
  if (named !== undefined && named !== '') return named;
  if (partOf(schema, 'properties') !== undefined) return 'object';
  return partOf(schema, 'items') === undefined ? 'string' : 'array';
}

function numberIn(schema: JsonValue | undefined): number {
  const least = partOf(schema, 'minimum');
  return typeof least === 'number' && Number.isFinite(least) ? least : 0;
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  byte: '',
  binary: '',
};

function textFor(format: string): string {
  return Object.hasOwn(TEXTS, format) ? (TEXTS[format] ?? '') : 'text';
}
