import { createOpenApiDocument } from '../../src/api/openapi/openapi-document.js';
import type { Operation } from '../../src/api/openapi/openapi-types.js';
import { referredName } from '../../src/api/openapi/schema-fields.js';
import { ROUTES } from '../../src/app/routes.js';
import { isJsonObject, type JsonObject } from '../../src/platform/json.js';
import { clientOperations, type Placed } from './client-names.js';
import { alternativesOf, comment, field, typeOf } from './client-types.js';

/** Path of the generated part of the client, from the root. */
export const CLIENT_FILE = 'clients/typescript/api.ts';

const HEAD = `// Written by "npm run client" from the routes of the API; changes belong there.
import type { Call, Walk } from './calls.js';
`;
const PLACE = `/** The path of an operation, and how its input is sent. */
export interface OperationPlace {
  method: string;
  path: string;
  /** The names that stand in the query. */
  query: readonly string[];
  /** Whether all other names stand in the body; apart: the body is a value of its own, for it shares a name with the path. */
  body: boolean | 'apart';
  /** The key of a list's items. */
  items?: string;
  /** The list has another form without a page, so a page is always asked for. */
  paged?: true;
  /** Whether the answer is a stream of events. */
  stream?: true;
}
`;

/** Returns the types of the API, its methods by nouns, and the table of its operations, as the TypeScript of the client. */
export function clientSource(): string {
  const document = createOpenApiDocument(ROUTES, { version: '0', publicUrl: undefined });
  const { schemas } = document.components;
  const operations = clientOperations(document);
  const used = usedSchemas(operations, schemas);
  const types = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => `${comment(schema, '')}export ${declaration(name, schema)}\n`);
  return [
    HEAD,
    ...types,
    `/** The input and the answer of each operation, and the items of each list. */\nexport interface Operations {\n${operations.map((one) => signature(one, schemas)).join('')}}\n`,
    `/** The methods of the client, by nouns. */\nexport interface FabulaApi ${groupType(operations, schemas)}\n`,
    PLACE,
    `export const OPERATIONS: { readonly [Name in keyof Operations]: OperationPlace } = {\n${operations.map((one) => place(one, schemas)).join('')}};\n`,
  ].join('\n');
}

/** Returns the names of the schemas that inputs and answers of the operations need. */
function usedSchemas(operations: Placed[], schemas: Schemas): Set<string> {
  const used = new Set<string>();
  const look = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    )) {
      if (used.has(name)) continue;
      used.add(name);
      look(schemas[name]);
    }
  };
  for (const { operation } of operations) {
    look([operation.parameters, bodyOf(operation), responseOf(operation)]);
  }
  return used;
}

/** Returns the type of a group: its methods with what they do, and its groups. */
function groupType(operations: Placed[], schemas: Schemas, depth = 0): string {
  const indent = '  '.repeat(depth + 1);
  const keys = new Set(operations.map(({ name }) => name.split('.')[depth] ?? ''));
  const lines = [...keys].map((key) => {
    const inside = operations.filter(({ name }) => name.split('.')[depth] === key);
    const own = inside.find(({ name }) => name.split('.').length === depth + 1);
    if (own === undefined) return `${indent}readonly ${key}: ${groupType(inside, schemas, depth + 1)};\n`;
    if (inside.length > 1) throw new Error(`${own.name} is a method and a group`);
    return methodLines(own, schemas, indent);
  });
  return `{\n${lines.join('')}${'  '.repeat(depth)}}`;
}

function methodLines(placed: Placed, schemas: Schemas, indent: string): string {
  const { name, method, path, operation } = placed;
  const summary = operation.summary.replaceAll('*/', '');
  const key = name.split('.').at(-1);
  const about = `${indent}/** ${summary}. \`${method.toUpperCase()} ${path}\` */\n${indent}readonly ${key}: Call<'${name}'>;\n`;
  if (itemsOf(placed, schemas) === undefined) return about;
  return `${about}${indent}/** Yields every item of the list, page by page. */\n${indent}readonly all: Walk<'${name}'>;\n`;
}

type Schemas = Record<string, JsonObject>;

function declaration(name: string, schema: JsonObject): string {
  const type = typeOf(schema, '');
  return type.startsWith('{\n') ? `interface ${name} ${type}` : `type ${name} = ${type};`;
}

function signature(placed: Placed, schemas: Schemas): string {
  const { name, operation } = placed;
  const { parameters } = operation;
  const fields = parameters
    .filter((one) => one.in !== 'header')
    .map(({ name, required, schema, description = '' }) =>
      field(name, { ...schema, description }, { required, indent: '      ' }),
    );
  const body = bodyOf(operation);
  const parts = [
    ...(fields.length > 0 || body === undefined ? [`{\n${fields.join('')}    }`] : []),
    ...(body === undefined
      ? []
      : [isApart(operation, schemas) ? `{ body: ${typeOf(body, '    ')} }` : typeOf(body, '    ')]),
  ];
  const list = itemsOf(placed, schemas);
  const item = list === undefined ? '' : `    item: ${typeOf(list.items, '    ')};\n`;
  return `  '${name}': {\n    input: ${parts.join(' & ').replaceAll('{\n    }', '{}')};\n    output: ${responseType(placed, schemas)};\n${item}  };\n`;
}

function bodyOf({ requestBody }: Operation): JsonObject | undefined {
  return requestBody?.content['application/json'].schema;
}

/** Whether the body has a field that is called as a parameter: then it stands apart. */
function isApart(operation: Operation, schemas: Schemas): boolean {
  const { properties } = target(bodyOf(operation) ?? {}, schemas);
  return isJsonObject(properties) && operation.parameters.some(({ name }) => Object.hasOwn(properties, name));
}

function responseOf({ responses }: Operation): JsonObject | undefined {
  const [response] = Object.values(responses).flatMap((one) => ('$ref' in one ? [] : [one.content]));
  return (response?.['application/json'] ?? response?.['text/event-stream'])?.schema;
}

/** Whether the response is a stream of events, each of which its schema describes. */
function isStream({ responses }: Operation): boolean {
  return Object.values(responses).some(
    (one) => !('$ref' in one) && one.content?.['text/event-stream'] !== undefined,
  );
}

/** Asked for a page, a list with several forms answers the one that has pages. */
function responseType(placed: Placed, schemas: Schemas): string {
  const { operation } = placed;
  const schema = itemsOf(placed, schemas)?.page ?? responseOf(operation);
  if (schema === undefined) return 'undefined';
  const type = typeOf(schema, '    ');
  return isStream(operation) ? `AsyncGenerator<${type}, void, undefined>` : type;
}

interface List {
  key: string;
  items: JsonObject;
  /** The form with pages, of a response that has another form too. */
  page: JsonObject | undefined;
}

/** Returns what is known of a list; undefined for what is no list of pages. */
function itemsOf({ operation }: Placed, schemas: Schemas): List | undefined {
  if (!operation.operationId.startsWith('list')) return undefined;
  const response = target(responseOf(operation) ?? {}, schemas);
  const forms = alternativesOf(response);
  const page = [response, ...forms].find(
    ({ properties }) => isJsonObject(properties) && 'meta' in properties,
  );
  const fields = Object.entries((page?.['properties'] ?? {}) as Record<string, JsonObject>);
  const found = fields.find(([, one]) => isJsonObject(one['items']));
  if (found === undefined) return undefined;
  const [key, { items }] = found;
  return { key, items: items as JsonObject, page: forms.length > 0 ? page : undefined };
}

function target(schema: JsonObject, schemas: Schemas): JsonObject {
  const { $ref } = schema;
  return typeof $ref === 'string' ? (schemas[referredName($ref)] ?? {}) : schema;
}

function place(placed: Placed, schemas: Schemas): string {
  const { name, operation, method, path } = placed;
  const query = operation.parameters.filter((one) => one.in === 'query').map((one) => `'${one.name}'`);
  const list = itemsOf(placed, schemas);
  const items = list === undefined ? '' : `, items: '${list.key}'`;
  const paged = list?.page === undefined ? '' : ', paged: true';
  const stream = isStream(operation) ? ', stream: true' : '';
  const takesBody = bodyOf(operation) !== undefined;
  const body = isApart(operation, schemas) ? "'apart'" : String(takesBody);
  return `  '${name}': { method: '${method.toUpperCase()}', path: '${path}', query: [${query.join(', ')}], body: ${body}${items}${paged}${stream} },\n`;
}
