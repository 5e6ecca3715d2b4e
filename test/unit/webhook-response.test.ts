import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { call, postJson } from '../support/http-call.js';
import { SECRET, startWebhooks, type TestWebhooks, type TestWebhooksOptions } from '../support/webhooks.js';

const HOOK = `/webhook/hook/${encodeURIComponent(SECRET)}`;
const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const open: TestWebhooks[] = [];

const start = async (options: TestWebhooksOptions = {}) => {
  const webhooks = await startWebhooks(options);
  open.push(webhooks);
  return webhooks;
};

const responseTo = async (options: JsonObject, body: unknown = {}, rest: TestWebhooksOptions = {}) => {
  const webhooks = await start({ options, ...rest });
  const response = await postJson(webhooks.url + HOOK, body, { 'X-Custom': 'One' });
  expect(webhooks.started).toHaveLength(1);
  return { ...response, warnings: webhooks.warnings };
};

afterEach(async () => {
  for (const webhooks of open.splice(0)) await webhooks.close();
});

describe('responses as configured', () => {
  test.each<[string, JsonObject, number, string | undefined, string]>([
    ['the default', {}, 201, TEXT, 'Ok'],
    ['null', { response: null }, 201, TEXT, 'Ok'],
    ['text', { response: 'Thanks é' }, 201, TEXT, 'Thanks é'],
    ['an empty text', { response: '' }, 201, undefined, ''],
    ['a number', { response: 5 }, 201, TEXT, '5'],
    ['an object', { response: { a: [1] } }, 201, JSON_TYPE, '{"a":[1]}'],
    ['a list', { response: [1] }, 201, JSON_TYPE, '[1]'],
    ['a code', { response_code: 202 }, 202, TEXT, 'Ok'],
    ['a code as text', { response_code: ' 200 ' }, 200, TEXT, 'Ok'],
    ['a client error', { response_code: 404 }, 404, TEXT, 'Ok'],
    ['a code without body', { response_code: 204 }, 204, undefined, ''],
    ['a code below the range', { response_code: 199 }, 201, TEXT, 'Ok'],
    ['a code above the range', { response_code: 600 }, 201, TEXT, 'Ok'],
    ['a code that is no whole number', { response_code: 200.5 }, 201, TEXT, 'Ok'],
    ['a code that is no number', { response_code: 'teapot' }, 201, TEXT, 'Ok'],
    ['a code that is a list', { response_code: [200] }, 201, TEXT, 'Ok'],
    [
      'XML',
      { response: '<a/>', response_headers: { 'content-type': 'text/xml' } },
      201,
      'text/xml; charset=utf-8',
      '<a/>',
    ],
    [
      'JSON text',
      { response: '{}', response_headers: { 'Content-Type': 'application/json; charset=x' } },
      201,
      JSON_TYPE,
      '{}',
    ],
    [
      'a type that is not allowed',
      { response: '<b>', response_headers: { 'content-type': 'text/html' } },
      201,
      TEXT,
      '<b>',
    ],
    [
      'an object with a type not allowed',
      { response: {}, response_headers: { 'content-type': 'text/html' } },
      201,
      JSON_TYPE,
      '{}',
    ],
    [
      'an object as plain text',
      { response: {}, response_headers: { 'content-type': 'text/plain' } },
      201,
      TEXT,
      '{}',
    ],
  ])('%s', async (_name, options, ...[status, type, text]) => {
    const response = await responseTo(options);
    expect(response).toMatchObject({ status, text });
    expect(response.headers['content-type']).toBe(type);
    expect(response.headers['x-service-story-run']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('headers of its own that are on the list, without those that belong to the connection or the server', async () => {
    const response = await responseTo({
      response_headers: {
        'X-Mine': 'yes',
        'X-Number': 5,
        'Set-Cookie': ['a=1', 'b=2'],
        'Content-Length': '0',
        'Transfer-Encoding': 'chunked',
        'Content-Security-Policy': 'none',
        'X-Service-Story-Run': 'mine',
        'X-Broken': 'a\r\nInjected: yes',
        'bad name': 'x',
        'X-Object': {},
        'X-Null': null,
      },
    });
    expect(response).toMatchObject({ status: 201, text: 'Ok' });
    expect(response.headers).toMatchObject({ 'x-mine': 'yes', 'x-number': '5' });
    for (const name of ['injected', 'x-broken', 'x-object', 'x-null', 'set-cookie']) {
      expect(response.headers).not.toHaveProperty(name);
    }
    expect(response.headers['content-security-policy']).not.toBe('none');
    expect(response.headers['x-service-story-run']).not.toBe('mine');
  });

  test('headers may be given as the text of an object', async () => {
    const response = await responseTo({ response_headers: '{"X-Mine":"yes"}' });
    expect(response.headers['x-mine']).toBe('yes');
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%d to an address; the event is recorded', async (status) => {
    const response = await responseTo({ response: 'https://example.test/thanks?a=1', response_code: status });
    expect(response).toMatchObject({ status, text: '' });
    expect(response.headers.location).toBe('https://example.test/thanks?a=1');
  });

  test.each([
    'javascript:alert(1)',
    '//example.test',
    '/thanks',
    'ftp://example.test',
    'Ok',
    '',
    'https://',
    'http://a\r\nb',
  ])('%p is no address: an ordinary 201', async (text) => {
    const response = await responseTo({ response: text, response_code: 302 });
    expect(response.status).toBe(201);
    expect(response.headers.location).toBeUndefined();
  });

  test('an address with other characters is encoded', async () => {
    const response = await responseTo({ response: 'https://example.test/é x', response_code: 302 });
    expect(response.headers.location).toBe('https://example.test/%C3%A9%20x');
  });

  test('an address made by a template', async () => {
    const options = { response: 'https://example.test/{{.body.id}}', response_code: '303' };
    expect((await responseTo(options, { id: 5 })).headers.location).toBe('https://example.test/5');
  });
});

describe('templates', () => {
  test.each<[string, JsonValue, string]>([
    ['a key of the body', '{{.challenge}}', 'abc'],
    ['the body', '{{ .body.challenge }}', 'abc'],
    ['a header', "{{ .headers['x-custom'] }}", 'One'],
    ['the own slug', '{{.receive_alert.body.challenge}} {{.receive_alert.headers.x-custom}}', 'abc One'],
    ['a missing path', 'Hi {{.nobody}}!', 'Hi !'],
    ['an object of the body', '{{.body.user}}', '{"name":"Ann"}'],
    ['a resource', '{{ .RESOURCE.note }}', 'from store'],
    ['a list resource', "{{ .RESOURCE.list | join: '\n' }}", 'a\nb'],
  ])('%s', async (_name, template, text) => {
    const body = { challenge: 'abc', user: { name: 'Ann' } };
    const resources = { note: 'from store', list: ['a', 'b'] };
    const response = await responseTo({ response: template }, body, { resources });
    expect(response).toMatchObject({ status: 201, text, warnings: [] });
    expect(response.headers['content-type']).toBe(TEXT);
  });

  test('an object whose values are templates answers a challenge', async () => {
    const options = { response: { challenge: '{{.challenge}}', fixed: 1 }, response_code: 200 };
    const response = await responseTo(options, { challenge: 'abc' });
    expect(response).toMatchObject({ status: 200, text: '{"challenge":"abc","fixed":1}' });
    expect(response.headers['content-type']).toBe(JSON_TYPE);
  });

  test('code and headers are templates too', async () => {
    const options = { response_code: '{{.code}}', response_headers: { 'X-Echo': '{{.word}}' } };
    const response = await responseTo(options, { code: 202, word: 'hello' });
    expect(response.status).toBe(202);
    expect(response.headers['x-echo']).toBe('hello');
  });

  test('a line break smuggled into a header by a caller does not get out', async () => {
    const response = await responseTo(
      { response_headers: { 'X-Echo': '{{.word}}' } },
      { word: 'a\r\nEvil: 1' },
    );
    expect(response.status).toBe(201);
    expect(response.headers).not.toHaveProperty('evil');
  });

  test('the query is seen where the body is not an object, and by name in a GET', async () => {
    const { url } = await start({
      options: { response: '{{.validationToken}}', include_headers: 'false', response_code: '200' },
    });
    expect(await call(`${url}${HOOK}?validationToken=tok`)).toMatchObject({ status: 200, text: 'tok' });
  });

  test('a template that fails does not look like a refusal: Ok, and a warning', async () => {
    const response = await responseTo({ response: '{% credential nowhere %}', response_code: 200 });
    expect(response).toMatchObject({ status: 201, text: 'Ok' });
    expect(response.warnings).toHaveLength(1);
    expect(JSON.stringify(response.warnings)).toContain('"agent_id":7');
  });

  test('resources that cannot be loaded: Ok, and a warning', async () => {
    const values = { load: () => Promise.reject(new Error('down')), slugOf: async () => undefined };
    const response = await responseTo({ response: '{{.RESOURCE.a}}' }, {}, { deps: { values } });
    expect(response).toMatchObject({ status: 201, text: 'Ok' });
    expect(response.warnings).toHaveLength(1);
  });

  test('resources are not loaded for a response without templates', async () => {
    const values = { load: () => Promise.reject(new Error('asked')), slugOf: async () => undefined };
    const response = await responseTo({ response: 'plain' }, {}, { deps: { values } });
    expect(response).toMatchObject({ text: 'plain', warnings: [] });
  });
});
