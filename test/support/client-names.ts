import type { OpenApiDocument, Operation } from '../../src/api/openapi/openapi-types.js';

/** An operation of the API, and its name in the client: `stories.runs.start`. */
export interface Placed {
  name: string;
  method: string;
  path: string;
  operation: Operation;
}

/** Operations that are second names: the client has the other one. PATCH does what PUT does on each path with both. */
const SECOND_NAMES: Record<string, string> = {
  nameStoryVersion: 'updateStoryVersion',
  updateGlobalResourceAppend: 'appendGlobalResource',
  inviteTeamMember: 'createTeamMember',
  removeTeamMember: 'deleteTeamMember',
};
/** Paths with a second name in them, and how the client says it. */
const SAME_PATHS: [RegExp, string][] = [
  [/\/agents(?=\/|$)/, '/actions'],
  [/\/annotations(?=\/|$)/, '/notes'],
  [/^\/api\/v1\/drafts\/\{id\}/, '/api/v1/stories/{id}/drafts/{draft_id}'],
];
/** Names that path and operation do not give well. */
const GOOD_NAMES: Record<string, string> = {
  bringStoryDraftUpToDate: 'stories.drafts.bringUpToDate',
  getCaseMetadataValue: 'cases.metadata.getValue',
  getMe: 'users.me',
  replaceStory: 'stories.replace',
};
/** Segments that name nothing of their own. */
const SILENT = new Set(['api', 'current', 'view']);

/**
 * Returns the operations that the client has, by name. The nouns of the path are the groups and the verb of the operation
 * is the method; a path that ends with the verb has no group for it. @throws if two operations get one name.
 */
export function clientOperations({ paths }: OpenApiDocument): Placed[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const known = new Set(all.map(({ method, path }) => `${method} ${path}`));
  const placed = all
    .filter((one) => !isSecondName(one, known))
    .map((one) => ({ ...one, name: nameOf(one) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  refuseDoubles(placed);
  return placed;
}

function isSecondName({ method, path, operation }: Omit<Placed, 'name'>, known: Set<string>): boolean {
  if (operation.operationId in SECOND_NAMES) return true;
  if (method === 'patch' && known.has(`put ${path}`)) return true;
  return SAME_PATHS.some(
    ([second, first]) => second.test(path) && known.has(`${method} ${path.replace(second, first)}`),
  );
}

function firstPath(path: string): string {
  return SAME_PATHS.reduce((text, [second, first]) => text.replace(second, first), path);
}

function nameOf({ path, operation: { operationId } }: Omit<Placed, 'name'>): string {
  const good = GOOD_NAMES[operationId];
  if (good !== undefined) return good;
  const parts = firstPath(path).split('/').slice(1);
  const nouns = parts.filter((part) => !part.startsWith('{') && !SILENT.has(part) && !/^v\d$/.test(part));
  const [verb = ''] = /^[a-z]+/.exec(operationId) ?? [];
  const last = nouns.at(-1) ?? '';
  if (last === 'batch') return dotted([...nouns.slice(0, -1), `${verb}_many`]);
  if (!`${last}_`.startsWith(`${verb}_`)) return dotted([...nouns, verb]);
  const isOfAll = !parts.at(-2)?.startsWith('{') && operationId.endsWith('s');
  return dotted([...nouns.slice(0, -1), isOfAll ? `${last}_many` : last]);
}

function dotted(words: string[]): string {
  return words
    .map((word) => word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join('.');
}

function refuseDoubles(placed: Placed[]): void {
  const names = new Set<string>();
  for (const { name, path } of placed) {
    if (names.has(name)) throw new Error(`${path}: the client has a "${name}" already`);
    names.add(name);
  }
}
