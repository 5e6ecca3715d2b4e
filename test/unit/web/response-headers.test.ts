import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { responseFromPayload } from '../../../src/web/webhooks/responses/awaited-response.js';
import { call, postJson } from '../../support/http-call.js';
import { SECRET, startWebhooks, type TestWebhooks } from '../../support/webhooks.js';
import { HTTP_FIELD_NAMES } from '../../support/http-field-names.js';

const HOOK = `/webhook/hook/${encodeURIComponent(SECRET)}`;
const POLICY = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";
/** Headers that a story may set; `x-…` besides. */
const ALLOWED = ['cache-control', 'content-language', 'content-type', 'location', 'retry-after'];
/** Headers that HTTP and this server set by themselves, whatever the story sets. */
const OWN = [
  'connection',
  'content-length',
  'content-security-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'x-content-type-options',
];
const open: TestWebhooks[] = [];

afterEach(async () => {
  for (const webhooks of open.splice(0)) await webhooks.close();
});

async function responseTo(options: JsonObject) {
  const webhooks = await startWebhooks({ options });
  open.push(webhooks);
  return postJson(webhooks.url + HOOK, {});
}

/** A value that each header could have, and that no response has by itself. */
const MARK = 'https://marked.example/';
const all = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, MARK]));
const marked = (headers: Record<string, unknown>) =>
  Object.keys(headers)
    .filter((name) => String(headers[name]).includes('marked.example'))
    .toSorted();

describe('headers of a story', () => {
  it('of all registered header names only those of the list are sent', async () => {
    expect(HTTP_FIELD_NAMES.length).toBeGreaterThan(230);
    const { headers } = await responseTo({ response_headers: all(HTTP_FIELD_NAMES), response_code: 200 });
    expect(marked(headers)).toEqual(['cache-control', 'content-language', 'retry-after']);
    const unknown = Object.keys(headers).filter((name) => ![...ALLOWED, ...OWN].includes(name));
    // The first is the bare test application's.
    expect(unknown).toEqual(['x-powered-by', 'x-service-story-run']);
  });

  it('an awaited response passes the same filter', () => {
    for (const status of [200, 401, 302]) {
      const { headers } = responseFromPayload({ status, body: 'x', headers: all(HTTP_FIELD_NAMES) }, false);
      const lower = Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]),
      );
      const place = status === 302 ? ['location'] : [];
      expect(marked(lower)).toEqual(['cache-control', 'content-language', ...place, 'retry-after']);
    }
  });

  it('registered names with the prefix x- are sent, unless software acts on them', async () => {
    const names = ['X-Mine', 'X-Robots-Tag', 'X-Correlation-Id', 'X-Twilio-Signature'];
    expect(marked((await responseTo({ response_headers: all(names) })).headers)).toEqual(
      names.map((name) => name.toLowerCase()).toSorted(),
    );
  });

  it.each([
    'X-Accel-Redirect',
    'X-Accel-Expires',
    'X-Amz-Website-Redirect-Location',
    'X-AppEngine-BlobKey',
    'X-Archive-Files',
    'X-Cache',
    'X-Content-Security-Policy',
    'X-Content-Type-Options',
    'X-DNS-Prefetch-Control',
    'X-Download-Options',
    'X-Envoy-Immediate-Health-Check-Fail',
    'X-ESI',
    'X-Forwarded-Host',
    'X-Frame-Options',
    'X-Lighttpd-Send-File',
    'X-LiteSpeed-Location',
    'X-Middleware-Rewrite',
    'X-Original-URL',
    'X-Permitted-Cross-Domain-Policies',
    'X-RateLimit-Remaining',
    'X-Reproxy-URL',
    'X-Request-Id',
    'X-Sendfile',
    'X-Sendfile2',
    'X-Service-Status',
    'X-Service-Story-Run',
    'X-SourceMap',
    'X-UA-Compatible',
    'X-Webkit-CSP',
    'X-XSS-Protection',
  ])('%s is not a story’s to set, in any letter case', async (name) => {
    for (const spelt of [name, name.toLowerCase(), name.toUpperCase()]) {
      expect(marked((await responseTo({ response_headers: { [spelt]: MARK } })).headers)).toEqual([]);
    }
  });

  it('the same name in two letter cases is sent once', async () => {
    const { headers } = await responseTo({ response_headers: { 'X-Mine': 'a', 'x-mine': 'b' } });
    expect(headers['x-mine']).toBe('b');
  });

  it.each<[string, JsonValue]>([
    ['a line break', 'a\r\nSet-Cookie: x=1'],
    ['a NUL', 'a\u0000b'],
  ])('a value with %s does not go out', async (_what, value) => {
    const response = await responseTo({ response_headers: { 'Cache-Control': value, 'X-Mine': value } });
    expect(response.status).toBe(201);
    expect(response.headers).not.toHaveProperty('set-cookie');
    expect(response.headers).not.toHaveProperty('x-mine');
  });

  it.each([
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'data:text/html,x',
    'ftp://h/',
    'http://h/ x',
  ])('%s is refused as the location of an exit’s response', (location) => {
    const { headers } = responseFromPayload(
      { status: 302, body: '', headers: { Location: location } },
      false,
    );
    expect(headers).not.toHaveProperty('location');
  });

  it('Refresh, Link and Location lead nowhere without a status that says so', async () => {
    const wanted = { Refresh: `0;url=${MARK}`, Link: `<${MARK}>; rel=preload`, Location: MARK };
    expect(marked((await responseTo({ response_headers: wanted, response_code: 200 })).headers)).toEqual([]);
  });
});

describe('a response in a browser', () => {
  it.each<[string, JsonObject]>([
    ['text', { response: '<b>x</b>' }],
    ['an object', { response: { a: 1 } }],
    [
      'XML',
      {
        response: '<html xmlns="http://www.w3.org/1999/xhtml"/>',
        response_headers: { 'content-type': 'text/xml' },
      },
    ],
    ['an empty answer', { response: '', response_code: 204 }],
    ['a redirect', { response: MARK, response_code: 302 }],
    ['a policy of its own', { response_headers: { 'Content-Security-Policy': 'default-src *' } }],
  ])('%s is in a sandbox without scripts, forms and frames', async (_what, options) => {
    const { headers } = await responseTo(options);
    expect(headers).toMatchObject({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('XML is downloaded as a file; other responses are not', async () => {
    const xml = { response: '<a/>', response_headers: { 'content-type': 'text/xml' } };
    expect((await responseTo(xml)).headers['content-disposition']).toBe('attachment');
    expect((await responseTo({ response: 'x' })).headers).not.toHaveProperty('content-disposition');
  });

  it('a story’s 401 and 407 ask a browser for no password', async () => {
    for (const response_code of [401, 407]) {
      const challenge = {
        'WWW-Authenticate': 'Basic realm="Fabula"',
        'Proxy-Authenticate': 'Basic realm="x"',
      };
      const { status, headers } = await responseTo({ response_code, response_headers: challenge });
      expect(status).toBe(response_code);
      expect(headers).not.toHaveProperty('www-authenticate');
      expect(headers).not.toHaveProperty('proxy-authenticate');
    }
  });

  it('a refused call asks programs for a password, and browsers for none', async () => {
    const webhooks = await startWebhooks();
    open.push(webhooks);
    const refused = (headers: Record<string, string>) => call(`${webhooks.url}/webhook/hook`, { headers });
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const headers of [browser, { 'sec-fetch-site': 'none' }, { 'sec-fetch-mode': 'no-cors' }]) {
      const response = await refused(headers);
      expect([response.status, response.headers['www-authenticate']]).toEqual([401, undefined]);
      expect(response.headers['content-security-policy']).toBe(POLICY);
    }
    const program = await refused({ accept: '*/*' });
    expect([program.status, program.headers['www-authenticate']]).toEqual([401, 'Basic realm="webhook"']);
  });
});

describe('a caller’s credentials', () => {
  const SENT = {
    authorization: 'Basic YWRtaW46aHVudGVyMg==',
    'proxy-authorization': 'Bearer p',
    cookie: 'a=1; fabula_admin=v1.x; __Secure-fabula_admin=v1.y; b=2',
    'x-user-token': 'fab_key',
    'x-service-signature': 'ts=1;sig1=x',
    'x-hub-signature-256': 'sha256=abc',
  };

  async function eventOf(options: JsonObject, headers: Record<string, string> = SENT) {
    const webhooks = await startWebhooks({ options });
    open.push(webhooks);
    const response = await postJson(webhooks.url + HOOK, { n: 1 }, headers);
    expect(response.status).toBe(201);
    return { response, headers: (webhooks.started[0]!.payload as { headers: JsonObject }).headers };
  }

  it('do not become part of the event', async () => {
    const { headers } = await eventOf({});
    expect(Object.keys(headers).toSorted()).toEqual(
      ['connection', 'content-length', 'content-type', 'host', 'x-hub-signature-256']
        .toSorted()
        .filter((name) => name in headers),
    );
    for (const name of Object.keys(SENT).filter((name) => name !== 'x-hub-signature-256')) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it('do not get into the response', async () => {
    const echo =
      '{{ .headers.authorization }}{{ .headers.cookie }}{{ .receive_alert.headers.authorization }}';
    expect((await eventOf({ response: `[${echo}]` })).response.text).toBe('[]');
  });

  it.each<[string, JsonValue]>([
    ['a list', ['Authorization', 'COOKIE']],
    ['a text', 'authorization, Cookie'],
  ])('do become part of it where keep_headers names them, as %s', async (_what, keep_headers) => {
    const { headers } = await eventOf({ keep_headers });
    expect(headers).toMatchObject({ authorization: SENT.authorization });
    expect(headers).not.toHaveProperty('proxy-authorization');
    expect(headers).not.toHaveProperty('x-user-token');
  });

  it('never include the session of the board', async () => {
    expect((await eventOf({ keep_headers: 'cookie' })).headers['cookie']).toBe('a=1; b=2');
    const own = { cookie: 'fabula_admin=v1.x' };
    expect((await eventOf({ keep_headers: 'cookie' }, own)).headers).not.toHaveProperty('cookie');
  });

  it.each([`Bearer ${SECRET}`, `Basic ${Buffer.from(`a:${SECRET}`).toString('base64')}`])(
    'never include the webhook’s own secret: %s',
    async (value) => {
      const keep_headers = ['authorization', 'proxy-authorization'];
      const { headers } = await eventOf(
        { keep_headers },
        { authorization: value, 'proxy-authorization': value },
      );
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('proxy-authorization');
    },
  );
});
