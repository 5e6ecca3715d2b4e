import net from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { checkOptions } from '../../../src/agents/index.js';
import { responseEvent } from '../../../src/agents/http-request/response-body.js';
import { call } from '../../support/http-call.js';
import {
  SECRET,
  startWebhooks,
  type TestWebhooks,
  type TestWebhooksOptions,
} from '../../support/webhooks.js';

const HOOK = `/webhook/hook/${encodeURIComponent(SECRET)}`;
const open: TestWebhooks[] = [];

async function start(options: TestWebhooksOptions = {}): Promise<TestWebhooks> {
  const webhooks = await startWebhooks(options);
  open.push(webhooks);
  return webhooks;
}

afterEach(async () => {
  for (const webhooks of open.splice(0)) await webhooks.close();
});

/** Sends one request as written, and returns all that comes back. */
const talk = (url: string, request: string) =>
  new Promise<string>((resolve) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (data) => (received += data.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.write(Buffer.from(request, 'latin1'));
  });

describe('B9: HEAD and OPTIONS where verbs lists them', () => {
  test.each([
    ['get,post,head', 'HEAD'],
    ['head', 'HEAD'],
    ['get post options', 'OPTIONS'],
    [['get', 'OPTIONS'], 'OPTIONS'],
  ])('verbs %j: %s makes an event', async (verbs, method) => {
    const { url, started } = await start({ options: { verbs, response: 'Hello', response_code: 200 } });
    const response = await call(`${url}${HOOK}?a=1`, { method });
    expect(response.status).toBe(200);
    expect(response.text).toBe(method === 'HEAD' ? '' : 'Hello');
    expect(response.headers['content-length']).toBe('5');
    expect(response.headers['x-service-story-run']).toBeDefined();
    expect(started[0]?.payload).toMatchObject({ body: { a: '1' } });
  });

  test('OPTIONS says what is allowed, and may give the consent that CloudEvents asks for', async () => {
    const response_headers = { 'WebHook-Allowed-Origin': '{{ .headers.webhook-request-origin }}' };
    const { url } = await start({ options: { verbs: 'post,options', response_headers } });
    const headers = { 'webhook-request-origin': 'events.example.org' };
    const response = await call(`${url}${HOOK}`, { method: 'OPTIONS', headers });
    expect(response.headers).toMatchObject({
      allow: 'POST, OPTIONS',
      'webhook-allowed-origin': 'events.example.org',
    });
  });

  test.each(['HEAD', 'OPTIONS'])('%s that is not listed is refused, with those that are', async (method) => {
    const { url, started } = await start();
    const response = await call(`${url}${HOOK}`, { method });
    expect(response).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } });
    expect(started).toEqual([]);
  });
});

describe('B12: requests in absolute form', () => {
  test.each([
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
    ['HTTP://Other.example:80', 'other.EXAMPLE:80'],
    ['https://[::1]', '[::1]'],
  ])('%s', async (origin, host) => {
    const { url, started } = await start();
    const target = `${origin}/webhook/hook/${encodeURIComponent(SECRET)}?q=1`;
    const response = await talk(url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 201 /);
    expect(started[0]?.payload).toMatchObject({ body: { q: '1' } });
  });

  test.each(['http://real.example', 'http://user@forged'])(
    '%s with another header Host starts nothing',
    async (origin) => {
      const { url, started } = await start();
      const response = await talk(
        url,
        `GET ${origin}${HOOK} HTTP/1.1\r\nHost: forged\r\nConnection: close\r\n\r\n`,
      );
      expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(started).toEqual([]);
    },
  );

  test.each(['http://', 'ftp://x/webhook', 'http:///webhook'])('%s is no address', async (target) => {
    const { url } = await start();
    const response = await talk(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
});

describe('B16: small faults of webhooks', () => {
  test.each([
    ['as UTF-8', Buffer.from('Grüße €à')],
    ['base64', Buffer.from(Buffer.from('Grüße €à').toString('base64'))],
    ['base64 of user:secret', Buffer.from(Buffer.from('u:Grüße €à').toString('base64'))],
  ])('a secret beyond ASCII in Basic, %s', async (_, credential) => {
    const { url } = await start({ options: { secret: 'Grüße €à' } });
    const head = `GET /webhook/hook HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Basic `;
    expect(await talk(url, `${head}${credential.toString('latin1')}\r\n\r\n`)).toMatch(/ 201 /);
    expect(await talk(url, `${head}x${credential.toString('latin1')}\r\n\r\n`)).toMatch(/ 401 /);
  });

  test('a secret in Latin-1, raw and in base64', async () => {
    const { url } = await start({ options: { secret: 'Grüße' } });
    const head = `GET /webhook/hook HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Basic `;
    expect(await talk(url, `${head}Gr\xfc\xdfe\r\n\r\n`)).toMatch(/ 201 /);
    const encoded = Buffer.from('user:Gr\xfc\xdfe', 'latin1').toString('base64');
    expect(await talk(url, `${head}${encoded}\r\n\r\n`)).toMatch(/ 201 /);
  });

  test.each(['*', 'any', 'get|post', ['get', 'all'], 'get,connect'])(
    'verbs %j are refused at import',
    (verbs) => {
      const problems = checkOptions('Agents::WebhookAgent', { path: 'a', secret: 'b', verbs });
      expect(problems).toEqual([
        { message: expect.stringContaining('not an HTTP method'), details: 'verbs' },
      ]);
    },
  );

  test.each([undefined, '', null, 'get', 'GET, post; Put delete', ['patch', 'head'], 'propfind'])(
    'verbs %j are taken',
    (verbs) => {
      const options = verbs === undefined ? {} : { verbs };
      expect(checkOptions('Agents::WebhookAgent', { path: 'a', secret: 'b', ...options })).toEqual([]);
    },
  );
});

describe('B17: other compressions', () => {
  test.each([
    ['zlib', deflateSync('{"a":1}')],
    ['raw', deflateRawSync('{"a":1}')],
  ])('deflate in its %s form', async (_, body) => {
    const { url, started } = await start();
    const headers = { 'content-type': 'application/json', 'content-encoding': 'deflate' };
    expect((await call(`${url}${HOOK}`, { method: 'POST', headers, body })).status).toBe(201);
    expect(started[0]?.payload).toMatchObject({ body: { a: 1 } });
  });

  test('zstd is named in a refusal, and base64 in a response', async () => {
    const { url } = await start();
    const zstd = Buffer.from('KLUv/SAHOQAAeyJhIjoxfQ==', 'base64');
    const headers = { 'content-type': 'application/json', 'content-encoding': 'zstd' };
    expect(await call(`${url}${HOOK}`, { method: 'POST', headers, body: zstd })).toMatchObject({
      status: 415,
      text: expect.stringContaining('gzip, deflate or br'),
    });
    const type = 'application/json; charset=iso-8859-1';
    const event = responseEvent({ status: 200, headers: { ...headers, 'content-type': type }, body: zstd });
    expect(event).toMatchObject({ body: zstd.toString('base64'), encoding: 'base64' });
  });
});

const postEncoded = async (encoding: string, body: Buffer) => {
  const { url, started } = await start();
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  const { status } = await call(`${url}${HOOK}`, { method: 'POST', headers, body });
  return { status, payload: started[0]?.payload };
};

describe('I3: a Content-Encoding that is no coding', () => {
  const JSON_BODY = Buffer.from('{"a":"ü"}');

  test.each([
    ['UTF-8', 'utf8', 'none', 'binary', '8bit', '7BIT', 'identity', 'raw', ''],
    ['iso-8859-1', 'us-ascii', 'windows-1252', 'charset=utf-8', 'application/json', '"utf-8"', 'utf-8, none'],
  ])('I3: %s, %s, %s … leave the body as it is', async (...encodings) => {
    for (const encoding of encodings) {
      expect(await postEncoded(encoding, JSON_BODY)).toMatchObject({
        status: 201,
        payload: { body: { a: 'ü' } },
      });
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const event = responseEvent({ status: 200, headers, body: JSON_BODY });
      expect(event).toEqual({ status: 200, headers, body: { a: 'ü' } });
    }
  });

  test.each([
    ['deflate, gzip', gzipSync(deflateSync(JSON_BODY))],
    ['gzip, identity', gzipSync(JSON_BODY)],
    ['GZIP , utf-8', gzipSync(JSON_BODY)],
    ['br,gzip,deflate', deflateSync(gzipSync(brotliCompressSync(JSON_BODY)))],
  ])('I3: the codings "%s" are undone from the last to the first', async (encoding, body) => {
    expect(await postEncoded(encoding, body)).toMatchObject({ status: 201, payload: { body: { a: 'ü' } } });
  });

  test.each(['zstd', 'gzip, zstd', 'bogus', 'compress', 'gzip, gzip, gzip, gzip', 'br;q=1'])(
    'I3: "%s" stays refused',
    async (encoding) => {
      expect((await postEncoded(encoding, gzipSync(JSON_BODY))).status).toBe(415);
    },
  );

  test('I3: a body that grows in each of its codings is refused', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(9 * 1024 * 1024)));
    expect((await postEncoded('gzip, gzip', bomb)).status).toBe(413);
  });
});

test('I11: the value of a header is UTF-8, or else Latin-1', async () => {
  const { url, started } = await start();
  const lines = ['X-User-Name: André €', 'X-Both: Zoë'].map((line) => Buffer.from(line).toString('latin1'));
  const head = [
    `POST ${HOOK} HTTP/1.1`,
    'Host: x',
    ...lines,
    'X-Old: Andr\xe9',
    'Content-Length: 0',
    'Connection: close',
  ];
  expect(await talk(url, `${head.join('\r\n')}\r\n\r\n`)).toContain('201');
  expect(started[0]?.payload).toMatchObject({
    headers: { 'x-user-name': 'André €', 'x-both': 'Zoë', 'x-old': 'André' },
  });
});
