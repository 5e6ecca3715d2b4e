import { createHttpClient } from '../../../src/platform/outbound/http-client.js';
import type { HttpClient } from '../../../src/platform/outbound/http-exchange.js';
import { createAnsweredClient } from '../../../src/trial/answers/answered-client.js';
import { parseAnswerRules } from '../../../src/trial/answers/answer-rules.js';
import { runType } from '../../support/agent-context.js';
import { startRawTarget } from '../../support/raw-target.js';

let client: HttpClient;

beforeEach(() => {
  client = createHttpClient({ allow: ['127.0.0.1'], timeoutMs: 10_000, maxResponseBytes: 1000 });
});

afterEach(() => client.close());

/** The headers in the event of a response with these header lines. */
async function headersWith(lines: string[]) {
  const target = await startRawTarget(
    `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}Content-Length: 2\r\n\r\nok`,
  );
  const { payloads } = await runType('HTTPRequest', { url: target.url, method: 'get' }, { http: client });
  await target.close();
  const [payload] = payloads as { headers: Record<string, unknown> }[];
  return payload?.headers;
}

const DATED = 'a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/';

describe('B16: several Set-Cookie headers are a list, one is text', () => {
  test.each<[string, string[], unknown]>([
    ['two', [`Set-Cookie: ${DATED}`, 'Set-Cookie: b=2'], [DATED, 'b=2']],
    [
      'names in other letters',
      ['SET-COOKIE: a=1', 'set-cookie: b=2', 'Set-Cookie: a=1'],
      ['a=1', 'b=2', 'a=1'],
    ],
    ['an empty one', ['Set-Cookie:', 'Set-Cookie: b=2'], ['', 'b=2']],
    ['one', [`Set-Cookie: ${DATED}`], DATED],
  ])('%s', async (_, lines, value) => {
    expect(await headersWith(lines)).toMatchObject({ 'set-cookie': value });
  });

  test('without one there is none; other repeated headers are joined', async () => {
    const headers = await headersWith([
      'X-A: 1',
      'Vary: a',
      'x-a: 2',
      'Vary: b',
      'Set-Cookie2: x',
      'Set-Cookie2: y',
    ]);
    expect(headers).toMatchObject({ 'x-a': '1, 2', vary: 'a, b', 'set-cookie2': 'x, y' });
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('a repeated content type does no harm', async () => {
    const headers = await headersWith(['Content-Type: text/plain', 'Content-Type: text/plain']);
    expect(headers).toMatchObject({ 'content-type': 'text/plain, text/plain' });
  });

  test('the rules of a dry run can give them', async () => {
    const rules = parseAnswerRules([{ url: '*', headers: { 'Set-Cookie': ['a=1', 'b=2'], 'X-A': '1' } }]);
    const response = await createAnsweredClient(rules, client).request({
      url: 'http://x/',
      method: 'GET',
      headers: {},
    });
    expect(response).toMatchObject({ headers: { 'set-cookie': ['a=1', 'b=2'], 'x-a': '1' } });
    expect(() => parseAnswerRules([{ url: '*', headers: { 'x-a': ['1'] } }])).toThrow('headers.x-a');
  });
});
