import { createOpenApiDocument } from '../../src/api/openapi/openapi-document.js';
import type { OpenApiDocument, Operation } from '../../src/api/openapi/openapi-types.js';
import { referredName } from '../../src/api/openapi/schema-fields.js';
import { ROUTES } from '../../src/app/routes.js';
import { isJsonObject, type JsonObject } from '../../src/platform/json.js';

/** Path of the generated part of the client, from the root. */
export const CLIENT_FILE = 'clients/typescript/api.ts';

const HEAD = `// Written by "npm run client" from the routes of the API; changes belong there.
`;

interface Placed {
  method: string;
  path: string;
  operation: Operation;
}

/** Returns the types of the API, and the table of its operations, as the TypeScript of the client. */
export function clientSource(): string {
  const document = createOpenApiDocument(ROUTES, { version: '0', publicUrl: undefined });
  const { schemas } = document.components;
  const operations = operationsOf(document);
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema, '')}export ${declaration(name, schema)}\n`,
  );
  return [
    HEAD,
    ...types,
    `/** The input and the answer of each operation. */\nexport interface Operations {\n${operations.map((one) => signature(one, schemas)).join('')}}\n`,
    `/** The items of each list. */\nexport interface Lists {\n${operations.flatMap((one) => listed(one, schemas)).join('')}}\n`,
    `export interface OperationPlace {\n  method: string;\n  path: string;\n  /** The names that stand in the query. */\n  query: readonly string[];\n  /** Whether all other names stand in the body; apart: the body is a value of its own, for it shares a name with the path. */\n  body: boolean | 'apart';\n  /** The key of a list's items. */\n  items?: string;\n  /** Whether the answer is a stream of events. */\n  stream?: true;\n}\n`,
    `export const OPERATIONS: { readonly [Name in keyof Operations]: OperationPlace } = {\n${operations.map((one) => place(one, schemas)).join('')}};\n`,
  ].join('\n');
}

function operationsOf({ paths }: OpenApiDocument): Placed[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .toSorted((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
}

type Schemas = Record<string, JsonObject>;

function declaration(name: string, schema: JsonObject): string {
  const type = typeOf(schema, '');
  return type.startsWith('{\n') ? `interface ${name} ${type}` : `type ${name} = ${type};`;
}

function signature({ operation, method, path }: Placed, schemas: Schemas): string {
  const { operationId, summary, parameters } = operation;
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
  const about = `  /** ${summary.replaceAll('*/', '')}. \`${method.toUpperCase()} ${path}\` */\n`;
  return `${about}  ${operationId}: {\n    input: ${parts.join(' & ').replaceAll('{\n    }', '{}')};\n    output: ${answerType(operation)};\n  };\n`;
}

function bodyOf({ requestBody }: Operation): JsonObject | undefined {
  return requestBody?.content['application/json'].schema;
}

/** Whether the body has a field that is called as a parameter: then it stands apart. */
function isApart(operation: Operation, schemas: Schemas): boolean {
  const { properties } = target(bodyOf(operation) ?? {}, schemas);
  return isJsonObject(properties) && operation.parameters.some(({ name }) => Object.hasOwn(properties, name));
}

function answerOf({ responses }: Operation): JsonObject | undefined {
  const [answer] = Object.values(responses).flatMap((one) => ('$ref' in one ? [] : [one.content]));
  return (answer?.['application/json'] ?? answer?.['text/event-stream'])?.schema;
}

/** Whether the answer is a stream of events, each of which its schema describes. */
function isStream({ responses }: Operation): boolean {
  return Object.values(responses).some(
    (one) => !('$ref' in one) && one.content?.['text/event-stream'] !== undefined,
  );
}

function answerType(operation: Operation): string {
  const schema = answerOf(operation);
  if (schema === undefined) return 'undefined';
  const type = typeOf(schema, '    ');
  return isStream(operation) ? `AsyncGenerator<${type}, void, undefined>` : type;
}

/** The schema of a list's items and their key; undefined for what is no list of pages. */
function itemsOf({ operation }: Placed, schemas: Schemas): { key: string; items: JsonObject } | undefined {
  if (!operation.operationId.startsWith('list')) return undefined;
  const answer = target(answerOf(operation) ?? {}, schemas);
  // Asked for a page, a list with several forms answers the one that has pages.
  const page = [answer, ...alternativesOf(answer)].find(
    ({ properties }) => isJsonObject(properties) && 'meta' in properties,
  );
  const fields = Object.entries((page?.['properties'] ?? {}) as Record<string, JsonObject>);
  const found = fields.find(([, field]) => isJsonObject(field['items']));
  return found && { key: found[0], items: found[1]['items'] as JsonObject };
}

function alternativesOf({ anyOf, oneOf }: JsonObject): JsonObject[] {
  return [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
}

function target(schema: JsonObject, schemas: Schemas): JsonObject {
  const { $ref } = schema;
  return typeof $ref === 'string' ? (schemas[referredName($ref)] ?? {}) : schema;
}

function listed(placed: Placed, schemas: Schemas): string[] {
  const list = itemsOf(placed, schemas);
  return list === undefined ? [] : [`  ${placed.operation.operationId}: ${typeOf(list.items, '  ')};\n`];
}

function place(placed: Placed, schemas: Schemas): string {
  const { operation, method, path } = placed;
  const { operationId, parameters } = operation;
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => `'${name}'`);
  const key = itemsOf(placed, schemas)?.key;
  const items = key === undefined ? '' : `, items: '${key}'`;
  const stream = isStream(operation) ? ', stream: true' : '';
  const takesBody = bodyOf(operation) !== undefined;
  const body = isApart(operation, schemas) ? "'apart'" : String(takesBody);
  return `  ${operationId}: { method: '${method.toUpperCase()}', path: '${path}', query: [${query.join(', ')}], body: ${body}${items}${stream} },\n`;
}

/** Returns the type of a schema; the lines of an object stand further in than `indent`. */
function typeOf(schema: JsonObject, indent: string): string {
  const { $ref, enum: values, type } = schema;
  if (typeof $ref === 'string') return referredName($ref);
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)));
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return union(alternatives.map((one) => typeOf(one, indent)));
  if (type === undefined) return 'unknown';
  const names = [type].flat().filter((name) => typeof name === 'string');
  return union(names.map((name) => namedType(name, schema, indent)));
}

function namedType(name: string, schema: JsonObject, indent: string): string {
  if (name === 'integer') return 'number';
  if (name === 'array') return arrayType(schema, indent);
  return name === 'object' ? objectType(schema, indent) : name;
}

function arrayType({ items }: JsonObject, indent: string): string {
  const item = isJsonObject(items) ? typeOf(items, indent) : 'unknown';
  return / [|&] /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function objectType(schema: JsonObject, indent: string): string {
  const { properties, required, additionalProperties: others } = schema;
  const inner = `${indent}  `;
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, value]) =>
    field(name, isJsonObject(value) ? value : {}, { required: needed.includes(name), indent: inner }),
  );
  if (others === false && fields.length === 0) return '{}';
  // Known fields have types of their own, which those of others must include.
  const rest = fields.length === 0 && isJsonObject(others) ? typeOf(others, inner) : 'unknown';
  const index = others === false ? [] : [`${inner}[key: string]: ${rest};\n`];
  return `{\n${[...fields, ...index].join('')}${indent}}`;
}

function field(
  name: string,
  schema: JsonObject,
  { required, indent }: { required: boolean; indent: string },
): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
  return `${comment(schema, indent)}${indent}${key}${required ? '' : '?'}: ${typeOf(schema, indent)};\n`;
}

function comment({ description }: JsonObject, indent: string): string {
  if (typeof description !== 'string' || description === '') return '';
  return `${indent}/** ${description.replaceAll('*/', '* /').replace(/\s*\n\s*/g, ' ')} */\n`;
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}
