import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { referredName } from './schema-fields.js';

type Schemas = Readonly<Record<string, JsonObject>>;

/**
 * Returns one of the named schemas as a JSON Schema document of its own, with those that it refers to.
 * @throws Error if there is no schema of this name.
 */
export function standaloneSchema(name: string, schemas: Schemas): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name,
    ...referringSchema({ $ref: `#/components/schemas/${name}` }, schemas),
  };
}

/**
 * Returns a schema with the named schemas that it refers to, under `$defs` if there are any.
 * @throws Error if it refers to one that is not there.
 */
export function referringSchema(schema: JsonObject, schemas: Schemas): JsonObject {
  const $defs: JsonObject = {};
  const add = (wanted: string): void => {
    if (Object.hasOwn($defs, wanted)) return;
    const referred = schemas[wanted];
    if (referred === undefined) throw new Error(`There is no schema ${wanted}`);
    $defs[wanted] = true;
    $defs[wanted] = redirected(referred, add);
  };
  const root = redirected(schema, add) as JsonObject;
  return Object.keys($defs).length === 0 ? root : { ...root, $defs };
}

/** Returns the schema with references to `$defs`; each name that it refers to is added. */
function redirected(schema: JsonValue, add: (name: string) => void): JsonValue {
  if (Array.isArray(schema)) return schema.map((part) => redirected(part, add));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key !== '$ref' || typeof value !== 'string') return [key, redirected(value, add)];
      add(referredName(value));
      return [key, `#/$defs/${referredName(value)}`];
    }),
  );
}
