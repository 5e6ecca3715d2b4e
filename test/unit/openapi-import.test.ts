import { importOpenapiInThread, listOpenapiInThread } from '../../src/stories/openapi/openapi-task.js';
import type { Actor } from '../../src/api/face.js';
import { createOpenapiService } from '../../src/stories/openapi/openapi-service.js';
import { literalTemplate } from '../../src/stories/openapi/literal-template.js';
import { literalText } from '../../src/console/request-import/literal-text.js';
import { sentRequest } from './console/request-import/sent-request.js';

const ADDRESS = 'https://docs.shop.test/v1/openapi.json';

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1.2' },
  servers: [
    { url: 'https://{region}.shop.test/api/', variables: { region: { default: 'eu' } } },
    { url: '/sandbox' },
  ],
  security: [{ key: [] }],
  paths: {
    '/items/{itemId}': {
      parameters: [{ $ref: '#/components/parameters/Item' }],
      get: {
        operationId: 'getItem',
        summary: 'Get an item',
        tags: ['Items'],
        parameters: [
          {
            name: 'fields',
            in: 'query',
            required: true,
            schema: { type: 'array', items: { type: 'string', enum: ['name'] } },
          },
          {
            name: 'ids',
            in: 'query',
            required: true,
            explode: false,
            schema: { type: 'array', items: { type: 'integer' } },
            example: [1, 2],
          },
          {
            name: 'filter',
            in: 'query',
            required: true,
            style: 'deepObject',
            schema: { type: 'object', properties: { a: { type: 'integer', minimum: 3 } } },
          },
          { name: 'page', in: 'query', schema: { type: 'integer', default: 1 } },
          { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'Authorization', in: 'header', required: true, schema: { type: 'string' } },
        ],
      },
      put: {
        security: [{ oauth: ['items:write', 'items:read'] }, { key: [] }, {}],
        requestBody: {
          content: {
            'application/xml': {},
            'application/json': { schema: { $ref: '#/components/schemas/Item' } },
          },
        },
      },
    },
    '/login': {
      post: {
        security: [{ basic: [] }],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                properties: {
                  tags: { type: 'array', items: { type: 'string', example: '=x' } },
                  meta: { type: 'object', properties: { a: { type: 'string' } } },
                },
              },
            },
          },
        },
      },
    },
    '/files': {
      post: {
        security: [{ query: [], cookie: [] }],
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: {
                  file: { type: 'string', format: 'binary' },
                  note: { type: 'string', default: 'a << b' },
                },
              },
            },
          },
        },
      },
    },
    '/mutual': { delete: { deprecated: true, security: [{ mtls: [] }] } },
    '/aws': {
      get: { security: [{ aws: [] }], requestBody: { content: { 'application/json': { example: {} } } } },
    },
    '/hoba': { get: { security: [{ hoba: [] }] } },
  },
  components: {
    parameters: {
      Item: { name: 'itemId', in: 'path', required: true, schema: { type: 'string' }, example: 'a-1' },
    },
    schemas: {
      Item: {
        allOf: [
          {
            type: 'object',
            properties: {
              id: { type: 'integer', readOnly: true },
              name: { type: 'string' },
              at: { type: 'string', format: 'date' },
            },
          },
          {
            type: 'object',
            properties: {
              parent: { $ref: '#/components/schemas/Item' },
              kind: { oneOf: [{ type: 'null' }, { enum: ['x', 'y'] }] },
            },
          },
        ],
      },
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'From the settings.' },
      query: { type: 'apiKey', in: 'query', name: 'token' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      basic: { type: 'http', scheme: 'Basic' },
      mtls: { type: 'mutualTLS' },
      hoba: { type: 'http', scheme: 'HOBA' },
      aws: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        'x-amazon-apigateway-authtype': 'awsSigv4',
      },
      oauth: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://id.shop.test/authorize',
            tokenUrl: '/token',
            scopes: {},
          },
        },
      },
    },
  },
};

const sourceOf = (document: unknown) => ({
  content: typeof document === 'string' ? document : JSON.stringify(document),
  address: ADDRESS as string | undefined,
});

interface Given {
  document?: unknown;
  server?: string;
  language?: 'formula' | 'liquid';
}

function imported(method: string, path: string, { document = DOCUMENT, ...more }: Given = {}) {
  const wanted = { method, path, server: undefined, language: 'formula' as const, ...more };
  return importOpenapiInThread({ source: sourceOf(document), wanted });
}

const listed = (document: unknown, search = '', limit = 100) =>
  listOpenapiInThread({ source: sourceOf(document), search, limit });

/** A document with one operation that has this body. */
const withBody = (schema: object, components: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
  components,
});
const payloadOf = (schema: object, components = {}) =>
  imported('post', '/a', { document: withBody(schema, components) }).options['payload'];

describe('a list of operations', () => {
  it('has what the document tells of itself', () => {
    const { operations, ...rest } = listed(DOCUMENT, 'get ITEM');
    expect(operations).toEqual([
      {
        method: 'get',
        path: '/items/{itemId}',
        operation_id: 'getItem',
        summary: 'Get an item',
        tags: ['Items'],
        deprecated: false,
      },
    ]);
    expect(rest).toMatchObject({
      title: 'Shop',
      version: '1.2',
      openapi: '3.0.3',
      total: 1,
      servers: [{ url: 'https://eu.shop.test/api' }, { url: 'https://docs.shop.test/sandbox' }],
    });
    expect(rest.security_schemes).toHaveLength(8);
  });

  it('is bounded, and counts what it leaves out', () => {
    expect(listed(DOCUMENT, '', 2)).toMatchObject({
      total: 7,
      operations: [{ method: 'get' }, { method: 'put' }],
    });
  });

  it('reads YAML, with merge keys and numbers as keys', () => {
    const yaml =
      'openapi: 3.1.0\nx: &base {summary: Same}\npaths:\n  /a:\n    get:\n      <<: *base\n      responses: {200: {}}\n';
    expect(listed(yaml)).toMatchObject({ operations: [{ method: 'get', path: '/a', summary: 'Same' }] });
  });
});

describe('an operation as an action', () => {
  it('has its address, parameters, headers and a key', () => {
    const { options, credentials, parameters, name, remarks } = imported('get', '/items/{itemId}');
    expect(name).toBe('Get an item');
    expect(options).toEqual({
      local: { itemId: 'a-1' },
      url: 'https://eu.shop.test/api/items/<<LOCAL.itemId>>',
      method: 'get',
      query_params: { fields: ['name'], ids: '1,2', 'filter[a]': '3' },
      params_encoder: 'flat',
      headers: {
        'X-Trace': '00000000-0000-4000-8000-000000000000',
        'X-Api-Key': '<<CREDENTIAL.eu_shop_test_key>>',
      },
    });
    expect(credentials).toEqual([
      {
        where: 'headers.X-Api-Key',
        scheme: 'key',
        description: 'From the settings.',
        suggestion: { name: 'eu_shop_test_key', mode: 'TEXT', allowed_hosts: ['eu.shop.test'] },
      },
    ]);
    expect(parameters.map(({ name: named, included }) => [named, included])).toEqual([
      ['itemId', true],
      ['fields', true],
      ['ids', true],
      ['filter', true],
      ['page', false],
      ['X-Trace', true],
    ]);
    expect(remarks).toEqual([]);
    expect(sentRequest(options)).toMatchObject({
      url: 'https://eu.shop.test/api/items/a-1?fields=name&ids=1%2C2&filter%5Ba%5D=3',
    });
  });

  it('has an example body of its schema, and OAuth as a credential', () => {
    const { options, credentials, remarks } = imported('put', '/items/{itemId}', {
      server: 'https://docs.shop.test/sandbox',
    });
    expect(options).toMatchObject({
      url: 'https://docs.shop.test/sandbox/items/<<LOCAL.itemId>>',
      content_type: 'application/json',
      headers: { Authorization: 'Bearer <<CREDENTIAL.docs_shop_test_token>>' },
    });
    expect(options['payload']).toMatchObject({
      name: 'text',
      at: '2026-01-31',
      parent: { name: 'text' },
      kind: 'x',
    });
    expect(options['payload']).not.toHaveProperty('id');
    expect(credentials[0]?.suggestion).toEqual({
      name: 'docs_shop_test_token',
      mode: 'OAUTH',
      oauth_grant_type: 'authorization_code',
      oauth_token_url: 'https://docs.shop.test/token',
      oauth_url: 'https://id.shop.test/authorize',
      oauth_scope: 'items:write items:read',
      allowed_hosts: ['docs.shop.test'],
    });
    expect(remarks).toEqual([
      'The operation also takes application/xml.',
      'The operation also takes other security: key.',
      'The operation also works without a credential.',
    ]);
  });

  it('sends forms and files', () => {
    const login = imported('post', '/login').options;
    expect(login).toMatchObject({
      payload: { tags: ["<<'='>>x"], meta: '{"a":"text"}' },
      params_encoder: 'flat',
      basic_auth: ['user', '<<CREDENTIAL.eu_shop_test_password>>'],
    });
    expect(sentRequest(login).body).toBe('tags=%3Dx&meta=%7B%22a%22%3A%22text%22%7D');
    const { options } = imported('post', '/files');
    expect(options).toMatchObject({
      content_type: 'multipart/form-data',
      payload: { file: { filename: 'file', contents: '' }, note: "a <<'<<'>> b" },
      query_params: { token: '<<CREDENTIAL.eu_shop_test_key>>' },
      headers: { Cookie: 'sid=<<CREDENTIAL.eu_shop_test_key_2>>' },
    });
  });

  it('knows certificates and AWS; tells what has no place', () => {
    const mutual = imported('delete', '/mutual');
    expect(mutual.options['mutual_tls']).toBe('<<CREDENTIAL.eu_shop_test_certificate>>');
    expect(mutual.credentials[0]?.suggestion.mode).toBe('MTLS');
    expect(mutual.remarks).toEqual(['The operation is deprecated.']);
    const aws = imported('get', '/aws');
    expect(aws.credentials[0]?.suggestion.mode).toBe('AWS');
    expect(aws.remarks).toEqual(['The body is left out: a GET is sent without one here.']);
    expect(imported('get', '/hoba').remarks).toEqual(['The security scheme hoba is not supported: hoba.']);
  });

  it('stands in the language of the story', () => {
    const { options, remarks } = imported('get', '/items/{itemId}', { language: 'liquid' as const });
    expect(options).toMatchObject({
      url: 'https://eu.shop.test/api/items/a-1',
      headers: { 'X-Api-Key': '{{ .CREDENTIAL.eu_shop_test_key }}' },
    });
    expect(remarks).toEqual(['Replace the examples in the address: itemId.']);
    for (const text of ['<<a>>', '=x', '"{{x}}"', '{% x']) {
      for (const language of ['formula', 'liquid'] as const) {
        expect(literalTemplate(text, language)).toBe(literalText(text, language));
      }
    }
  });

  it('of a pasted document without a host says so', () => {
    const wanted = { method: 'get', path: '/a', server: undefined, language: 'formula' as const };
    const content = '{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}';
    const { options, remarks } = importOpenapiInThread({ source: { content, address: undefined }, wanted });
    expect(options).toEqual({ url: 'https://example.com/a', method: 'get' });
    expect(remarks).toEqual(['The document names no host: replace https://example.com in url.']);
  });
});

describe('an example of a schema', () => {
  it.each<[object, unknown]>([
    [{ type: ['null', 'integer'], minimum: 2 }, 2],
    [{ examples: ['a', 'b'] }, 'a'],
    [{ const: false }, false],
    [{ type: 'boolean' }, true],
    [{ type: 'array', items: { type: 'string', format: 'email' } }, ['ada@example.com']],
    [{ anyOf: [{ type: 'null' }, { type: 'number' }] }, 0],
    [{ allOf: [{ type: 'string', enum: ['only'] }] }, 'only'],
    [{ properties: { a: {} } }, { a: 'text' }],
  ])('%j is %j', (schema, value) => expect(payloadOf(schema)).toEqual(value));

  it('that contains itself ends', () => {
    const schemas = {
      A: {
        type: 'object',
        properties: { a: { $ref: '#/components/schemas/A' }, b: { $ref: '#/components/schemas/A' } },
      },
    };
    const text = JSON.stringify(payloadOf({ $ref: '#/components/schemas/A' }, { schemas }));
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('the service', () => {
  it('counts what a document costs, and asks before whether more is allowed', async () => {
    const asked: string[] = [];
    const service = createOpenapiService({
      http: { request: () => Promise.reject(new Error('nothing is fetched')) },
      threads: { run: (_, work) => Promise.resolve(listOpenapiInThread(work as never)) as never },
      quotas: {
        requireArrival: (tenantId) => void asked.push(`asked ${tenantId}`),
        add: (tenantId, { cpuMs = 0 }) => void asked.push(`added ${tenantId} ${cpuMs > 0}`),
      },
    });
    const actor = { tenantId: 7, roles: new Map([[3, 'EDITOR']]) } as unknown as Actor;
    const given = {
      url: undefined,
      document: JSON.stringify(DOCUMENT),
      teamId: undefined,
      search: '',
      limit: 1,
    };
    expect((await service.list(actor, given, new AbortController().signal)).total).toBe(7);
    expect(asked).toEqual(['asked 7', 'added 7 true']);
  });
});

function refused(document: unknown) {
  try {
    listed(document);
    if (typeof document === 'object') imported('post', '/a', { document });
  } catch (error) {
    const [problem] = (error as { problems: { message: string; details?: string }[] }).problems;
    return problem;
  }
  return undefined;
}

describe('is refused', () => {
  it.each<[string, unknown, string]>([
    [
      'Swagger 2',
      { swagger: '2.0', paths: {} },
      'The document is Swagger 2.0. Convert it to OpenAPI 3 first',
    ],
    [
      'OpenAPI 4',
      { openapi: '4.0.0', paths: {} },
      'OpenAPI 4.0.0 is not supported. Use a document of OpenAPI 3.0 or 3.1',
    ],
    ['JSON of something else', { a: 1 }, 'The document is not an OpenAPI document: it has no "openapi"'],
    ['no object', '[1]', 'The document is not an OpenAPI document'],
    ['text', '<html>', 'The document is not an OpenAPI document'],
  ])('%s', (_, document, message) => expect(refused(document)).toEqual({ message }));

  it.each([
    ['another document', 'pets.yaml#/Pet', '"$ref" to another document is not followed: pets.yaml#/Pet'],
    [
      'another host',
      'https://a.test/x.json',
      '"$ref" to another document is not followed: https://a.test/x.json',
    ],
    ['nothing', '#/components/schemas/None', '"$ref" leads to nothing: #/components/schemas/None'],
    ['a prototype', '#/constructor', '"$ref" leads to nothing: #/constructor'],
    ['itself', '#/paths/~1a/post/requestBody/content/application~1json/schema', undefined],
  ])('a reference to %s, with its place', (_, $ref, message) => {
    const details = 'paths./a.post.requestBody.content.application/json.schema';
    expect(refused(withBody({ $ref }))).toEqual({
      message: message ?? `"$ref" leads in a circle: ${$ref}`,
      details,
    });
  });

  it('YAML whose aliases grow', () => {
    const lines = Array.from(
      { length: 20 },
      (_, at) => `x${at + 1}: &x${at + 1} [${Array(10).fill(`*x${at}`).join(',')}]`,
    );
    const bomb = `openapi: 3.1.0\npaths: {}\nx0: &x0 [a]\n${lines.join('\n')}\n`;
    expect(refused(bomb)?.message).toBe('The document has too many values');
    expect(refused('openapi: 3.1.0\npaths: *nowhere')?.message).toBe(
      'The document has an alias of YAML without an anchor',
    );
  });

  it.each([
    [
      'aliases that nest',
      Array.from({ length: 300 }, (_, at) => `x${at + 1}: &x${at + 1} [*x${at}]`).join('\n'),
    ],
    ['an alias in its own anchor', 'y: &y [*y, *y]'],
  ])('YAML with %s', (_, lines) => {
    const { message } = refused(`openapi: 3.1.0\npaths: {}\nx0: &x0 [a]\n${lines}\n`) ?? {};
    expect(message).toBe('The document is nested too deep');
  });

  it('an example that would be too large to answer', () => {
    expect(refused(withBody({ example: 'x'.repeat(5_000_000) }))?.message).toBe(
      'The texts and examples of the document are too large',
    );
  });

  it.each(['[', '{"a":', '- '])('nesting without end of %j', (open) => {
    const { message } = refused(open.repeat(20_000)) ?? {};
    expect(message).toMatch(/^The document is (?:nested too deep|neither JSON nor YAML)/);
  });

  it('YAML that is none, with the line', () => {
    expect(refused('openapi: "3.1.0\npaths: {}')?.message).toMatch(
      /^The document is neither JSON nor YAML: .* line \d/,
    );
  });
});
