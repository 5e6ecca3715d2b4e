import { spawn } from 'node:child_process';
import path from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import type { Express } from 'express';
import Joi from 'joi';
import { createApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { jsonSchemaOf } from '../../src/api/openapi/json-schema.js';
import { createOpenApiDocument } from '../../src/api/openapi/openapi-document.js';
import type { OpenApiDocument, Operation, Parameter } from '../../src/api/openapi/openapi-types.js';
import { documentedPath } from '../../src/api/openapi/operation.js';
import { typeText } from '../../src/api/openapi/schema-fields.js';
import { parseQueryString } from '../../src/platform/http/address/query-string.js';
import { type AnyRoute, defineRoute, type RouteDocs } from '../../src/api/route.js';
import { ROUTES } from '../../src/app/routes.js';
import { isJsonObject } from '../../src/platform/json.js';
import { standaloneSchema } from '../../src/api/openapi/standalone-schema.js';
import { check } from '../../src/platform/validation/validate.js';
import { createWebServices } from '../../src/app/services/web-services.js';
import operationIds from '../fixtures/operation-ids.json';
import { startTestApp } from '../support/app.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { useStores } from '../support/stores.js';

const named = ROUTES.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);
const document = createOpenApiDocument(ROUTES, { version: '1.2.3', publicUrl: undefined });

/** Undocumented statuses of an error that a route can give by its shape alone. */
const SUCCESSES = ['200', '201', '202', '204'];

const isReading = (name: string) =>
  name.startsWith('GET ') || name === 'POST /api/v1/templates/preview' || name.endsWith('/presence');

function operationOf(route: AnyRoute<never>): Operation {
  return document.paths[documentedPath(route.path)]![route.method]!;
}

/** Runs the validator in a process of its own: it is an ES module, which Jest cannot load on Node 20. */
async function validate(value: unknown): Promise<{ valid: boolean; errors?: unknown }> {
  const script = `
    import { Validator } from '@seriousme/openapi-schema-validator';
    let text = '';
    for await (const chunk of process.stdin) text += chunk;
    const result = await new Validator().validate(JSON.parse(text));
    console.log(JSON.stringify(result));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: path.resolve(__dirname, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stdin.end(JSON.stringify(value));
  await new Promise((resolve) => child.once('close', resolve));
  return JSON.parse(Buffer.concat(output).toString()) as { valid: boolean };
}

/** `GET /path` of every route of an Express application, nested routers included. */
function mountedRoutes(app: Express): string[] {
  interface Layer {
    route?: { path: string; methods: Record<string, boolean> };
    handle?: { stack?: Layer[] };
  }
  const walk = (layers: Layer[]): string[] =>
    layers.flatMap(({ route, handle }) =>
      route === undefined
        ? walk(handle?.stack ?? [])
        : Object.keys(route.methods).map((method) => `${method} ${documentedPath(route.path)}`),
    );
  return walk((app as unknown as { router: { stack: Layer[] } }).router.stack);
}

function documentedRoutes({ paths }: OpenApiDocument): string[] {
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.keys(methods).map((method) => `${method} ${route}`),
  );
}

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await validate(document)).toMatchObject({ valid: true });
    expect(await validate({ ...document, info: {} })).toMatchObject({ valid: false });
  });

  /** If it fails: give the route an `operationId` of its own in `docs` (of two versions of a path, one needs it). */
  it('names each operation once', () => {
    const names = ROUTES.map((route) => operationOf(route).operationId);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  /** Clients call operations by these names. New ones are added to the list by `npm run client`. */
  it('keeps the name of each operation that clients know', () => {
    const known = Object.entries(operationIds);
    const now = Object.fromEntries(
      ROUTES.map((route) => [operationOf(route).operationId, `${route.method} ${route.path}`]),
    );
    expect(Object.fromEntries(known.map(([name]) => [name, now[name]]))).toEqual(operationIds);
    expect(known.length).toBeGreaterThan(100);
  });

  /** If it fails: describe the field in its schema; for a field that means the same everywhere, in `field-words.ts`. */
  it('says of each field and parameter what it means', () => {
    const parameters = ROUTES.flatMap((route) => {
      const { operationId, parameters: all } = operationOf(route);
      return all.filter((one) => !one.description).map(({ name }) => `${operationId}: ${name}`);
    });
    const named = Object.entries(document.components.schemas);
    expect([...parameters, ...named.flatMap(([name, schema]) => silentFields(schema, name))]).toEqual([]);
  });

  /** If it fails: name the schema with `component('Noun', schema)`, or describe a response at all. */
  it('has a named type for each object that is sent or answered', () => {
    const inPlace = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, requestBody, responses }) =>
        contentsOf(requestBody, responses)
          .filter(({ schema }) => 'properties' in schema)
          .map(() => operationId),
      ),
    );
    expect(inPlace).toEqual([]);
  });

  it('A20, A21 clients: describes each operation, has no style that OpenAPI lacks, and says what may be more', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(
      operations.filter(({ description }) => !description).map(({ operationId }) => operationId),
    ).toEqual([]);
    // PUT and PATCH mean the same, under both names of some paths.
    const words = operations.map(({ description }) => description);
    const generic = words.filter((text) => words.filter((other) => other === text).length > 4);
    expect(new Set(generic)).toEqual(new Set());
    const styles = operations.flatMap(({ parameters }) => parameters.flatMap(({ style }) => style ?? []));
    expect(new Set(styles)).toEqual(new Set(['form']));
    expect(
      Object.entries(document.components.schemas).flatMap(([name, json]) => silentObjects(json, name)),
    ).toEqual([]);
  });

  it('refers only to components that are there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, to]) => to!);
    const found = references.map((to) =>
      to
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document),
    );
    expect(references.filter((_to, index) => found[index] === undefined)).toEqual([]);
    expect(references.length).toBeGreaterThan(10);
  });
});

describe('every route', () => {
  it('has documentation', () => {
    expect(named.filter(([, { docs }]) => docs === undefined).map(([name]) => name)).toEqual([]);
  });

  it('that is no GET has a name in the audit log, unless an editor asks it all the time; no GET has one', () => {
    const wrong = named.filter(([name, { audit }]) => isReading(name) !== (audit === undefined));
    expect(wrong.map(([name]) => name)).toEqual([]);
    const malformed = named.filter(
      ([, { audit }]) => audit !== undefined && !/^[a-z_]+\.[a-z_]+$/.test(audit),
    );
    expect(malformed.map(([name, { audit }]) => [name, audit])).toEqual([]);
  });

  it('describes its response, unless it has no body', () => {
    const silent = named.filter(
      ([, { docs, status }]) => docs !== undefined && !docs.response !== (status === 204),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it.each(named)('%s has an example that its own schemas accept', (_name, { docs, params, query, body }) => {
    const example: RouteDocs['example'] = docs?.example ?? {};
    const problems = [
      ...check(params ?? Joi.object({}), example.params ?? {}).problems,
      ...check(query ?? Joi.object({}), parseQueryString(queryText(example.query ?? {}))).problems,
      ...check(docs?.body ?? body ?? Joi.object({}), example.body ?? {}).problems,
    ];
    expect(problems).toEqual([]);
  });

  it.each(named)('%s has an example answer that its schema accepts as it is', (_name, { docs }) => {
    if (docs?.response === undefined) return;
    expect(docs.example.response).toBeDefined();
    const strict = { convert: false, abortEarly: false, allowUnknown: false };
    expect(docs.response.validate(docs.example.response, strict).error).toBeUndefined();
  });

  it.each(named)('%s has examples that pass the JSON Schemas of the document', (_name, route) => {
    const operation = operationOf(route);
    const { requestBody, responses, parameters } = operation;
    const [status] = Object.keys(responses).filter((code) => SUCCESSES.includes(code));
    const success = responses[status!]!;
    const successes = '$ref' in success ? [] : Object.values(success.content ?? {});
    const samples = [requestBody?.content['application/json'], ...successes, ...parameters];
    const problems = samples.flatMap((sample) =>
      sample?.example === undefined ? [] : schemaProblems(sample.schema, sample.example),
    );
    expect(problems).toEqual([]);
    expect(parameters.filter((one) => isUndocumented(one, route)).map(({ name }) => name)).toEqual([]);
  });
});

/** A path parameter without a value in the example. */
function isUndocumented({ in: place, example }: Parameter, route: AnyRoute<never>): boolean {
  return route.docs !== undefined && place === 'path' && example === undefined;
}

/** The places of fields without a description. */
function silentFields(schema: unknown, place: string): string[] {
  if (!isJsonObject(schema)) return [];
  const { properties, items, additionalProperties, anyOf } = schema;
  const parts = [items, additionalProperties, ...(Array.isArray(anyOf) ? anyOf : [])];
  return [
    ...parts.flatMap((part) => silentFields(part, place)),
    ...Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, field]) => [
      ...(isJsonObject(field) && field['description'] !== undefined ? [] : [`${place}.${name}`]),
      ...silentFields(field, `${place}.${name}`),
    ]),
  ];
}

/** The places of objects with known keys that do not say whether they may have others. */
function silentObjects(schema: unknown, place: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => silentObjects(part, place));
  if (!isJsonObject(schema)) return [];
  const { properties, type, additionalProperties: others } = schema;
  const isSilent = [type].flat().includes('object') && isJsonObject(properties) && others === undefined;
  const inside = Object.entries(schema).filter(([key]) => !['default', 'enum', 'examples'].includes(key));
  return [
    ...(isSilent ? [place] : []),
    ...inside.flatMap(([key, part]) => silentObjects(part, `${place}.${key}`)),
  ];
}

/** The contents of a request's body and of its responses. */
function contentsOf(body: Operation['requestBody'], responses: Operation['responses']) {
  const contents = Object.values(responses).flatMap((one) => ('$ref' in one ? [] : [one.content]));
  return [body?.content, ...contents].flatMap((content) => content?.['application/json'] ?? []);
}

function queryText(query: Record<string, unknown>): string {
  const flat = (name: string, value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, part]) => flat(`${name}[${key}]`, part))
      : [`${name}=${encodeURIComponent(String(value))}`];
  return Object.entries(query)
    .flatMap(([name, value]) => flat(name, value))
    .join('&');
}

/** Like a generated client: types as written. It compiles each component once for all samples. */
const clientSchemas = new Ajv2020({
  strict: false,
  allErrors: true,
  logger: false,
  formats: {
    email: /^[^@\s]+@[^@\s]+$/,
    uri: /^[a-z][a-z0-9+.-]*:/i,
    date: /^\d{4}-/,
    'date-time': /^\d{4}-.*T/,
  },
}).addSchema({
  $id: 'document:',
  components: document.components,
});

/** Most parameters have one of a few schemas. */
const compiled = new Map<string, ValidateFunction>();

function schemaProblems(schema: object, value: unknown): unknown[] {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document:#/');
  const valid = compiled.get(text) ?? clientSchemas.compile(JSON.parse(text) as object);
  compiled.set(text, valid);
  return valid(value) ? [] : (valid.errors ?? []);
}

describe('a schema', () => {
  it.each([
    [
      'a list that takes one element alone',
      Joi.array().items(Joi.number()).single(),
      { type: 'array', items: { type: 'number' } },
    ],
    ['a choice with null', Joi.string().valid('a', null), { type: ['string', 'null'], enum: ['a', null] }],
    [
      'any keys',
      Joi.object().pattern(Joi.string(), Joi.number()),
      { type: 'object', additionalProperties: { type: 'number' } },
    ],
    [
      'a number with bounds',
      Joi.number().integer().min(1).max(5),
      { type: 'integer', minimum: 1, maximum: 5 },
    ],
    [
      'a choice in any letter case',
      Joi.string().valid('A').insensitive(),
      { type: 'string', enum: ['A', 'a'] },
    ],
    [
      'the id of a field, which is text in answers',
      Joi.object({ field_id: Joi.number().integer() }),
      {
        type: 'object',
        properties: { field_id: { type: ['string', 'integer'] } },
        additionalProperties: false,
      },
    ],
    [
      'a condition',
      Joi.string().when('a', { is: 1, otherwise: Joi.string().max(3) }),
      {
        anyOf: [
          { type: 'string', minLength: 1, maxLength: 3 },
          { type: 'string', minLength: 1 },
        ],
      },
    ],
    [
      'a field that is called like a keyword',
      Joi.object({ enum: Joi.array().items(Joi.number()).single() }),
      {
        type: 'object',
        properties: { enum: { type: 'array', items: { type: 'number' } } },
        additionalProperties: false,
      },
    ],
  ])('of %s', (_what, schema, expected) => {
    expect(jsonSchemaOf(schema)).toEqual(expected);
  });

  it.each([
    [{ type: 'integer', minimum: 1, maximum: 500, default: 20 }, 'integer, 1 to 500, default 20'],
    [{ type: 'integer', exclusiveMinimum: 0 }, 'integer, over 0'],
    [{ type: ['string', 'null'], maxLength: 9 }, 'string or null, at most 9 characters'],
    [{ type: 'array', items: { type: 'string', format: 'uri' } }, 'array of string (uri)'],
    [{ enum: ['ASC', 'DESC'] }, '"ASC" or "DESC"'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string or number'],
    [{}, 'any'],
  ])('%j reads "%s"', (schema, expected) => {
    expect(typeText(schema)).toBe(expected);
  });
});

describe('over HTTP', () => {
  // Here alone: the stores are emptied after each test, and there are hundreds above.
  const stores = useStores();
  const hostile = defineRoute<unknown, unknown, unknown, unknown>({
    method: 'get',
    path: '/api/v1/hostile',
    summary: '<script>alert(1)</script>',
    docs: {
      tag: '"><img src=x>',
      description: 'See `<b>`',
      example: { response: '</code><i>' },
      response: Joi.string(),
      errors: [],
    },
    handle: () => 'x',
  });

  it('the document holds every route of the application, and no other', async () => {
    const config = readConfig(fabulaEnvironment(stores));
    const web = createWebServices(config, stores.logger, { isShuttingDown: () => false });
    const app = createApp({ ...web.app, routes: ROUTES });
    const mounted = mountedRoutes(app).filter((route) => / \/api\/v\d/.test(route));
    await web.close();
    expect(documentedRoutes(document).toSorted()).toEqual(mounted.toSorted());
    expect(mounted.length).toBeGreaterThan(3);
  });

  it('document and plain page need no key, and the page loads nothing and runs nothing', async () => {
    const app = await startTestApp(stores, { routes: [...ROUTES, hostile], services: {} });
    const json = await fetch(`${app.url}/api/openapi.json`);
    expect(json.status).toBe(200);
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(json.headers.get('cache-control')).toBe('public, max-age=300');
    const served = (await json.json()) as OpenApiDocument;
    expect(Object.keys(served.paths)).toEqual([...Object.keys(document.paths), '/api/v1/hostile']);

    const page = await fetch(`${app.url}/api/docs/plain`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    const html = await page.text();
    expect(html).not.toMatch(/<script|<img|<b>|<i>|\bsrc=(?!x&gt;)|@import|url\(/i);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
    const others = ['/api/docs', '/api/openapi.json'];
    expect(links.filter((link) => !link.startsWith('#') && !others.includes(link))).toEqual([]);
    for (const route of ROUTES) expect(html).toContain(`id="${operationOf(route).operationId}"`);
  });

  it('the server of the document is the one that was asked', async () => {
    const app = await startTestApp(stores, { routes: [...ROUTES], services: {} as never });
    const { servers } = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as OpenApiDocument;
    expect(servers).toEqual([{ url: app.url }]);
  });

  it('the story format needs no key either', async () => {
    const app = await startTestApp(stores, { routes: [...ROUTES], services: {} as never });
    const response = await fetch(`${app.url}/api/story.schema.json`);
    expect(response.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
    expect(await response.json()).toEqual(standaloneSchema('StoryExport', document.components.schemas));
  });

  it('the root says where they are', async () => {
    const app = await startTestApp(stores, { routes: [], services: {} });
    const response = await fetch(app.url);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      name: 'Fabula',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      documentation: '/api/docs',
      openapi: '/api/openapi.json',
      story_schema: '/api/story.schema.json',
    });
  });

  it('the public address is the server of the document', () => {
    const { servers } = createOpenApiDocument([], { version: '1', publicUrl: 'https://fabula.test' });
    expect(servers).toEqual([{ url: 'https://fabula.test' }]);
  });
});
