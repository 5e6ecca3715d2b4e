import { type Account, buildAccount } from '../support/builders.js';
import { useManageApi } from '../support/manage-api.js';
import { describedRoutes, SERVED_ROUTES } from '../support/served-routes.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
let owner: Account;
beforeEach(async () => {
  owner = await buildAccount(stores.db, { owner: true });
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const paths = [...new Set(SERVED_ROUTES.map(({ path }) => path))];
const methodsOf = (path: string): string[] =>
  SERVED_ROUTES.filter((route) => route.path === path).map(({ method }) => method);
/** A path with a value for each parameter, which names nothing. */
const concrete = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => (/(?:^|_)id$/.test(name) ? '987654321' : 'x'));

describe('A16 clients: a path that is served with other methods', () => {
  const wrong = paths.flatMap((path) =>
    METHODS.filter((method) => !allowedAt(path).includes(method)).map((method) => [
      method.toUpperCase(),
      path,
    ]),
  );

  it('answers 405 with them, after the key', async () => {
    const faults: string[] = [];
    for (const [method = '', path = ''] of wrong) {
      const { status, headers, body } = await api.call(owner.key, `${method} ${concrete(path)}`);
      const allow = headers.get('allow')?.split(', ') ?? [];
      const wanted = allowedAt(path).map((one) => one.toUpperCase());
      const isRight = status === 405 && wanted.every((one) => allow.includes(one)) && body.errors[0].message;
      if (!isRight) faults.push(`${method} ${path}: ${status} ${allow.join()}`);
    }
    expect(faults).toEqual([]);
    expect(wrong.length).toBeGreaterThan(300);
  });

  it.each([
    ['POST', '/api/v1/stories/1', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['POST', '/api/v1/stories/1/', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['DELETE', '/api/v1/resources', 'GET, HEAD, POST'],
    ['PUT', '/api/v1/cases/7/comments', 'GET, HEAD, POST'],
    ['POST', '/api/openapi.json', 'GET, HEAD'],
    ['DELETE', '/healthz', 'GET, HEAD'],
  ])('%s %s: %s', async (method, path, allow) => {
    const { status, headers } = await api.call(owner.key, `${method} ${path}`);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });

  it('needs a key first, and is none with an id that is none', async () => {
    expect((await api.call(null, 'POST /api/v1/stories/1')).status).toBe(401);
    expect((await api.call(owner.key, 'POST /api/v1/stories/1x')).status).toBe(404);
    expect((await api.call(owner.key, 'POST /api/v1/nothing')).status).toBe(404);
  });
});

/** The methods of all routes that a path with values may be of: `/stories/batch` is `/stories/:id` too, but for its id. */
function allowedAt(path: string): string[] {
  const sent = concrete(path);
  const matching = paths.filter((other) => {
    const pattern = other.replaceAll(/:(\w+)/g, (_, name: string) =>
      /(?:^|_)id$/.test(name) ? '\\d+' : '[^/]+',
    );
    return new RegExp(`^${pattern}$`).test(sent);
  });
  return matching.flatMap(methodsOf);
}

/** Names of a collection's items in responses. */
const NOUNS: Record<string, string> = {
  actions: 'Action',
  agents: 'Action',
  annotations: 'Note',
  api_keys: 'API key',
  canaries: 'Canary',
  cases: 'Case',
  credentials: 'Credential',
  dead_letters: 'Dead letter',
  drafts: 'Draft',
  events: 'Event',
  folders: 'Folder',
  global_resources: 'Resource',
  notes: 'Note',
  promotions: 'Promotion',
  record_types: 'Record type',
  records: 'Record',
  runs: 'Story run',
  schedules: 'Schedule',
  shadows: 'Shadow',
  stories: 'Story',
  steps: 'Step',
  tags: 'Tag',
  teams: 'Team',
  templates: 'Template',
  user_credentials: 'Credential',
  users: 'User',
  versions: 'Version',
  webhooks: 'Webhook',
};

/** What a route needs beside its path. */
const QUERIES: Record<string, string> = { 'delete /api/v1/stories/:id/tests': '?name=T' };

it('A17 clients: a 404 names the thing in the path that is not there', async () => {
  const faults: string[] = [];
  const routes = await describedRoutes(api.fabula().url);
  for (const { exampleBody, method, path } of routes.filter((one) => /:(id|team_id)\b/.test(one.path))) {
    const body = method === 'get' ? undefined : exampleBody;
    const { status, body: response } = await api.call(
      owner.key,
      `${method.toUpperCase()} ${concrete(path)}${QUERIES[`${method} ${path}`] ?? ''}`,
      body,
    );
    const named = [...path.matchAll(/([a-z_]+)\/:/g)].map(
      ([, collection = '']) => `${NOUNS[collection]} not found`,
    );
    const message = String(response?.errors?.[0]?.message);
    if (status !== 404 || !named.includes(message)) faults.push(`${method} ${path}: ${status} ${message}`);
  }
  expect(faults).toEqual([]);
});

it.each([
  ['/api/v1/stories/99999999999999999999', 'Story not found'],
  ['/api/v1/webhooks/99999999999999999999', 'Webhook not found'],
  ['/api/v2/cases/1/comments/99999999999999999999', 'Comment not found'],
  ['/api/v1/stories/1/runs/x', 'Story run not found'],
])('A17 clients: so does one whose name is none: %s', async (path, message) => {
  expect((await api.call(owner.key, `GET ${path}`)).body.errors).toEqual([{ message }]);
});
