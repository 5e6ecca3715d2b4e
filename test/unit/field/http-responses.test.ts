import { deflateSync, gzipSync } from 'node:zlib';
import { createHttpClient } from '../../../src/platform/outbound/http-client.js';
import type { HttpClient, HttpRequest } from '../../../src/platform/outbound/http-exchange.js';
import { runType } from '../../support/agent-context.js';
import { type RawResponse, startRawTarget } from '../../support/raw-target.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const LENGTH = 'Content-Length: 2\r\n';
const chunked = (body: string, more = '') => `${OK}${more}Transfer-Encoding: chunked\r\n\r\n${body}`;

let client: HttpClient;

beforeEach(() => {
  client = createHttpClient({ allow: ['127.0.0.1'], timeoutMs: 10_000, maxResponseBytes: 1000 });
});

afterEach(() => client.close());

/** The response to a POST, and how many requests arrived. */
async function responseTo(bytes: RawResponse, more: Partial<HttpRequest> = {}) {
  const target = await startRawTarget(bytes);
  const request = { url: target.url, method: 'POST', headers: {}, body: Buffer.from('{"t":"create"}') };
  const response = await client.request({ ...request, ...more });
  await target.close();
  const said = response.answered
    ? `${response.status} ${response.body.toString('latin1')}`
    : response.reason.replace(`127.0.0.1:${target.port}: `, '');
  return { said, headers: response.answered ? response.headers : {}, requests: target.requests.length };
}

const NOT_HTTP = 'the response is not HTTP';
const CUT = 'the connection was closed before the response was complete';

describe('B1: a response that is not HTTP gives status 0 with the reason, and one request', () => {
  test('an action emits one event and does not retry', async () => {
    const target = await startRawTarget('SSH-2.0-OpenSSH_9.2p1\r\n');
    const options = { url: target.url, method: 'post', payload: { t: 'create' } };
    const { payloads } = await runType('HTTPRequest', options, { http: client });
    await target.close();
    const body = expect.stringContaining(`127.0.0.1:${target.port}: ${NOT_HTTP}`) as string;
    expect(payloads).toEqual([{ status: 0, headers: {}, body }]);
    expect(target.requests).toHaveLength(1);
  });

  test.each<[string, string | Buffer]>([
    ['an SSH banner', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
    ['an SMTP greeting', '220 mail.example.com ESMTP\r\n'],
    ['an ICY stream', 'ICY 200 OK\r\nicy-name: x\r\n\r\nok'],
    ['HTML without headers (HTTP/0.9)', '<html><body>camera</body></html>'],
    ['binary data', Buffer.from([0, 1, 2, 255, 254, 9])],
    ['an alert of TLS', Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46])],
    ['a preface of HTTP/2', Buffer.from([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 128])],
    ['HTTP/2 in words', `HTTP/2 200\r\n${LENGTH}\r\nok`],
    ['another version', `HTTP/3 200 OK\r\n${LENGTH}\r\nok`],
    ['a version in lower case', `http/1.1 200 OK\r\n${LENGTH}\r\nok`],
    ['four digits', `HTTP/1.1 2000 OK\r\n${LENGTH}\r\nok`],
    ['two digits', `HTTP/1.1 20 OK\r\n${LENGTH}\r\nok`],
    ['a status that is no number', `HTTP/1.1 abc OK\r\n${LENGTH}\r\nok`],
    ['a status below 100', `HTTP/1.1 099 OK\r\n${LENGTH}\r\nok`],
    ['status 0', `HTTP/1.1 000 OK\r\n${LENGTH}\r\nok`],
    ['bytes before the status line', `xx${OK}${LENGTH}\r\nok`],
    ['a header without a colon', `${OK}Broken\r\n${LENGTH}\r\nok`],
    ['a name with parentheses', `${OK}X(Bad): 1\r\n${LENGTH}\r\nok`],
    ['an empty name', `${OK}: 1\r\n${LENGTH}\r\nok`],
    ['a negative length', `${OK}Content-Length: -1\r\n\r\nok`],
    ['a length that is no number', `${OK}Content-Length: two\r\n\r\nok`],
    ['a length without value', `${OK}Content-Length:\r\n\r\nok`],
    ['a length of too many digits', `${OK}Content-Length: ${'9'.repeat(30)}\r\n\r\nok`],
    // Node's parser refuses them too, though curl reads them (decision 0045).
    ['two equal lengths', `${OK}${LENGTH}${LENGTH}\r\nok`],
    ['a list of equal lengths', `${OK}Content-Length: 2, 2\r\n\r\nok`],
    ['two different lengths', `${OK}${LENGTH}Content-Length: 5\r\n\r\nok`],
    ['a chunk size that is no number', chunked('zz\r\nok\r\n0\r\n\r\n')],
    ['a negative chunk size', chunked('-2\r\nok\r\n0\r\n\r\n')],
    ['a chunk size of too many digits', chunked(`${'F'.repeat(20)}\r\nok\r\n0\r\n\r\n`)],
    ['a chunk that is longer than it says', chunked('1\r\nok\r\n0\r\n\r\n')],
  ])('%s', async (_what, bytes) => {
    const { said, requests } = await responseTo(bytes);
    expect([said.slice(0, NOT_HTTP.length), requests]).toEqual([NOT_HTTP, 1]);
  });

  test.each<[string, string, string]>([
    ['no byte at all', '', CUT],
    ['half a status line', 'HTTP/1.1 200 O', CUT],
    ['half a head', `${OK}Content-Le`, CUT],
    ['a body that is too short', `${OK}Content-Length: 3\r\n\r\nok`, CUT],
    ['chunks without an end', chunked('2\r\nok\r\n'), CUT],
    ['only a 100', 'HTTP/1.1 100 Continue\r\n\r\n', CUT],
    ['a head of 70,000 bytes', `${OK}X: ${'a'.repeat(70_000)}\r\n\r\n`, 'the response headers are too large'],
    ['broken gzip', `${OK}Content-Encoding: gzip\r\n${LENGTH}\r\nok`, 'the response is not valid gzip'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'the server switched to another protocol',
    ],
    ['1xx without end', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(200), 'the response never begins'],
  ])('%s', async (_what, bytes, reason) => {
    expect(await responseTo(bytes)).toMatchObject({ said: reason, requests: 1 });
  });

  test('the reason says what the parser missed, and nothing of the response', async () => {
    const { said } = await responseTo(`${OK}X(secret-4711): 1\r\n\r\n`);
    expect(said).toBe(`${NOT_HTTP} (Invalid header token)`);
  });

  test.each<[string, string, string]>([
    ['bare line feeds', 'HTTP/1.1 200 OK\nX: y\nContent-Length: 2\n\nok', 'y'],
    ['some bare line feeds', `HTTP/1.1 200 OK\nX: y\r\n${LENGTH}\r\nok`, 'y'],
    ['a folded header', `${OK}X: a\r\n  b\r\n\tc\r\n${LENGTH}\r\nok`, 'a b c'],
    ['a header folded with bare line feeds', `HTTP/1.1 200 OK\nX: a\n b\nContent-Length: 2\n\nok`, 'a b'],
    ['a control character in a value', `${OK}X: a\x01b\r\n${LENGTH}\r\nok`, 'a\x01b'],
    ['the character DEL', `${OK}X: a\x7fb\r\n${LENGTH}\r\nok`, 'a\x7fb'],
    ['UTF-8 in a value', Buffer.from(`${OK}X: Grüße €\r\n${LENGTH}\r\nok`).toString('latin1'), 'Grüße €'],
    ['Latin-1 in a value', `${OK}X: Gr\xfc\xdfe\r\n${LENGTH}\r\nok`, 'Grüße'],
    ['two spaces in a value', `${OK}X: a  b\r\n${LENGTH}\r\nok`, 'a  b'],
    ['HTTP/1.0', `HTTP/1.0 200 OK\r\nX: y\r\n\r\nok`, 'y'],
    ['HTTP/1.2', `HTTP/1.2 200 OK\r\nX: y\r\n${LENGTH}\r\nok`, 'y'],
    ['no reason phrase', `HTTP/1.1 200\r\nX: y\r\n${LENGTH}\r\nok`, 'y'],
    ['no length', `${OK}X: y\r\n\r\nok`, 'y'],
    ['an encoding that is none', `${OK}X: y\r\nTransfer-Encoding: identity\r\n\r\nok`, 'y'],
    ['a space behind a chunk size', chunked('2 \r\nok\r\n0\r\n\r\n', 'X: y\r\n'), 'y'],
    ['a length beside chunks', chunked('2\r\nok\r\n0\r\n\r\n', 'X: y\r\nContent-Length: 20\r\n'), 'y'],
    ['more bytes than the length', `${OK}X: y\r\n${LENGTH}\r\nok and more`, 'y'],
    ['two responses', `${OK}X: y\r\n${LENGTH}\r\nok${OK}${LENGTH}\r\nno`, 'y'],
    ['empty lines before', `\r\n\r\n${OK}X: y\r\n${LENGTH}\r\nok`, 'y'],
  ])('%s: what is meant is read', async (_what, bytes, value) => {
    const { said, headers, requests } = await responseTo(bytes);
    expect([said, headers.x, requests]).toEqual(['200 ok', value, 1]);
  });
});

describe('B2: a response that cannot have a body ends with its headers, whatever its length', () => {
  test.each<[string, string, string]>([
    ['304 with a length', 'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\nContent-Length: 345\r\n\r\n', '304 '],
    ['304 that closes', 'HTTP/1.1 304 X\r\nConnection: close\r\nContent-Length: 345\r\n\r\n', '304 '],
    ['304 in chunks', 'HTTP/1.1 304 X\r\nTransfer-Encoding: chunked\r\n\r\n', '304 '],
    ['204 with a length', `HTTP/1.1 204 No Content\r\n${LENGTH}\r\n`, '204 '],
    ['204 with a body', `HTTP/1.1 204 No Content\r\n${LENGTH}\r\nok`, '204 '],
    ['205 of length 0', 'HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n', '205 '],
  ])('%s', async (_what, bytes, said) => {
    const headers = { 'if-none-match': '"v1"' };
    expect(await responseTo(bytes, { method: 'GET', headers })).toMatchObject({ said, requests: 1 });
  });

  test('HEAD with the length that a GET would have', async () => {
    const { said } = await responseTo(`${OK}Content-Length: 345\r\n\r\n`, { method: 'HEAD' });
    expect(said).toBe('200 ');
  });
});

describe('B14: informational responses that nobody asked for are passed over', () => {
  const FINAL = `${OK}${LENGTH}\r\nok`;

  test.each<[string, string]>([
    ['one 100', `HTTP/1.1 100 Continue\r\n\r\n${FINAL}`],
    ['three 100', `${'HTTP/1.1 100 Continue\r\nA: b\r\n\r\n'.repeat(3)}${FINAL}`],
    ['100 with bare line feeds', `HTTP/1.1 100 Continue\n\n${FINAL}`],
    [
      '100, 102 and 103',
      `HTTP/1.1 100 X\r\n\r\nHTTP/1.1 102 X\r\n\r\nHTTP/1.1 103 X\r\nLink: <a>\r\n\r\n${FINAL}`,
    ],
    ['an unknown 199', `HTTP/1.1 199 X\r\n\r\n${FINAL}`],
  ])('%s', async (_what, bytes) => {
    expect(await responseTo(bytes)).toMatchObject({ said: '200 ok', requests: 1 });
    expect(await responseTo(bytes, { method: 'GET' })).toMatchObject({ said: '200 ok', requests: 1 });
  });

  test('one that comes before the response', async () => {
    const { said } = await responseTo((_request, socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n', () => setTimeout(() => socket.end(FINAL), 20));
      return undefined;
    });
    expect(said).toBe('200 ok');
  });
});

describe('I3: codings of responses', () => {
  const JSON_BODY = Buffer.from('{"a":1}');

  test.each([
    ['utf-8', JSON_BODY],
    ['none', JSON_BODY],
    ['8bit', JSON_BODY],
    ['gzip, identity', gzipSync(JSON_BODY)],
    ['deflate, gzip', gzipSync(deflateSync(JSON_BODY))],
  ])('I3: JSON in the coding "%s" is its value', async (encoding, body) => {
    const head = `${OK}Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const target = await startRawTarget(Buffer.concat([Buffer.from(head), body]));
    const { payloads } = await runType('HTTPRequest', { url: target.url, method: 'get' }, { http: client });
    await target.close();
    expect(payloads).toMatchObject([{ status: 200, body: { a: 1 } }]);
  });
});
