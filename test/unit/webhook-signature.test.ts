import { createHmac } from 'node:crypto';
import { call } from '../support/http-call.js';
import { SECRET, startWebhooks, type TestWebhooks, type TestWebhooksOptions } from '../support/webhooks.js';

const PUBLIC_URL = 'https://hooks.example.test/base';
const open: TestWebhooks[] = [];

const start = async (options: TestWebhooksOptions = {}) => {
  const webhooks = await startWebhooks(options);
  open.push(webhooks);
  return webhooks;
};

afterEach(async () => {
  for (const webhooks of open.splice(0)) await webhooks.close();
});

const seconds = (offset = 0) => String(Math.floor(Date.now() / 1000) + offset);
const hmac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest();
const header = (value: string) => ({ 'X-Service-Signature': value, 'Content-Type': 'text/plain' });

const sign = (ts: string, address: string, body = '', secret = SECRET) =>
  `ts=${ts};sig1=${hmac(`${ts}.${address}.${body}`, secret).toString('hex')}`;

describe('signatures that are accepted', () => {
  const BODY = '{"a":"é"}';

  test.each<[string, (digest: Buffer) => string]>([
    ['hex', (digest) => digest.toString('hex')],
    ['hex in capitals', (digest) => digest.toString('hex').toUpperCase()],
    ['base64', (digest) => digest.toString('base64')],
    ['base64 without padding', (digest) => digest.toString('base64').replace('=', '')],
    ['base64url', (digest) => digest.toString('base64url')],
  ])('%s', async (_name, encode) => {
    const { url, started } = await start();
    const ts = seconds();
    const address = `${url}/webhook/hook?x=1&y=a%20b`;
    const signature = `ts=${ts};sig1=${encode(hmac(`${ts}.${address}.${BODY}`))}`;
    expect((await call(address, { body: BODY, headers: header(signature) })).status).toBe(201);
    expect(started[0]?.payload).toMatchObject({ body: { x: '1', y: 'a b', a: 'é' } });
  });

  test('spaces round the semicolon, and milliseconds', async () => {
    const { url } = await start();
    const ts = String(Date.now());
    const address = `${url}/webhook/hook`;
    const signature = ` ts=${ts} ; sig1=${hmac(`${ts}.${address}.${BODY}`).toString('hex')} `;
    expect((await call(address, { body: BODY, headers: header(signature) })).status).toBe(201);
  });

  test('a GET is signed with an empty body', async () => {
    const { url } = await start();
    const ts = seconds();
    const address = `${url}/webhook/hook?a=1`;
    const signature = `ts=${ts};sig1=${hmac(`${ts}.${address}.`).toString('hex')}`;
    expect((await call(address, { headers: header(signature) })).status).toBe(201);
  });

  test('the body is signed as bytes, whatever they are', async () => {
    const { url } = await start();
    const ts = seconds();
    const address = `${url}/webhook/hook`;
    const body = Buffer.from([0, 255, 13, 10]);
    const digest = createHmac('sha256', SECRET).update(`${ts}.${address}.`).update(body).digest('hex');
    expect((await call(address, { body, headers: header(`ts=${ts};sig1=${digest}`) })).status).toBe(201);
  });

  test.each([
    ['the public URL', PUBLIC_URL, 201],
    ['the own scheme and host', undefined, 201],
    ['another host', 'https://evil.example.test', 401],
  ])('with PUBLIC_URL configured, over %s', async (_name, base, status) => {
    const { url } = await start({ config: { publicUrl: PUBLIC_URL } });
    const ts = seconds();
    const path = '/webhook/hook?q=1';
    const digest = hmac(`${ts}.${base ?? url}${path}.`).toString('hex');
    const response = await call(url + path, { headers: header(`ts=${ts};sig1=${digest}`) });
    expect(response.status).toBe(status);
  });

  test.each([
    ['trusted', true, 201],
    ['not trusted', false, 401],
  ])('forwarded scheme and host of a proxy that is %s', async (_name, trustProxy, status) => {
    const { url } = await start({ trustProxy });
    const ts = seconds();
    const digest = hmac(`${ts}.https://front.example.test/webhook/hook.`).toString('hex');
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'front.example.test' };
    const headers = { ...header(`ts=${ts};sig1=${digest}`), ...forwarded };
    expect((await call(`${url}/webhook/hook`, { headers })).status).toBe(status);
  });
});

describe('signatures that are refused', () => {
  test.each<[string, (address: string) => string]>([
    ['too old', (address) => sign(seconds(-310), address)],
    ['too new', (address) => sign(seconds(310), address)],
    ['too old in milliseconds', (address) => sign(String(Date.now() - 310_000), address)],
    ['by another secret', (address) => sign(seconds(), address, '', 'other')],
    ['over another URL', (address) => sign(seconds(), `${address}?x=1`)],
    ['over another body', (address) => sign(seconds(), address, 'x')],
    ['with another timestamp', (address) => sign(seconds(), address).replace(/ts=\d+/, `ts=${seconds(-1)}`)],
    ['with a timestamp that is no number', (address) => sign('today', address)],
    ['with a negative timestamp', (address) => sign(`-${seconds()}`, address)],
    ['without timestamp', (address) => sign(seconds(), address).replace(/ts=\d+;/, '')],
    ['without hmac', () => `ts=${seconds()};sig1=`],
    ['cut short', (address) => sign(seconds(), address).slice(0, -2)],
    ['empty', () => ''],
  ])('%s', async (_name, signatureOf) => {
    const { url, started } = await start();
    const address = `${url}/webhook/hook`;
    expect((await call(address, { headers: header(signatureOf(address)) })).status).toBe(401);
    expect(started).toEqual([]);
  });

  test('the tolerance is configurable', async () => {
    const { url } = await start({ config: { webhookSignatureToleranceSeconds: 1000 } });
    const address = `${url}/webhook/hook`;
    expect((await call(address, { headers: header(sign(seconds(-900), address)) })).status).toBe(201);
  });
});
