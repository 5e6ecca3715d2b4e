import { httpRequestAgent } from '../../src/agents/http-request/http-request-agent.js';
import { buildRequest } from '../../src/agents/http-request/request.js';
import type { AgentContext, RequestBody } from '../../src/agents/agent.js';
import { readOptions } from '../../src/agents/options/options.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';

const context = {
  idempotencyKey: 'key',
  story: { tenantId: 1 },
  signal: () => new AbortController().signal,
  log: () => undefined,
} as unknown as AgentContext;

function requestOf(rendered: JsonObject, body?: RequestBody) {
  const request = buildRequest(readOptions(httpRequestAgent.options, rendered), { ...context, body });
  const { url: address, method, headers } = request;
  return { address, method, headers, body: request.body?.toString('latin1') };
}

const PAYLOADS: JsonValue[] = [
  { a: 1, b: ['x', null, { c: 'é😀\udc80 "\\' }], 2: 'number' },
  [1, 'two', { three: 3 }],
  {},
  [],
  'a text',
  '',
  null,
  5,
];
const OPTIONS: JsonObject[] = [
  { method: 'post' },
  { method: 'PUT', content_type: 'json' },
  { method: 'patch', 'content-type': 'application/vnd.api+json' },
  { method: 'post', headers: { 'Content-Type': 'application/json; charset=latin1' } },
  { method: 'post', content_type: '' },
  { method: 'delete' },
  { method: 'get' },
  { method: 'head' },
];
const OTHER_KINDS: JsonObject[] = [
  { method: 'post', content_type: 'form' },
  { method: 'post', content_type: 'data' },
  { method: 'post', content_type: 'text' },
  { method: 'post', content_type: 'xml' },
  { method: 'post', content_type: 'form', params_encoder: 'flat' },
  { method: 'post', content_type: '<none>' },
  { method: 'post', headers: { 'content-type': 'text/csv' } },
];

const url = 'https://target.example/path';
const cases = [...OPTIONS, ...OTHER_KINDS].flatMap((options) =>
  PAYLOADS.map((payload): [string, JsonObject] => [
    `${JSON.stringify(options)} with ${JSON.stringify(payload)}`,
    { url, ...options, payload },
  ]),
);

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
}

const REFERENCE = `~fabula-secret~0${'A'.repeat(40)}~`;
const written = (options: JsonObject) =>
  httpRequestAgent.writeBody?.({ url, payload: { a: 1 }, ...options }, 'key')?.body.toString();

/** As the engine does it: the payload is left out where its body is at hand. */
function inTwoSteps(rendered: JsonObject) {
  const body = httpRequestAgent.writeBody?.(rendered, context.idempotencyKey);
  const { payload: _, ...others } = rendered;
  return requestOf(body === undefined ? rendered : others, body);
}

describe('a body that was written where the options were rendered', () => {
  it.each(cases)('is part of the same request: %s', (_, rendered) => {
    expect(outcomeOf(() => inTwoSteps(rendered))).toEqual(outcomeOf(() => requestOf(rendered)));
  });

  it('is there for each type of content, and for no method without a body', () => {
    for (const options of OPTIONS.slice(0, 6)) expect(written(options)).toBe('{"a":1}');
    for (const options of OPTIONS.slice(6)) expect(written(options)).toBeUndefined();
    expect(written({ method: 'post', content_type: 'form' })).toBe('a=1');
  });

  it('is not there where a reference to a secret stands in what it depends on', () => {
    expect(written({ method: 'post', payload: { a: [REFERENCE] } })).toBeUndefined();
    expect(written({ method: 'post', payload: { [REFERENCE]: 1 } })).toBeUndefined();
    expect(written({ method: 'post', content_type: `text/plain; a=${REFERENCE}` })).toBeUndefined();
    expect(written({ method: 'post', headers: { [REFERENCE]: 'text/plain' } })).toBeUndefined();
    expect(written({ method: 'post', headers: { authorization: REFERENCE } })).toBe('{"a":1}');
  });
});
