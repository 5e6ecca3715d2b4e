import Joi from 'joi';
import { request } from 'undici';
import { createDatabase } from '../../src/platform/mysql/database.js';
import { Conflict, NotFound, type Problem } from '../../src/platform/errors.js';
import { type AnyRoute, defineRoute, RouteResponse, type RequestFacts } from '../../src/api/route.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { startTestApp, type TestApp } from './app.js';
import { buildAccount } from './builders.js';
import type { TestStores } from './stores.js';

interface EchoQuery {
  ids?: number[];
  search?: string;
  filters?: { field_id: string; operator: string }[];
}

export interface SampleServices {
  greeting: string;
}

const id = Joi.number().integer().positive();
const echoQuery = Joi.object<EchoQuery>({
  ids: Joi.array().items(id).single(),
  search: Joi.string(),
  filters: Joi.array().items(
    Joi.object({
      field_id: Joi.string().required(),
      operator: Joi.string().valid('EQUAL', 'IS_EMPTY').required(),
    }),
  ),
});

/** Routes that show what the plumbing around routes does. */
export const sampleRoutes: AnyRoute<SampleServices>[] = [
  defineRoute<unknown, EchoQuery, unknown, SampleServices>({
    method: 'get',
    path: '/api/v1/echo',
    summary: 'Gives the query back',
    query: echoQuery,
    handle: ({ query, request }, { greeting }) => ({ query, request, greeting }),
  }),
  defineRoute<{ id: number }, unknown, unknown, SampleServices>({
    method: 'get',
    path: '/api/v1/things/:id',
    summary: 'Gives the id back',
    params: Joi.object<{ id: number }>({ id: id.required() }),
    handle: ({ params, actor }) => ({ id: params.id, user_id: actor.userId }),
  }),
  defineRoute<unknown, unknown, { team_id: number; name: string }, SampleServices>({
    method: 'post',
    path: '/api/v1/things',
    summary: 'Makes a thing',
    status: 201,
    body: Joi.object<{ team_id: number; name: string }>({
      team_id: id.required(),
      name: Joi.string().required(),
    }),
    handle: ({ body }) => body,
  }),
  defineRoute<unknown, unknown, unknown, SampleServices>({
    method: 'delete',
    path: '/api/v1/things',
    summary: 'Deletes everything',
    status: 204,
    handle: () => undefined,
  }),
  defineRoute<unknown, unknown, unknown, SampleServices>({
    method: 'get',
    path: '/api/v1/answer',
    summary: 'Answers with status and headers of its own',
    handle: () => new RouteResponse(['a'], { status: 202, headers: { 'X-Total-Count': '1' } }),
  }),
  defineRoute<{ kind: string }, unknown, unknown, SampleServices>({
    method: 'get',
    path: '/api/v1/fails/:kind',
    summary: 'Fails in a way of choice',
    params: Joi.object<{ kind: string }>({ kind: Joi.string().required() }),
    handle: ({ params }) => fail(params.kind),
  }),
];

async function fail(kind: string): Promise<never> {
  if (kind === 'conflict') throw new Conflict([{ message: 'The name is taken', details: 'name' }]);
  if (kind === 'missing') throw new NotFound('Story');
  if (kind === 'database') await askDeadDatabase();
  throw new Error('SELECT secret FROM vault');
}

/** A database that refuses connections: nothing listens on port 1. */
async function askDeadDatabase(): Promise<void> {
  const logger = createSilentLogger();
  const db = createDatabase({ url: 'mysql://root@127.0.0.1:1/none', poolSize: 1, logger });
  try {
    await db.read((session) => session.rows('SELECT 1'));
  } finally {
    await db.close();
  }
}

export interface Call {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'HEAD';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Null: without a key. The account's own unless given. */
  key?: string | null;
}

export interface SampleResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Undefined for a response without one. */
  body: ResponseBody;
}

/** Bodies of the sample routes and of the error handler. */
interface ResponseBody {
  errors: Problem[];
  query: unknown;
  request: Pick<RequestFacts, 'baseUrl' | 'originalUrl'>;
}

/** A call that sends `value` as JSON; POST unless `more` says otherwise. */
export function jsonCall(value: unknown, more: Call = {}): Call {
  return {
    method: 'POST',
    ...more,
    headers: { 'content-type': 'application/json', ...more.headers },
    body: JSON.stringify(value),
  };
}

/** The sample routes on a running application, and an account for each test. */
export function useSampleApi(stores: TestStores) {
  let app: TestApp;
  let key = '';
  let userId = 0;

  beforeAll(async () => {
    app = await startTestApp(stores, { routes: sampleRoutes, services: { greeting: 'hello' } });
  });
  beforeEach(async () => {
    const account = await buildAccount(stores.db);
    key = account.key;
    userId = account.user.id;
  });

  return {
    url: () => app.url,
    key: () => key,
    userId: () => userId,
    async call(
      path: string,
      { method = 'GET', headers = {}, body, key: given }: Call = {},
    ): Promise<SampleResponse> {
      const token: Record<string, string> = given === null ? {} : { 'x-user-token': given ?? key };
      const response = await request(`${app.url}${path}`, {
        method,
        headers: { ...token, ...headers },
        body: body ?? null,
      });
      const text = await response.body.text();
      const { statusCode: status, headers: received } = response;
      return {
        status,
        headers: received,
        body: (text === '' ? undefined : JSON.parse(text)) as ResponseBody,
      };
    },
  };
}
