import { setTimeout as sleep } from 'node:timers/promises';
import { startFabula, type FabulaOptions, type TestFabula } from './fabula.js';
import { callProduct } from './product/call-product.js';
import type { TestStores } from './stores.js';

/** The type of `JSON.parse`: tests read any key of a response. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface ParsedResponse {
  status: number;
  body: Parsed;
  headers: Headers;
}

export interface ManageApi<Fabula extends TestFabula = TestFabula> {
  fabula(): Fabula;
  /** Calls the API; a response that is a success is checked against the route's own response schema. */
  call(key: string | null, request: string, body?: unknown): Promise<ParsedResponse>;
}

export const WITHOUT_WORKERS = { queues: [], relay: false } satisfies FabulaOptions;

/** The whole REST API over HTTP, without workers unless asked for. `request` is such as `GET /api/v1/teams`. */
export function useManageApi(stores: TestStores, options: FabulaOptions = WITHOUT_WORKERS): ManageApi {
  return manageStarted(() => startFabula(stores, options));
}

/** The API of a Fabula that `start` starts before the tests. */
export function manageStarted<Fabula extends TestFabula>(start: () => Promise<Fabula>): ManageApi<Fabula> {
  let fabula: Fabula | undefined;
  beforeAll(async () => {
    fabula = await start();
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

/** Calls the API that is there; a response that is a success is checked against the route's own response schema. */
export async function callApi(
  url: string,
  key: string | null,
  ...[request, body]: [request: string, body?: unknown]
): Promise<ParsedResponse> {
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
  const parsed = {
    status: response.status,
    body: text === '' || isText(response) ? text || undefined : JSON.parse(text),
    headers: response.headers,
  };
  if (response.ok) await checkSuccess({ method, path }, response, text);
  return parsed;
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

/** Checks a success against what the OpenAPI document says of its route. */
export async function checkSuccess(
  request: { method: string; path: string },
  response: Response,
  text: string,
) {
  const { status, headers } = response;
  const facts = { ...request, status, contentType: headers.get('content-type'), text };
  expect(await callProduct('checkResponse', facts)).toEqual([]);
}

/** A time as answers give it. */
export const TIME: string = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

/** The problems of a response, as `details` of each. */
export const places = ({ body }: Pick<ParsedResponse, 'body'>): unknown[] =>
  (body as { errors: { details?: string }[] }).errors.map(({ details }) => details);
