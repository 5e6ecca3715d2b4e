import type { OpenApiDocument, Operation, Parameter } from '../openapi-types.js';

/** An operation with its method and path. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: Operation;
}

/** Returns the request of an operation's example as a shell command. */
export function curlExample({ method, path, operation }: PlacedOperation, document: OpenApiDocument): string {
  const [server] = document.servers;
  const base = server === undefined || server.url === '/' ? 'http://127.0.0.1:3000' : server.url;
  const address = operation.parameters.filter((one) => one.in === 'path').reduce(withValue, path);
  const verb = method === 'get' ? [] : ['-X', method.toUpperCase()];
  const body = operation.requestBody?.content['application/json'].example;
  const sent =
    body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`];
  return [
    ['curl', ...verb, quoted(base + address + queryOf(operation))].join(' '),
    `-H "X-User-Token: $FABULA_KEY"`,
    ...sent,
  ].join(' \\\n  ');
}

function withValue(path: string, { name, example }: Parameter): string {
  return example === undefined ? path : path.replace(`{${name}}`, encodeURIComponent(textOf(example)));
}

function queryOf({ parameters }: Operation): string {
  const pairs = parameters
    .filter((one) => one.in === 'query' && one.example !== undefined)
    .flatMap(({ name, example }) => flat(name, example));
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Flattens a query value into pairs: `ids[0]`, `filters[0][field_id]`. */
function flat(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, textOf(value)]];
  return Object.entries(value).flatMap(([key, part]) => flat(`${name}[${key}]`, part));
}

/** Returns a plain value as a URL contains it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Quotes any text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
