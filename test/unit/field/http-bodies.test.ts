import { buildRequest, type RequestOptions } from '../../../src/agents/http-request/request.js';
import { responseBody } from '../../../src/agents/http-request/response-body.js';
import type { AgentContext } from '../../../src/agents/agent.js';
import type { JsonValue } from '../../../src/platform/json.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('B6: answers in windows-1252', () => {
  test.each(['windows-1252', 'iso-8859-1', '"ISO-8859-1"', "'latin1'", 'us-ascii'])('%s', (label) => {
    expect(responseBody(bytes('\x93q\x94 \x80'), `text/html; charset=${label}`).body).toBe('“q” €');
    expect(responseBody(bytes('{"a":"\x80"}'), `application/json; charset=${label}`).body).toEqual({
      a: '€',
    });
  });
});

describe('B7: XML answers say their charset themselves', () => {
  const document = '<?xml version="1.0" encoding="ISO-8859-1"?><a>caf\xe9</a>';

  test.each<[string, Buffer, string]>([
    ['the declaration', bytes(document), 'application/xml'],
    ['windows-1252', bytes(document.replace('ISO-8859-1', 'windows-1252')), 'text/xml'],
    ['the parameter first', bytes(document.replace('\xe9', '\x8e')), 'text/xml; charset=macintosh'],
    ['a feed', bytes(document), 'application/rss+xml'],
    [
      'UTF-16 with a mark',
      Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><a>café</a>', 'utf16le'),
      'text/xml',
    ],
  ])('%s', (_, written, type) => {
    expect(responseBody(written, type)).toEqual({ body: { a: 'café' } });
  });
});

describe('B8: what is not text is base64 in responses', () => {
  test.each([
    'text/plain',
    'text/csv',
    'application/json',
    'text/html; charset=utf-8',
    'text/plain; charset=x-mine',
  ])('%s', (type) => {
    expect(responseBody(bytes('caf\xe9'), type)).toEqual({ body: 'Y2Fm6Q==', encoding: 'base64' });
  });

  test.each<[string, Buffer, JsonValue]>([
    ['text/html', bytes('<meta charset=windows-1252>\x80'), '<meta charset=windows-1252>€'],
    ['text/csv', bytes('\xff\xfea\x00;\x00\xe9\x00'), 'a;é'],
    ['text/plain', bytes('\xfe\xff\x00a'), 'a'],
    ['application/json', Buffer.from('\uFEFF{"a":"é"}', 'utf16le'), { a: 'é' }],
    ['application/json', Buffer.from('{"a":"é"}', 'utf16le'), { a: 'é' }],
    ['text/plain; charset=x-mine', Buffer.from('café'), 'café'],
    ['', Buffer.from('\uFEFFcafé', 'utf16le'), 'café'],
  ])('%s in its own charset', (type, written, body) => {
    expect(responseBody(written, type)).toEqual({ body });
  });
});

/** Returns the request that a story's options make. */
function requestOf(options: Partial<RequestOptions>) {
  const context = {
    idempotencyKey: 'k',
    story: { tenantId: 1 },
    signal: () => undefined,
    log: () => undefined,
  } as unknown as AgentContext;
  const { url, headers, body } = buildRequest(
    {
      url: 'https://x.org/',
      method: 'post',
      headers: {},
      query_params: {},
      params_encoder: 'nested',
      disable_ssl_verification: false,
      disable_redirect_follow: false,
      ...options,
    },
    context,
  );
  return { url, type: headers['content-type'], body: body?.toString('latin1') };
}

describe('B16: a request’s bytes are in the charset that it names', () => {
  test.each<[string, JsonValue, string]>([
    ['text/plain; charset=iso-8859-1', 'hé', 'h\xe9'],
    ['text/csv; charset="windows-1252"', 'h€', 'h\x80'],
    ['text/plain; charset=utf-16be', 'hé', '\x00h\x00\xe9'],
    ['application/x-www-form-urlencoded; charset=iso-8859-1', { é: 'ü 1' }, '%E9=%FC+1'],
    ['text/xml; charset=iso-8859-1', { a: 'é' }, '<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>'],
    ['application/json; charset=iso-8859-1', { a: 'é' }, '{"a":"\\u00e9"}'],
    ['text/plain; charset=x-mine', 'é', '\xc3\xa9'],
    ['text/plain', 'é', '\xc3\xa9'],
  ])('%s', (content_type, payload, body) => {
    expect(requestOf({ content_type, payload })).toMatchObject({ type: content_type, body });
    const headers = { 'content-type': content_type };
    expect(requestOf({ headers, payload })).toMatchObject({ type: content_type, body });
  });

  test('a character that the charset lacks makes it UTF-8, and the label says so', () => {
    const content_type = 'text/plain; charset=iso-8859-1; format=flowed';
    expect(requestOf({ content_type, payload: '€' })).toMatchObject({
      type: 'text/plain; charset=utf-8; format=flowed',
      body: '\xe2\x82\xac',
    });
    const form = 'application/x-www-form-urlencoded;charset=latin1';
    expect(requestOf({ content_type: form, payload: { a: '€' } })).toMatchObject({
      type: 'application/x-www-form-urlencoded; charset=utf-8',
      body: 'a=%E2%82%AC',
    });
  });
});

describe('C35: empty lists and null as fields, as Faraday writes them', () => {
  const fields = { a: [], b: null, c: '', d: [null, 1], e: { f: [] } };

  test('nested', () => {
    const written = 'a%5B%5D&b&c=&d%5B%5D&d%5B%5D=1&e%5Bf%5D%5B%5D';
    expect(requestOf({ method: 'get', query_params: fields }).url).toBe(`https://x.org/?${written}`);
    expect(requestOf({ content_type: 'form', payload: fields }).body).toBe(written);
  });

  test('flat', () => {
    const written = requestOf({
      method: 'get',
      query_params: { a: [], b: null },
      params_encoder: 'flat',
    }).url;
    expect(written).toBe('https://x.org/?a=&b');
  });
});
