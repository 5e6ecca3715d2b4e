import type Joi from 'joi';

/**
 * Names a schema in the OpenAPI document: clients get one type `name` for it. A name stands for one schema only.
 * Routes without names get them from their path (`openapi/operation.ts`).
 */
export function component<Schema extends Joi.Schema>(name: string, schema: Schema): Schema {
  const component: Named = { name, description: () => descriptionOf(schema) };
  return schema.meta({ component }) as Schema;
}

/** A schema's name in the OpenAPI document. */
interface Named {
  name: string;
  /** Returns the description that it had when it was named. */
  description: () => string | undefined;
}

/** Returns the name of a schema in the OpenAPI document, the last one if it was named again; undefined without one. */
export function componentName(schema: Joi.Schema): string | undefined {
  return namedAs(schema)?.name;
}

/** Returns the description of the named schema itself, without that of its use. */
export function ownDescription(schema: Joi.Schema): string | undefined {
  return namedAs(schema)?.description();
}

/** Returns the description that a schema got after it was named: that of one of its uses. */
export function useDescription(schema: Joi.Schema): string | undefined {
  const description = descriptionOf(schema);
  return description === ownDescription(schema) ? undefined : description;
}

function namedAs(schema: Joi.Schema): Named | undefined {
  const { metas } = schema.$_terms as { metas?: { component?: Named }[] | null };
  return metas?.findLast(({ component: named }) => named !== undefined)?.component;
}

function descriptionOf(schema: Joi.Schema): string | undefined {
  const { flags } = schema.describe() as { flags?: { description?: string } };
  return flags?.description;
}
