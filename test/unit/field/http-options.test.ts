import type { JsonObject } from '../../../src/platform/json.js';
import { createHttpClient } from '../../../src/platform/outbound/http-client.js';
import type { HttpClient } from '../../../src/platform/outbound/http-exchange.js';
import { runType } from '../../support/agent-context.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';

let client: HttpClient;
let target: HttpTarget;
let other: HttpTarget;

beforeEach(async () => {
  client = createHttpClient({ allow: ['127.0.0.0/8'], timeoutMs: 10_000, maxResponseBytes: 10_000 });
  target = await startHttpTarget();
  other = await startHttpTarget({ host: '127.0.0.2', rules: { '/': { body: 'other' } } });
});

afterEach(async () => {
  await client.close();
  await target.close();
  await other.close();
});

const run = (options: JsonObject) => runType('HTTPRequest', { method: 'get', ...options }, { http: client });
const statusOf = async (options: JsonObject) => {
  const { payloads } = await run(options);
  return (payloads[0] as { status: number }).status;
};

const cookies = (of: HttpTarget) => of.requests.map(({ path, headers }) => [path, headers.cookie]);
const start = (setCookie: string | string[], redirect = '/home') =>
  target.on('/login', { redirect, headers: { 'set-cookie': setCookie } });

describe('B17: cookies that a redirect sets go on to the same origin', () => {
  beforeEach(() => target.on('/home', { body: 'home' }));

  test.each<[string, string | string[], string | undefined]>([
    ['one', 'sid=abc; Path=/; HttpOnly', 'sid=abc'],
    ['two', ['sid=abc', 'theme="a b"; Path=/home'], 'theme="a b"; sid=abc'],
    ['one for another path', 'sid=abc; Path=/other', undefined],
    ['one that has expired', 'sid=abc; Expires=Wed, 09 Jun 2021 10:18:14 GMT', undefined],
    ['one without lifetime', 'sid=abc; Max-Age=0', undefined],
    ['one for another domain', 'sid=abc; Domain=example.com', undefined],
    ['one with a control character', 'sid=a\tb', undefined],
    ['nonsense', ';;;=', undefined],
  ])('%s', async (_what, setCookie, sent) => {
    start(setCookie);
    expect(await statusOf({ url: `${target.url}/login` })).toBe(200);
    expect(cookies(target)).toEqual([
      ['/login', undefined],
      ['/home', sent],
    ]);
  });

  test('beside those of the story; of the same name, the newer is sent', async () => {
    start('sid=new');
    await run({ url: `${target.url}/login`, headers: { cookie: 'sid=old; lang=en' } });
    expect(cookies(target)[1]).toEqual(['/home', 'lang=en; sid=new']);
  });

  test('never to another origin, not even with its domain; back home they are sent again', async () => {
    start(['sid=abc; Domain=127.0.0.2; Path=/', 'own=1; Path=/'], `${other.url}/away`);
    other.on('/away', { redirect: `${target.url}/home`, headers: { 'set-cookie': 'away=1; Path=/' } });
    await run({ url: `${target.url}/login`, headers: { cookie: 'story=1' } });
    expect(cookies(other)).toEqual([['/away', undefined]]);
    expect(cookies(target)[1]).toEqual(['/home', 'own=1']);
  });

  test('one request leaves nothing for the next', async () => {
    start('sid=abc; Path=/');
    await run({ url: `${target.url}/login` });
    await run({ url: `${target.url}/home` });
    expect(cookies(target).at(-1)).toEqual(['/home', undefined]);
  });

  test('too many and too long ones are left out', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `c${index}=1`);
    start([`long=${'x'.repeat(5000)}`, ...many]);
    await run({ url: `${target.url}/login` });
    const sent = cookies(target)[1]?.[1] ?? '';
    expect(sent.split('; ')).toHaveLength(50);
    expect(sent).not.toContain('long');
  });
});

describe('B17: disable_url_encoding', () => {
  test.each([
    ['an address as value', { q: 'https://example.com/a?b=c' }, 'q=https://example.com/a?b=c'],
    ['what is encoded already', { q: 'a%20b+c' }, 'q=a%20b+c'],
    ['lists, objects and null', { a: [1, 2], o: { k: '[x]' }, n: null }, 'a[]=1&a[]=2&o[k]=[x]&n'],
    ['what an address cannot hold', { q: 'a b#c"é' }, 'q=a%20b%23c%22%C3%A9'],
  ])('%s is sent as it is', async (_what, fields, query) => {
    const url = `${target.url}/x?own=1`;
    await run({ url, query_params: fields, disable_url_encoding: 'true' });
    await run({ url, payload: fields, disable_url_encoding: true });
    expect(target.requests.map((request) => request.url)).toEqual(Array(2).fill(`/x?own=1&${query}`));
  });
});

describe('B17: a request that a setting forbids is named, and not tried again', () => {
  test.each([
    ['fail_on_status', { fail_on_status: 'true' }],
    ['retry_on_status', { retry_on_status: ['0', '500-599'], fail_on_status: 'true' }],
  ])('with %s', async (_what, options) => {
    const closed = createHttpClient({ allow: [], timeoutMs: 5000, maxResponseBytes: 1000 });
    const failed = runType('HTTPRequest', { url: target.url, ...options }, { http: closed });
    await expect(failed).rejects.toMatchObject({
      name: 'PermanentJobError',
      message: expect.stringContaining('OUTBOUND_ALLOW') as string,
    });
    const { payloads } = await runType(
      'HTTPRequest',
      { url: target.url, retry_on_status: ['0'] },
      { http: closed },
    );
    expect(payloads).toMatchObject([{ status: 0 }]);
    await closed.close();
    expect(target.requests).toEqual([]);
  });
});

test('B17: a user name in an address that is not UTF-8 is no fault of the server', async () => {
  target.on('/a', { body: 'ok' });
  expect(await statusOf({ url: `${target.url.replace('//', '//a%ff:b@')}/a` })).toBe(200);
});
