import type Joi from 'joi';
import { isJsonObject, type JsonObject } from '../../platform/json.js';
import { componentName, ownDescription } from './component.js';
import { describeFields } from './pages/illustrate.js';
import { jsonSchemaOf } from './json-schema.js';

/** The named schemas of one document. */
export interface Components {
  /** JSON Schemas by their names. */
  schemas: Record<string, JsonObject>;
  /**
   * Returns a reference to a schema: by its own name, else by `name`. A schema that is no object with known keys, and
   * has no name, is returned itself.
   * @throws Error if the name stands for another schema.
   */
  refer: (schema: Joi.Schema, name: string) => JsonObject;
}

/** Creates an empty set of named schemas, to which each reference adds its own. */
export function createComponents(): Components {
  const schemas: Record<string, JsonObject> = {};
  const names = new Map<Joi.Schema, string>();
  /** The schemas as they were added: others write into them later. */
  const added = new Map<string, string>();
  const add = (name: string, schema: Joi.Schema): JsonObject => {
    const json = itself(jsonSchemaOf(schema, named), ownDescription(schema));
    describeFields(json);
    const text = JSON.stringify(json);
    if ((added.get(name) ?? text) !== text) {
      throw new Error(`Two schemas have the name ${name} in the OpenAPI document`);
    }
    schemas[name] ??= json;
    added.set(name, text);
    names.set(schema, name);
    for (const shared of sharedBy(schema)) named(shared);
    return reference(name);
  };
  const named = (schema: Joi.Schema): string | undefined => {
    const name = componentName(schema);
    // A link leads to a shared schema, which its owner adds under the same name.
    if (name !== undefined && schema.type !== 'link') add(name, schema);
    return name;
  };
  return {
    schemas,
    refer(schema, name) {
      const known = componentName(schema) ?? names.get(schema);
      if (known !== undefined) return add(known, schema);
      const json = jsonSchemaOf(schema, named);
      return isJsonObject(json['properties']) ? add(name, schema) : json;
    },
  };
}

/** Returns a reference to a named schema. */
function reference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function sharedBy(schema: Joi.Schema): readonly Joi.Schema[] {
  return (schema.$_terms as { shared?: Joi.Schema[] | null }).shared ?? [];
}

/** A schema without what belongs to the places that refer to it: whether they take null, and their description. */
function itself(schema: JsonObject, description: string | undefined): JsonObject {
  const { description: _ofUse, $defs: _shared, ...rest } = schema;
  return withoutNull(description === undefined ? rest : { ...rest, description });
}

function withoutNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const types = type.filter((one) => one !== 'null');
  const [only] = types;
  return { ...schema, type: types.length === 1 && only !== undefined ? only : types };
}
