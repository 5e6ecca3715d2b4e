import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery } from 'json-p3';
import { LRUCache } from 'lru-cache';
import { messageOf } from '../../platform/errors.js';
import { boundNestedQueries, findNodes } from './json-path-walk.js';
import { compilePattern } from '../patterns.js';
import { shortened } from '../../platform/text/shortened.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { sizeWithin } from './value-size.js';

const MAX_PATH_CHARACTERS = 1_000;
const MAX_RESULTS = 100_000;
const MAX_DOCUMENT_CHARACTERS = 16 * 1024 * 1024;
/** A filter that searches the whole document for each element costs the square of its size. */
const MAX_NESTED_DOCUMENT_CHARACTERS = 20_000;
const MAX_DESCENTS = 3;

type FilterFunction = Parameters<JSONPathEnvironment['functionRegister']['set']>[1];

/** The time check of the running query: compiled paths are cached, so they call it through this variable. */
let checkTimeOfQuery: () => void = () => undefined;

const environment = createEnvironment();
const queries = new LRUCache<string, JSONPathQuery>({ max: 500 });

/**
 * Returns the values that a JSONPath (RFC 9535) finds, always as a list. As in real stories the leading `$.` may be
 * absent (`*.name`); if such a path finds nothing, its names may occur at any depth.
 * @throws TemplateError for a path that is not valid or costs too much.
 */
export function queryJsonPath(value: unknown, path: string, checkTime: () => void): unknown[] {
  const trimmed = path.trim();
  const found = query(value, trimmed, checkTime);
  const deeper = found.length === 0 ? anywhere(trimmed) : undefined;
  return deeper === undefined ? found : query(value, deeper, checkTime);
}

function query(value: unknown, path: string, checkTime: () => void): unknown[] {
  const steps = compiled(path);
  if (typeof value !== 'object' || value === null) return [];
  refuseCostly(path, value);
  checkTimeOfQuery = checkTime;
  const results: unknown[] = [];
  for (const node of findNodes(steps, value, checkTime)) {
    results.push(node.value);
    if (results.length > MAX_RESULTS)
      throw new TemplateError(`"${shortened(path, 200)}" finds more than ${MAX_RESULTS} values`);
  }
  return results;
}

/**
 * Rewrites `*.a.b` to `$..a.b`. The original platform's library searches below a `*` at every depth: a real story applies
 * `*.rule_matched` to the list that implode makes, whose elements contain it one level down, under the trigger's slug.
 */
function anywhere(path: string): string | undefined {
  const [, names] = /^\*((?:\.[\w-]+)+)$/.exec(path) ?? [];
  return names === undefined ? undefined : `$.${names}`;
}

function compiled(path: string): JSONPathQuery {
  if (path.length > MAX_PATH_CHARACTERS) throw new TemplateError('the path is too long');
  const kept = queries.get(path);
  if (kept !== undefined) return kept;
  try {
    const query = environment.compile(absolute(path));
    boundNestedQueries(query, () => checkTimeOfQuery());
    queries.set(path, query);
    return query;
  } catch (error) {
    throw new TemplateError(
      `"${shortened(path, 200)}" is not a JSONPath: ${shortened(messageOf(error), 300)}`,
      { cause: error },
    );
  }
}

/** `*.a-b` → `$.*['a-b']`: RFC 9535 requires a `$`, and brackets around names with a hyphen. */
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
    throw new TemplateError(`"${shortened(path, 200)}" has more than ${MAX_DESCENTS} times ".."`);
  }
  const looksBack = unquoted.slice(1).includes('$') || /\?.*(?:\?|\.\.)/s.test(unquoted);
  sizeWithin(value, looksBack ? MAX_NESTED_DOCUMENT_CHARACTERS : MAX_DOCUMENT_CHARACTERS, {
    what: 'value for this path',
  });
}

/** json-p3's own `match` and `search` cannot be stopped; these end with the query's time limit. */
function createEnvironment(): JSONPathEnvironment {
  const created = new JSONPathEnvironment();
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
      typeof text === 'string' &&
      typeof pattern === 'string' &&
      // Two ampersands are two characters in RFC 9485, an intersection in Ruby.
      compilePattern(toSource(pattern.replaceAll('&&', '&\\&')), { isJsonPath: true }).test(
        text,
        checkTimeOfQuery,
      ),
  };
}
