import { setTimeout as sleep } from 'node:timers/promises';
import { createComponents } from '../../src/api/openapi/components.js';
import { operationOf } from '../../src/api/openapi/operation.js';
import { ROUTES } from '../../src/app/routes.js';
import { mediaTypeOf } from '../../src/platform/headers/content-type.js';
import { startFabula, type FabulaOptions, type TestFabula } from './fabula.js';
import type { TestStores } from './stores.js';

/** What `JSON.parse` gives: tests look into answers as they like. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  body: Parsed;
  headers: Headers;
}

export interface ManageApi {
  fabula(): TestFabula;
  /** Calls the API; an answer that is a success is checked against the route's own response schema. */
  call(key: string | null, request: string, body?: unknown): Promise<Answer>;
}

/** The whole REST API over HTTP, without workers unless asked for. `request` is such as `GET /api/v1/teams`. */
export function useManageApi(
  stores: TestStores,
  options: FabulaOptions = { queues: [], relay: false },
): ManageApi {
  let fabula: TestFabula | undefined;
  beforeAll(async () => {
    fabula = await startFabula(stores, options);
  });
  const open = () => {
    if (fabula === undefined) throw new Error('The API is open inside hooks and tests only');
    return fabula;
  };
  return {
    fabula: open,
    call: (...request) => callApi(open().url, ...request),
  };
}

/** Calls the API that is there; an answer that is a success is checked against the route's own response schema. */
export async function callApi(
  url: string,
  key: string | null,
  ...[request, body]: [request: string, body?: unknown]
): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const init: RequestInit = {
    method,
    headers: {
      ...(key === null ? {} : { 'x-user-token': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const { response, text } = await patientFetch(url + path, init);
  const answer = {
    status: response.status,
    body: text === '' || isText(response) ? text || undefined : JSON.parse(text),
    headers: response.headers,
  };
  if (response.ok) checkAnswer(method, path, answer);
  return answer;
}

const isText = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/') === true;

const MOST_TRIES = 5;

/** As clients do: on a busy machine the database may be too slow for a moment. */
async function patientFetch(url: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, init);
    const text = await response.text();
    const isBusy = response.status === 503 && text.includes('The database is temporarily unavailable');
    if (!isBusy || tries === MOST_TRIES) return { response, text };
    await sleep(1_000);
  }
}

const PATTERNS = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
}));

/** The route that serves this request. */
export function routeOf(method: string, path: string) {
  const [pathname = ''] = path.split('?');
  const found = PATTERNS.find(
    ({ route, pattern }) => route.method === method.toLowerCase() && pattern.test(pathname),
  );
  return found?.route;
}

function checkAnswer(method: string, path: string, answer: Answer): void {
  const route = routeOf(method, path);
  if (route === undefined) throw new Error(`No route serves ${method} ${path}`);
  expect(answer.status).toBe(route.status ?? 200);
  if (answer.status === 204) return expect(answer.body).toBeUndefined();
  expect(documentedTypes(route)).toContain(mediaTypeOf(answer.headers.get('content-type') ?? undefined));
  // Each event of a stream has the schema, not the whole.
  if (route.docs?.contentType === 'text/event-stream') return;
  const schema = route.docs?.response;
  if (schema === undefined) throw new Error(`${method} ${path} has no response schema`);
  const { error } = schema.validate(answer.body, { convert: false, abortEarly: false });
  expect(error?.details.map(({ message }) => message) ?? []).toEqual([]);
}

/** The content types that the OpenAPI document has for a success of the route. */
function documentedTypes(route: (typeof ROUTES)[number]): string[] {
  const success = operationOf(route, createComponents()).responses[route.status ?? 200];
  return success === undefined || '$ref' in success ? [] : Object.keys(success.content ?? {});
}

/** A time as answers give it. */
export const TIME: string = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

/** The problems of an answer, as `details` of each. */
export const places = ({ body }: Pick<Answer, 'body'>): unknown[] =>
  (body as { errors: { details?: string }[] }).errors.map(({ details }) => details);
