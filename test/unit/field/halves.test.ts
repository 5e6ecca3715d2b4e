import { responseBody } from '../../../src/agents/http-request/response-body.js';
import { wholeJson } from '../../../src/platform/json/whole-json.js';
import { receiveBytes } from '../../../src/web/webhooks/receive-task.js';
import { makeResponse } from '../../../src/web/webhooks/responses/response.js';
import { storedEventText } from '../../../src/engine/state/events/event-text.js';
import type { HttpRequest } from '../../../src/platform/outbound/http-exchange.js';
import { recordingMailer, runType } from '../../support/agent-context.js';
import { emitted, tryEvent } from '../../support/try-event.js';

const formula = async (text: string, event = '{}') =>
  JSON.parse((await emitted(event, { x: `=${text}` }))!).x;
const liquid = async (text: string, event = '{}') => JSON.parse((await emitted(event, { x: text }, 1))!).x;

/** Bytes of a file that are no text, as base64. */
const BYTES = 'iVBORw0KGgr/';

describe('A3: no event has half of a surrogate pair: bytes that are no text become base64', () => {
  test.each([
    [`BASE64_DECODE("${BYTES}")`, BYTES],
    ['HEX_DECODE("ff")', '/w=='],
    ['"a" & HEX_DECODE("ff") & "é"', 'Yf/DqQ=='],
    ['SPLIT(HEX_DECODE("61ff2c62"), ",")', ['Yf8=', 'b']],
    ['{n: {list: [1, HEX_DECODE("fe")]}}', { n: { list: [1, '/g=='] } }],
  ])('%s', async (text, value) => {
    expect(await formula(text)).toEqual(value);
  });

  test.each([
    ['an archive', 'ZIP("hello", "a.txt")', /^UEsDB/],
    ['bytes by a filter', `"{{ '${BYTES}' | base64_decode }}"`, undefined],
  ])('%s', async (_, text, start) => {
    if (start === undefined) expect(await liquid(text.slice(1, -1))).toBe(BYTES);
    else expect(await formula(text)).toMatch(start);
  });

  test('text and whole characters stay as they are', async () => {
    expect(await formula('BASE64_DECODE("8J+SqQ==")')).toBe('💩');
    expect(await formula('hook.a', JSON.stringify({ a: String.raw`\ud83d \\udcff`, b: '💩' }))).toBe(
      String.raw`\ud83d \\udcff`,
    );
  });

  test('bytes go on unchanged within one action', async () => {
    expect(await formula('BASE64_ENCODE(HEX_DECODE("ff"))')).toBe('/w==');
    expect(await formula('SHA256(HEX_DECODE("ff"))')).toMatch(/^a8100ae6aa1940d0/);
    expect(await formula('BASE64_ENCODE(JSON_PARSE(TO_JSON({a: HEX_DECODE("ff")})).a)')).toBe('/w==');
  });

  test('a key is a text too', () => {
    expect(wholeJson(JSON.stringify({ 'a\udcff': 1, b: ['\udc80'] }))).toEqual({
      json: '{"Yf8=":1,"b":["gA=="]}',
      changes: [
        { place: 'Yf8=', became: 'base64' },
        { place: 'b[0]', became: 'base64' },
      ],
    });
  });
});

describe('A3: half of a character in what another program sends becomes its escape', () => {
  const CASES: [sent: string, value: unknown][] = [
    [String.raw`{"a":"cut \ud83d"}`, { a: String.raw`cut \ud83d` }],
    [String.raw`{"a":"\uDCA9 rest"}`, { a: String.raw`\udca9 rest` }],
    [String.raw`{"\ud800":["\udfff\ud800"]}`, { '\\ud800': [String.raw`\udfff\ud800`] }],
    [String.raw`{"a":"\ud83d\udca9 \\ud83d \\\ud83d"}`, { a: String.raw`💩 \ud83d \\ud83d` }],
  ];

  test.each(CASES)('webhook body %s', async (sent, value) => {
    const request = { contentType: 'application/json', headers: {}, query: {}, includeHeaders: true };
    const received = await receiveBytes({ ...request, bytes: Buffer.from(sent), keepsRawBody: false });
    expect(received.event['body']).toEqual(value);
  });

  test.each(CASES)('response %s', (sent, value) => {
    expect(responseBody(Buffer.from(sent), 'application/json').body).toEqual(value);
  });

  test.each(['JSON_PARSE(hook.a)', 'JSON_LINES_PARSE(hook.a)[0]'])('%s', async (text) => {
    expect(await formula(text, JSON.stringify({ a: String.raw`{"b":"\ud83d"}` }))).toEqual({ b: '\\ud83d' });
  });
});

describe('A3: a change is named', () => {
  test('by the place in the event', () => {
    const logs: string[] = [];
    const text = storedEventText({ rows: [{ x: '\udcff' }], y: 'cut \ud83d' }, (level, said) =>
      logs.push(`${level} ${said}`),
    );
    expect(text).toBe(String.raw`{"rows":[{"x":"/w=="}],"y":"cut \\ud83d"}`);
    expect(logs).toEqual([
      'warn The event: rows[0].x contains bytes that are not text and was encoded as base64, as BASE64_ENCODE does. ' +
        'The event: y holds half of a character, which became its escape',
    ]);
  });

  test('an event without halves is its JSON, and no line is logged', () => {
    const value = { a: String.raw`\ud83d`, b: '💩', c: '\\' };
    const logs: string[] = [];
    expect(storedEventText(value, (_, said) => logs.push(said))).toBe(JSON.stringify(value));
    expect(logs).toEqual([]);
  });

  test('a thread does the same', async () => {
    const list = { n: 'y'.repeat(2_000_000) };
    const text = '={a: HEX_DECODE("ff"), n: SIZE(hook.n)}';
    expect(await emitted(JSON.stringify(list), text)).toBe('{"a":"/w==","n":2000000}');
  });

  test('a request names what it changed', async () => {
    const payload = { file: 'a\udcff' };
    const response = { answered: true as const, status: 200, headers: {}, body: Buffer.alloc(0) };
    const http = { request: () => Promise.resolve(response) };
    const { logs } = await runType('HTTPRequest', { url: 'https://example.com/', payload }, { http });
    expect(logs.map(({ message }) => message)).toEqual([
      'payload: file contains bytes that are not text and was encoded as base64, as BASE64_ENCODE does',
    ]);
  });

  test('headers and passwords have the bytes themselves', async () => {
    const sent: HttpRequest[] = [];
    const response = { answered: true as const, status: 200, headers: {}, body: Buffer.alloc(0) };
    const http = {
      request: (request: HttpRequest) => {
        sent.push(request);
        return Promise.resolve(response);
      },
    };
    const options = { headers: { 'x-a': 'a\udcff' }, basic_auth: ['u', '\udcff'] };
    await runType('HTTPRequest', { url: 'https://example.com/', ...options }, { http });
    expect(sent[0]?.headers).toMatchObject({ 'x-a': 'a\xff', authorization: 'Basic dTr/' });
  });
});

describe('A3: what a story sends has no half of a surrogate pair', () => {
  const options = { url: 'https://example.com/', method: 'post', content_type: 'json' };
  const type = 'Agents::HTTPRequestAgent';

  test('JSON holds the base64 of bytes', async () => {
    const payload = { file: '=HEX_DECODE("ff")', all: [{ text: '=HEX_DECODE("61fe")' }], whole: '💩' };
    const { requests } = await tryEvent('{}', { type, options: { ...options, payload } });
    expect(requests[0]).toMatchObject({ body: { file: '/w==', all: [{ text: 'Yf4=' }], whole: '💩' } });
  });

  test('so does a text of JSON', async () => {
    const payload = '=TO_JSON({file: HEX_DECODE("ff")})';
    const { requests } = await tryEvent('{}', { type, options: { ...options, payload } });
    expect(JSON.stringify(requests[0])).not.toMatch(/udcff/i);
  });

  test('a response of a webhook, as text and as JSON', () => {
    expect(makeResponse(200, 'a\udcff').body).toBe('Yf8=');
    expect(makeResponse(200, { a: 'a\udcff' }).body).toBe('{"a":"Yf8="}');
  });

  test('a mail has bytes read as windows-1252', async () => {
    const mailer = recordingMailer();
    const options = { subject: 'Caf\udce9', body: '\udc80 5', sender_name: 'M\udcfc' };
    const recipients = 'Ren\udce9 <r@example.com>';
    const { payloads, logs } = await runType('Email', { ...options, recipients }, { mailer });
    const [mail] = mailer.mails;
    expect(mail).toMatchObject({ subject: 'Café', text: '€ 5', senderName: 'Mü' });
    expect(mail?.to).toEqual([{ name: 'René', address: 'r@example.com' }]);
    expect(payloads).toMatchObject([{ subject: 'Café' }]);
    expect(JSON.stringify(logs)).toContain('subject contains bytes that are not valid text');
  });
});

describe('C21: no encoder fails at half of a surrogate pair', () => {
  test.each([
    ['TO_QUERY({a: JSON_PARSE(hook.json)})', 'a=%5Cud800'],
    ['TO_QUERY({a: hook.half})', 'a=cut%20%5Cud800'],
    ['TO_QUERY({a: HEX_DECODE("61ff20"), b: [HEX_DECODE("80"), "é"]})', 'a=a%FF%20&b=%80&b=%C3%A9'],
    ['TRY(TO_QUERY({a: HEX_DECODE("ff")}), "caught")', 'a=%FF'],
    ['URL_ENCODE(JSON_PARSE(hook.json))', '%5Cud800'],
  ])('%s', async (text, value) => {
    const event = JSON.stringify({ json: String.raw`"\ud800"`, half: String.raw`cut \ud800` });
    expect(await formula(text, event)).toBe(value);
  });
});

describe('C22: bytes that are no text are percent-encoded as they are', () => {
  test.each([
    ['URL_ENCODE(HEX_DECODE("ff"))', '%FF'],
    ['URI_ESCAPE(HEX_DECODE("ff"))', '%FF'],
    ['URL_ENCODE(HEX_DECODE("61ff20c3a9"))', 'a%FF+%C3%A9'],
  ])('%s', async (text, value) => {
    expect(await formula(text)).toBe(value);
  });

  test.each(['url_encode', 'cgi_escape', 'uri_escape'])('%s', async (filter) => {
    expect(await liquid(`{{ "/w==" | base64_decode | ${filter} }}`)).toBe('%FF');
  });
});
