import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery } from 'json-p3';
import { LRUCache } from 'lru-cache';
import { messageOf } from '../errors.js';
import { TemplateError } from './template.js';
import { sizeWithin } from './value-size.js';
import { compilePattern } from './patterns.js';

const MAX_PATH_CHARACTERS = 1_000;
const MAX_RESULTS = 100_000;
const MAX_DOCUMENT_CHARACTERS = 16 * 1024 * 1024;
/** A filter that looks at the whole document again for each element costs the square of its size. */
const MAX_NESTED_DOCUMENT_CHARACTERS = 20_000;
const MAX_DESCENTS = 3;

type FilterFunction = Parameters<JSONPathEnvironment['functionRegister']['set']>[1];

const environment = createEnvironment();
const queries = new LRUCache<string, JSONPathQuery>({ max: 500 });

/**
 * The values a JSONPath (RFC 9535) finds, always a list. As in real stories the leading `$.` may be absent
 * (`*.name`).
 * @throws TemplateError for a path that does not parse or costs too much.
 */
export function queryJsonPath(value: unknown, path: string): unknown[] {
  const query = compiled(path.trim());
  if (typeof value !== 'object' || value === null) return [];
  refuseCostly(path, value);
  const results: unknown[] = [];
  for (const node of query.lazyQuery(value as never)) {
    results.push(node.value);
    if (results.length > MAX_RESULTS)
      throw new TemplateError(`"${path}" finds more than ${MAX_RESULTS} values`);
  }
  return results;
}

function compiled(path: string): JSONPathQuery {
  if (path.length > MAX_PATH_CHARACTERS) throw new TemplateError('the path is too long');
  const kept = queries.get(path);
  if (kept !== undefined) return kept;
  try {
    const query = environment.compile(absolute(path));
    queries.set(path, query);
    return query;
  } catch (error) {
    throw new TemplateError(`"${path}" is not a JSONPath: ${messageOf(error)}`, { cause: error });
  }
}

/** `*.a-b` → `$.*['a-b']`: RFC 9535 wants a `$`, and brackets round names with a hyphen. */
function absolute(path: string): string {
  const rooted = path.startsWith('$') ? path : /^[.[]/.test(path) ? `$${path}` : `$.${path}`;
  return rooted.replace(
    /("[^"]*"|'[^']*')|\.([A-Za-z_]\w*-[\w-]*)/g,
    (_, quoted: string | undefined, name: string) => quoted ?? `['${name}']`,
  );
}

function refuseCostly(path: string, value: object): void {
  const unquoted = path.replace(/"[^"]*"|'[^']*'/g, '');
  if (unquoted.split('..').length - 1 > MAX_DESCENTS) {
    throw new TemplateError(`"${path}" has more than ${MAX_DESCENTS} times ".."`);
  }
  const looksBack = unquoted.slice(1).includes('$') || /\?.*(?:\?|\.\.)/s.test(unquoted);
  sizeWithin(
    value,
    looksBack ? MAX_NESTED_DOCUMENT_CHARACTERS : MAX_DOCUMENT_CHARACTERS,
    'value for this path',
  );
}

/** json-p3's own `match` and `search` run patterns on the engine that can hang; ours are linear. */
function createEnvironment(): JSONPathEnvironment {
  const created = new JSONPathEnvironment({ maxRecursionDepth: 200 });
  created.functionRegister.set(
    'match',
    patternFunction((pattern) => `\\A(?:${pattern})\\z`),
  );
  created.functionRegister.set(
    'search',
    patternFunction((pattern) => pattern),
  );
  return created;
}

function patternFunction(toSource: (pattern: string) => string): FilterFunction {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, pattern: unknown) =>
      typeof text === 'string' && typeof pattern === 'string' && compilePattern(toSource(pattern)).test(text),
  };
}
