import { createConnection } from 'node:net';
import { parseQueryString } from '../../src/platform/http/address/query-string.js';
import { startTestApp } from '../support/app.js';
import { sampleRoutes, jsonCall, useSampleApi } from '../support/sample-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useSampleApi(stores);

const factsOf = async (path: string, headers: Record<string, string> = {}) =>
  (await api.call(path, { headers })).body.request;

const start = (config: object) =>
  startTestApp(stores, { routes: sampleRoutes, services: { greeting: 'x' }, config });

describe('a response', () => {
  it('200 with what the handler gives', async () => {
    const { status, body, headers } = await api.call('/api/v1/things/7');
    expect({ status, body }).toEqual({ status: 200, body: { id: 7, user_id: api.userId() } });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('with the status of the route', async () => {
    const { status, body } = await api.call('/api/v1/things', jsonCall({ team_id: '5', name: 'a' }));
    expect({ status, body }).toEqual({ status: 201, body: { team_id: 5, name: 'a' } });
  });

  it('204 without a body, also when a client sends {} with DELETE', async () => {
    expect(await api.call('/api/v1/things', { method: 'DELETE' })).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect((await api.call('/api/v1/things', jsonCall({}, { method: 'DELETE' }))).status).toBe(204);
  });

  it('with the status and headers a handler chose', async () => {
    const { status, body, headers } = await api.call('/api/v1/answer');
    expect({ status, body, count: headers['x-total-count'] }).toEqual({
      status: 202,
      body: ['a'],
      count: '1',
    });
  });

  it('the same with a trailing slash', async () => {
    expect((await api.call('/api/v1/things/7/')).body).toEqual({ id: 7, user_id: api.userId() });
  });

  it('with no-store, no sniffing, no marks of the framework, and a request id', async () => {
    const { headers } = await api.call('/api/v1/answer');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });

  it('with the request id the caller gave, unless it could forge log lines', async () => {
    const given = await api.call('/api/v1/answer', { headers: { 'x-request-id': 'abc-1' } });
    expect(given.headers['x-request-id']).toBe('abc-1');
    const forged = await api.call('/api/v1/answer', { headers: { 'x-request-id': 'a b"' } });
    expect(forged.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('errors', () => {
  it('of a known kind tell status and problems', async () => {
    expect(await api.call('/api/v1/fails/conflict')).toMatchObject({
      status: 409,
      body: { errors: [{ message: 'The name is taken', details: 'name' }] },
    });
    expect(await api.call('/api/v1/fails/missing')).toMatchObject({
      status: 404,
      body: { errors: [{ message: 'Story not found' }] },
    });
  });

  it('of an unknown kind are a bare 500', async () => {
    const { status, body, headers } = await api.call('/api/v1/fails/somehow');
    expect({ status, body }).toEqual({
      status: 500,
      body: { errors: [{ message: 'Internal server error' }] },
    });
    expect(headers['x-request-id']).toBeDefined();
  });

  it('of a database that is down are 503 with Retry-After', async () => {
    const { status, headers } = await api.call('/api/v1/fails/database');
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '5' });
  });

  it.each(['/api/v1/nothing', '/api/v2/nothing/'])(
    'for the unknown route %s are 404, and 401 without a key',
    async (path) => {
      expect((await api.call(path, { key: null })).status).toBe(401);
      const { status, body } = await api.call(path);
      expect({ status, body }).toEqual({
        status: 404,
        body: { errors: [{ message: `GET ${path} not found` }] },
      });
    },
  );

  it.each(['/nothing', '/api'])('for the unknown route %s are 404, with or without a key', async (path) => {
    expect((await api.call(path)).status).toBe(404);
    const { status, body } = await api.call(path, { key: null });
    expect({ status, body }).toEqual({
      status: 404,
      body: { errors: [{ message: `GET ${path} not found` }] },
    });
  });

  it('for a method the route does not have are 405, with those that it has', async () => {
    const { status, headers } = await api.call('/api/v1/echo', { method: 'PUT' });
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it('for a path that cannot be decoded are 400', async () => {
    expect((await api.call('/api/v1/things/%E0%A4%A')).status).toBe(400);
  });
});

describe('addresses in responses', () => {
  it('begin with the request’s own scheme and host', async () => {
    const facts = await factsOf('/api/v1/echo?search=a');
    expect(facts).toMatchObject({ baseUrl: api.url(), originalUrl: '/api/v1/echo?search=a' });
  });

  it('hold what came in the body of a GET, beside what the address says', async () => {
    const filters = [{ field_id: '7', operator: 'EQUAL' }];
    const call = jsonCall({ ids: [1, 2], search: 'body', filters }, { method: 'GET' });
    const { originalUrl } = (await api.call('/api/v1/echo?search=why?', call)).body.request;
    const [path = '', query = ''] = originalUrl.split(/\?(.*)/);
    expect(path).toBe('/api/v1/echo');
    expect(parseQueryString(query)).toEqual({ search: 'why?', ids: ['1', '2'], filters });
  });

  it('do not believe X-Forwarded headers of anybody', async () => {
    const forged = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' };
    expect((await factsOf('/api/v1/echo', forged)).baseUrl).toBe(api.url());
  });

  it('believe them from a trusted proxy, and PUBLIC_URL beats both', async () => {
    const headers = {
      'x-user-token': api.key(),
      'x-forwarded-host': 'here.test',
      'x-forwarded-proto': 'https',
    };
    const ask = async (url: string) =>
      (
        (await (await fetch(`${url}/api/v1/echo`, { headers })).json()) as {
          request: { baseUrl: string };
        }
      ).request;
    const proxied = await start({ trustedProxies: ['127.0.0.1'] });
    expect((await ask(proxied.url)).baseUrl).toBe('https://here.test');
    const fixed = await start({ trustedProxies: ['127.0.0.1'], publicUrl: 'https://fabula.test' });
    expect((await ask(fixed.url)).baseUrl).toBe('https://fabula.test');
  });
});

it('survives a client that hangs up in the middle of its body', async () => {
  const { port } = new URL(api.url());
  await new Promise<void>((resolve) => {
    const socket = createConnection(Number(port), '127.0.0.1', () => {
      const head = `POST /api/v1/things HTTP/1.1\r\nHost: x\r\nX-User-Token: ${api.key()}\r\nContent-Length: 100\r\n\r\n{`;
      socket.write(head, () => socket.destroy());
    });
    socket.once('close', () => resolve());
  });
  expect((await api.call('/api/v1/answer')).status).toBe(202);
});
