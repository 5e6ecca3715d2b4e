import { buildAccount } from '../support/builders.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { useManageApi, WITHOUT_WORKERS } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores, { ...WITHOUT_WORKERS, env: { OUTBOUND_DENY: '127.0.0.3/32' } });
const LIST = 'POST /api/v1/openapi/operations';
const IMPORT = 'POST /api/v1/openapi/request';
const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/pets/{id}': {
      get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] },
    },
  },
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
};

let open: HttpTarget;
let closed: HttpTarget;
let key: string;

beforeAll(async () => {
  open = await startHttpTarget({ rules: { '/pets.json': { body: PETS } } });
  closed = await startHttpTarget({ host: '127.0.0.3', rules: { '/pets.json': { body: PETS } } });
});

afterAll(async () => {
  await open.close();
  await closed.close();
});

beforeEach(async () => {
  ({ key } = await buildAccount(stores.db));
});

async function refusal(body: object): Promise<unknown> {
  const { status, body: answer } = await api.call(key, LIST, body);
  expect(status).toBe(422);
  return answer.errors[0];
}

describe('an OpenAPI document', () => {
  it('is fetched: its server is the one that it came from', async () => {
    const url = `${open.url}/pets.json`;
    expect((await api.call(key, LIST, { url, search: 'PETS' })).body).toMatchObject({
      title: 'Pets',
      servers: [{ url: open.url }],
      operations: [{ method: 'get', path: '/pets/{id}' }],
      total: 1,
    });
    const { status, body } = await api.call(key, IMPORT, { url, method: 'GET', path: '/pets/{id}' });
    expect([status, body.options]).toEqual([
      200,
      {
        local: { id: '0' },
        url: `${open.url}/pets/<<LOCAL.id>>`,
        method: 'get',
        headers: { Authorization: 'Bearer <<CREDENTIAL["127_0_0_1_token"]>>' },
      },
    ]);
    expect(body.credentials).toMatchObject([
      { suggestion: { mode: 'TEXT', allowed_hosts: [`127.0.0.1:${open.port}`] } },
    ]);
    expect(open.requests.at(-1)?.headers).not.toHaveProperty('x-user-token');
  });

  it('may be pasted, as YAML too', async () => {
    const document = 'openapi: 3.0.0\npaths:\n  /a:\n    post: {summary: Make it}\n';
    expect((await api.call(key, LIST, { document })).body.operations).toMatchObject([{ summary: 'Make it' }]);
  });
});

describe('is not fetched', () => {
  it('what the operator closes, also behind a redirect', async () => {
    const message = `127.0.0.3:${closed.port}: the address is blocked by OUTBOUND_DENY`;
    expect(await refusal({ url: `${closed.url}/pets.json` })).toMatchObject({ message, details: 'url' });
    open.on('/away', { redirect: `${closed.url}/pets.json` });
    expect(await refusal({ url: `${open.url}/away` })).toMatchObject({ message, details: 'url' });
    expect(closed.requests).toEqual([]);
  });

  it.each(['http://10.0.0.1/a.json', 'http://169.254.169.254/latest', 'http://[fd00::1]/'])(
    '%s',
    async (url) => {
      expect(await refusal({ url })).toMatchObject({
        details: 'url',
        message: expect.stringContaining('address'),
      });
    },
  );

  it('with a user in its address, or by another scheme', async () => {
    expect(await refusal({ url: 'http://a:b@127.0.0.1/x' })).toMatchObject({ details: 'url' });
    expect(await refusal({ url: 'file:///etc/passwd' })).toMatchObject({ details: 'url' });
  });

  it('what is too large, missing, or something else', async () => {
    open.on('/large', { body: Buffer.alloc(11 * 1024 * 1024, 32) });
    expect(await refusal({ url: `${open.url}/large` })).toMatchObject({ details: 'url' });
    expect(await refusal({ url: `${open.url}/none` })).toMatchObject({
      message: `127.0.0.1:${open.port} answered 404`,
      details: 'url',
    });
    open.on('/page', { body: '<html>' });
    expect(await refusal({ url: `${open.url}/page` })).toMatchObject({
      message: expect.stringContaining('OpenAPI'),
      details: 'url',
    });
  });
});

describe('is refused', () => {
  it('with the place of a reference to another document', async () => {
    const document = '{"openapi":"3.1.0","paths":{"/a":{"$ref":"other.json"}}}';
    expect(await refusal({ document })).toMatchObject({ details: 'paths./a' });
  });

  it('a text that is no document, with its field', async () => {
    expect(await refusal({ document: '<html>' })).toEqual({
      message: 'The document is not an OpenAPI document',
      details: 'document',
    });
  });

  it('YAML that grows or never ends', async () => {
    const bomb = Array.from(
      { length: 30 },
      (_, at) => `x${at + 1}: &x${at + 1} [*x${at},*x${at},*x${at}]`,
    ).join('\n');
    expect(await refusal({ document: `openapi: 3.1.0\npaths: {}\nx0: &x0 [a]\n${bomb}` })).toMatchObject({
      message: expect.stringContaining('too many values'),
    });
    expect(await refusal({ document: '['.repeat(1_000_000) })).toBeDefined();
  });

  it('without a document, or with two', async () => {
    expect(await refusal({})).toBeDefined();
    expect(await refusal({ url: `${open.url}/pets.json`, document: '{}' })).toBeDefined();
  });
});
