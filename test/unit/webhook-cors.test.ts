import type { JsonObject } from '../../src/platform/json.js';
import { call } from '../support/http-call.js';
import { SECRET, startWebhooks, type TestWebhooks } from '../support/webhooks.js';

const HOOK = `/webhook/hook/${encodeURIComponent(SECRET)}`;
const FORM = 'https://forms.example';
const open: TestWebhooks[] = [];

const start = async (options: JsonObject) => {
  const webhooks = await startWebhooks({ options });
  open.push(webhooks);
  return webhooks;
};

afterEach(async () => {
  for (const webhooks of open.splice(0)) await webhooks.close();
});

/** The preflight request of a browser before a page posts JSON. */
const ask = (url: string, origin = FORM) =>
  call(url + HOOK, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-form',
    },
  });
const post = (url: string, origin = FORM, path = HOOK) =>
  call(url + path, { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: '{}' });

describe('A8 clients: a page in a browser', () => {
  it.each<[string, JsonObject, string, string | undefined]>([
    ['response_headers with *', { response_headers: { 'Access-Control-Allow-Origin': '*' } }, '*', undefined],
    [
      'response_headers with its origin',
      { response_headers: { 'access-control-allow-origin': FORM } },
      FORM,
      'Origin',
    ],
    ['enable_cors', { enable_cors: true }, '*', undefined],
    ['enable_cors as text', { enable_cors: 'true' }, '*', undefined],
    ['cors with origins', { cors: { origins: ['https://other.example', FORM] } }, FORM, 'Origin'],
    ['cors as a list', { cors: [`${FORM}/`] }, FORM, 'Origin'],
    ['cors as a text', { cors: `https://other.example, ${FORM}` }, FORM, 'Origin'],
  ])('may call a webhook and read the answer with %s', async (_what, options, allowed, vary) => {
    const { url, started } = await start({ verbs: 'post', ...options });
    const asked = await ask(url);
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type,x-form',
      'access-control-max-age': '600',
    });
    expect(started).toEqual([]);
    const response = await post(url);
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': expect.stringContaining('X-Service-Story-Run'),
    });
    expect(response.headers.vary).toBe(vary);
    expect(started).toHaveLength(1);
    for (const { headers } of [asked, response])
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('of another origin may not', async () => {
    const { url, started } = await start({ verbs: 'post', cors: [FORM] });
    for (const origin of ['https://evil.example', 'null', `${FORM}.evil.example`, 'http://forms.example']) {
      const asked = await ask(url, origin);
      expect(asked.headers).not.toHaveProperty('access-control-allow-origin');
      expect(asked.status).toBe(405);
      expect((await post(url, origin)).headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect(started).toHaveLength(4);
  });

  it('may read a refusal too, but not of a webhook that is disabled', async () => {
    const { url } = await start({ enable_cors: true });
    const refused = await post(url, FORM, '/webhook/hook/wrong');
    expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': '*' } });
    const disabled = await startWebhooks({ agent: { disabled: true }, options: { enable_cors: true } });
    open.push(disabled);
    const gone = await ask(disabled.url);
    expect(gone.status).toBe(404);
    expect(gone.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('gets what the story says of headers, methods and time, and never of credentials', async () => {
    const { url } = await start({
      response_headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Headers': 'Content-Type',
        'Access-Control-Allow-Methods': 'POST, PUT',
        'Access-Control-Max-Age': 60,
        'Access-Control-Expose-Headers': 'X-Own',
        'Access-Control-Allow-Credentials': 'true',
      },
    });
    const asked = await ask(url);
    expect(asked.headers).toMatchObject({
      'access-control-allow-headers': 'Content-Type',
      'access-control-allow-methods': 'POST, PUT',
      'access-control-max-age': '60',
    });
    const { headers } = await post(url);
    expect(headers['access-control-expose-headers']).toBe('X-Own');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may not call a webhook that says nothing of it; OPTIONS without its question is a call', async () => {
    const { url, started } = await start({ verbs: 'post,options' });
    expect((await ask(url)).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await post(url)).headers).not.toHaveProperty('access-control-allow-origin');
    const allowing = await start({ verbs: 'post,options', enable_cors: true });
    const asked = await call(allowing.url + HOOK, { method: 'OPTIONS', headers: { origin: FORM } });
    expect(asked.status).toBe(201);
    expect([started.length, allowing.started.length]).toEqual([2, 1]);
  });
});
