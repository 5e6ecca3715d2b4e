import { isJsonObject, type JsonObject } from '../../platform/json.js';
import {
  type AnyRoute,
  createComponents,
  jsonSchemaOf,
  operationIdOf,
  operationOf,
  referringSchema,
} from '../../api/face.js';
import { FORM_PROPERTIES } from './responses/response-form.js';
import { type ResponseShape, responseShapeOf, outputSchemaOf } from './responses/response-shape.js';
import { OFFERED_OPERATIONS, type OfferedOperation } from './tool-list.js';

/** An operation of the API as a tool. */
export interface ApiTool<Services> {
  /** `list_stories` for the operation `listStories`. */
  name: string;
  route: AnyRoute<Services>;
  description: string;
  /** The arguments that stand in the query of the route. */
  inQuery: ReadonlySet<string>;
  /** JSON Schema of the arguments: parameters of path and query, and fields of the body. */
  inputSchema: JsonObject & { type: 'object' };
  /** Undefined for a route that answers no object: one without a body. */
  shape: ResponseShape | undefined;
  outputSchema: (JsonObject & { type: 'object' }) | undefined;
  /** Its response is changed and sent back: no part of it may be missing. */
  isSentBack: boolean;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** Returns the tools that these routes give, in the order of `OFFERED_OPERATIONS`. */
export function toolsOf<Services>(routes: readonly AnyRoute<Services>[]): ApiTool<Services>[] {
  return [...eachTool(routes)];
}

/** Returns the tools one after the other: each takes some 10 ms of processor time. */
export function* eachTool<Services>(routes: readonly AnyRoute<Services>[]): Generator<ApiTool<Services>> {
  const known = new Map(routes.map((route) => [operationIdOf(route), route]));
  for (const offered of OFFERED_OPERATIONS) {
    const route = known.get(offered.operationId);
    if (route !== undefined) yield toolOf(route, offered);
  }
}

function toolOf<Services>(
  route: AnyRoute<Services>,
  { operationId, hints = {}, isSentBack = false }: OfferedOperation,
): ApiTool<Services> {
  const shape = responseShapeOf(route);
  const { method, summary, docs } = route;
  // Names that are taken without effect are for programs that send them already.
  const description = docs?.description;
  return {
    name: operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    route,
    description: description === undefined ? summary : `${summary}. ${description}`,
    inQuery: new Set(queryNames(route)),
    inputSchema: inputSchemaOf(route, shape === undefined ? {} : FORM_PROPERTIES),
    shape,
    outputSchema: shape && outputSchemaOf(shape),
    isSentBack,
    annotations: {
      title: summary,
      readOnlyHint: method === 'get',
      destructiveHint: hints.destructive ?? method === 'delete',
      idempotentHint: method !== 'post',
      openWorldHint: hints.reachesOut ?? false,
    },
  };
}

/**
 * `ofAnswer` says what the response is to be like. Headers are for programs: a tool has none.
 * @throws Error if two parts of a request have a field of the same name: arguments have no parts.
 */
function inputSchemaOf<Services>(
  route: AnyRoute<Services>,
  ofResponse: JsonObject,
): JsonObject & { type: 'object' } {
  const components = createComponents();
  const { parameters: all, requestBody } = operationOf(route, components);
  const parameters = all.filter((one) => one.in !== 'header');
  const names = [...parameters.map(({ name }) => name), ...Object.keys(ofResponse)];
  const body = bodyOf(requestBody?.content['application/json'].schema, components.schemas);
  const twice = names.find((name) => Object.hasOwn(body.properties, name));
  if (twice !== undefined)
    throw new Error(`${operationIdOf(route)} takes ${twice} in two parts of a request`);
  const own = parameters.map(({ name, schema, description = '' }) => [name, { ...schema, description }]);
  const required = [...parameters.filter((one) => one.required).map(({ name }) => name), ...body.required];
  const properties = { ...(Object.fromEntries(own) as JsonObject), ...body.properties, ...ofResponse };
  const schema = { type: 'object' as const, properties, required, additionalProperties: false };
  return { ...referringSchema(schema, components.schemas), type: 'object' };
}

function bodyOf(schema: JsonObject | undefined, schemas: Record<string, JsonObject>) {
  const { $ref } = schema ?? {};
  const target = typeof $ref === 'string' ? schemas[$ref.replace(/^.*\//, '')] : schema;
  const { properties, required } = target ?? {};
  return {
    properties: isJsonObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

/** The names that stand in the query of a route. */
function queryNames<Services>({ query }: Pick<AnyRoute<Services>, 'query'>): string[] {
  const { properties } = query === undefined ? {} : jsonSchemaOf(query);
  return isJsonObject(properties) ? Object.keys(properties) : [];
}
