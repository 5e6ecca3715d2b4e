import { httpRequestAgent } from '../src/agents/http-request/http-request-agent.js';
import { buildRequest } from '../src/agents/http-request/request.js';
import type { AgentContext } from '../src/agents/agent.js';
import { readOptions } from '../src/agents/options.js';
import type { JsonObject, JsonValue } from '../src/platform/json.js';

const context = {
  idempotencyKey: 'key',
  story: { tenantId: 1 },
  signal: () => new AbortController().signal,
  log: () => undefined,
} as unknown as AgentContext;

function requestOf(rendered: JsonObject) {
  const { url, method, headers, body } = buildRequest(
    readOptions(httpRequestAgent.options, rendered),
    context,
  );
  return { url, method, headers, body: body?.toString('latin1') };
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

const kept = (options: JsonObject) => httpRequestAgent.flatten?.({ url, ...options, payload: { a: 1 } });

describe('a payload that was made text where it was rendered', () => {
  it.each(cases)('is the same request: %s', (_, rendered) => {
    const flat = outcomeOf(() => requestOf(httpRequestAgent.flatten?.(rendered) ?? {}));
    expect(flat).toEqual(outcomeOf(() => requestOf(rendered)));
  });

  it('is text for JSON that is sent as a body, and nothing else', () => {
    for (const options of OPTIONS.slice(0, 6)) expect(kept(options)).toMatchObject({ payload: '{"a":1}' });
    for (const options of [...OPTIONS.slice(6), ...OTHER_KINDS]) {
      expect(kept(options)).toMatchObject({ payload: { a: 1 } });
    }
  });
});
