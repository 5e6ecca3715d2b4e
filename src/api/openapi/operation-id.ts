import type { AnyRoute, Method } from '../route.js';

/** Nouns without a plural. */
const MASS_NOUNS = new Set(['metadata', 'usage']);

/** A DELETE that says what goes: `clear_memory`. */
const CLEARS = /^(clear|remove)_(.+)$/;

const VERBS: Record<Method, string> = {
  get: 'get',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
};

/**
 * Returns the name of a route in clients: `docs.operationId`, or by its path: `listStories`, `getStory`,
 * `createCaseComment`, `cancelStoryRun`. PUT is `update`, and PATCH `patch`.
 */
export function operationIdOf({
  method,
  path,
  docs,
}: Pick<AnyRoute<never>, 'method' | 'path' | 'docs'>): string {
  if (docs?.operationId !== undefined) return docs.operationId;
  const segments = segmentsOf(path);
  const last = segments.at(-1) ?? '';
  if (method === 'get' && isPlural(last)) return camel('list', ...nounsOf(segments));
  const [, clears, what] = method === 'delete' ? (CLEARS.exec(last) ?? []) : [];
  if (clears !== undefined) return camel(clears, ...nounsOf([...segments.slice(0, -1), what ?? '']));
  if (method !== 'post') return camel(VERBS[method], ...nounsOf(segments));
  if (isPlural(last)) return camel('create', ...nounsOf(segments).slice(0, -1), singular(last));
  if (MASS_NOUNS.has(last)) return camel('create', ...nounsOf(segments));
  return camel(last, ...nounsOf(segments.slice(0, -1)));
}

/** Returns the name of the items at a path: `CaseComment` for `/api/v2/cases/:id/comments/:comment_id`. */
export function nounOf(path: string): string {
  const words = nounsOf(segmentsOf(path));
  return capital(camel(...words.slice(0, -1), singular(words.at(-1) ?? '')));
}

/** Returns `Stories` for `stories`. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== 'api' && !/^v\d+$/.test(part));
}

/** A noun is singular if a value follows or a further noun: the path then names one of them. */
function nounsOf(segments: string[]): string[] {
  return segments.flatMap((part, index) => {
    if (part.startsWith(':')) return [];
    return [index === segments.length - 1 ? part : singular(part, segments[index + 1])];
  });
}

function singular(noun: string, next = ':'): string {
  if (!next.startsWith(':')) return noun;
  if (noun.endsWith('ies')) return noun.replace(/ies$/, 'y');
  if (/(?:x|ch|sh|ss)es$/.test(noun)) return noun.replace(/es$/, '');
  return noun.replace(/([^s])s$/, '$1');
}

function isPlural(segment: string): boolean {
  return !segment.startsWith(':') && /[^s]s$/.test(segment);
}

function camel(...words: string[]): string {
  const [first = '', ...others] = words.flatMap((word) => word.split(/[^A-Za-z0-9]+/));
  return first + others.map(capital).join('');
}
