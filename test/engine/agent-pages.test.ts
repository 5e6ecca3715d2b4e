import { findAgentType } from '../../src/agents/index.js';
import { paginationOf, runPages } from '../../src/engine/execute/call/agent-pages.js';
import { createPlainIterations } from '../../src/engine/execute/scheduling/plain-iterations.js';
import { AgentError, PermanentJobError } from '../../src/platform/errors.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import type { HttpResponse, HttpRequest, NoResponse } from '../../src/platform/outbound/http-exchange.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import type { TemplateLanguage } from '../../src/language/template.js';
import { agentContext } from '../support/agent-context.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { templateScope } from '../support/template-scope.js';

const httpRequest = findAgentType('Agents::HTTPRequestAgent')!;
const formulas = createFormulaLanguage();
const liquid = createLiquidLanguage();
/** Another page as long as the one before says where it is. */
const MORE = '=PAGINATE.previous_response.body.next <> NULL';

/** Responses to `GET https://api.test/`, page by page; the last one for all that follow. */
function pagesOf(...responses: (Partial<HttpResponse> & { json?: JsonValue; none?: true })[]) {
  const requests: HttpRequest[] = [];
  const request = (asked: HttpRequest): Promise<HttpResponse | NoResponse> => {
    const { json = {}, none, ...rest } = responses[Math.min(requests.length, responses.length - 1)]!;
    requests.push(asked);
    if (none === true) return Promise.resolve({ answered: false, reason: 'no answer', interrupted: false });
    const body = Buffer.from(JSON.stringify(json));
    const headers = { 'content-type': 'application/json' };
    return Promise.resolve({ answered: true, status: 200, headers, body, ...rest });
  };
  return { requests, http: { request, close: () => Promise.resolve() } };
}

interface Trial {
  event?: JsonObject;
  language?: TemplateLanguage;
  attempt?: number;
  signal?: () => AbortSignal;
}

/** Runs the action as the engine does, against pages that are made up. */
async function paged(options: JsonObject, pages: ReturnType<typeof pagesOf>, trial: Trial = {}) {
  const { event = {}, language = formulas, ...overrides } = trial;
  const { context, logs } = agentContext({ http: pages.http, ...overrides });
  const all: JsonObject = { url: 'https://api.test/', ...options };
  const pagination = paginationOf(httpRequest, all);
  if (pagination === undefined) throw new Error('it has no pages');
  const input = { language, scope: templateScope(event), valueOptions: httpRequest.valueOptions ?? [] };
  const iterations = createPlainIterations(httpRequest, input);
  const result = await runPages({ pagination, options: all, iterations, context });
  const outputs = 'outputs' in result ? result.outputs : [];
  return { payloads: outputs.map(({ payload }) => payload), logs };
}

describe('what a page is asked with', () => {
  test('is rendered anew, with its index and the page before', async () => {
    const pages = pagesOf({ json: { next: 'b' } }, { json: { next: 'c' } }, { json: {} });
    const options = {
      query_params: {
        page: '=PAGINATE.index + 1',
        first: '=PAGINATE.previous_response = NULL',
        cursor: '=PAGINATE.previous_response.body.next',
      },
      headers: { before: '<<PAGINATE.previous_response.status>>' },
      pagination: { has_more: MORE },
    };
    const { payloads } = await paged(options, pages);
    expect(payloads).toMatchObject([
      { status: 200, body: { next: 'b' } },
      { status: 200, body: { next: 'c' } },
      { status: 200, body: {} },
    ]);
    expect(pages.requests.map(({ url }) => url)).toEqual([
      'https://api.test/?page=1&first=true&cursor',
      'https://api.test/?page=2&first=false&cursor=b',
      'https://api.test/?page=3&first=false&cursor=c',
    ]);
    expect(pages.requests.map(({ headers }) => headers['before'])).toEqual([undefined, '200', '200']);
  });

  test('has an idempotency key of its own, the first page the one of a single request', async () => {
    const pages = pagesOf({ json: { next: 1 } }, { json: { next: 2 } }, {});
    await paged({ pagination: { has_more: MORE } }, pages);
    expect(pages.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'epoch-1-0',
      'epoch-1-0-p1',
      'epoch-1-0-p2',
    ]);
  });

  test('may stand in Liquid', async () => {
    const pages = pagesOf({ json: { more: true } }, { json: { more: true } }, { json: { more: false } });
    const options = {
      url: 'https://api.test/{{ PAGINATE.index }}',
      query_params: { before: '{{ .PAGINATE.previous_response.status }}' },
      pagination: { has_more: '{{ PAGINATE.previous_response.body.more }}', output_as_single_event: 'true' },
    };
    const { payloads } = await paged(options, pages, { language: liquid });
    expect(payloads).toMatchObject([[{ body: { more: true } }, { body: { more: true } }, { status: 200 }]]);
    expect(pages.requests.map(({ url }) => url)).toEqual([
      'https://api.test/0?before=',
      'https://api.test/1?before=200',
      'https://api.test/2?before=200',
    ]);
  });
});

describe('has_more', () => {
  test('is asked with the page that has come, its index, the event and LOCAL', async () => {
    const pages = pagesOf({ json: [1, 2] }, { json: [3, 4] }, { json: [5] });
    const has_more = '=SIZE(PAGINATE.previous_response.body) = hook.size AND PAGINATE.index < LOCAL.most';
    const options = { local: { most: '=1 + 4' }, pagination: { has_more } };
    const { payloads } = await paged(options, pages, { event: { hook: { size: 2 } } });
    expect(payloads.map((payload) => (payload as JsonObject)['body'])).toEqual([[1, 2], [3, 4], [5]]);
    const limited = pagesOf({ json: [1, 2] });
    await paged({ ...options, local: { most: 3 } }, limited, { event: { hook: { size: 2 } } });
    expect(limited.requests).toHaveLength(4);
  });

  test.each<[JsonValue, number]>([
    ['<<PAGINATE.index < 1>>', 2],
    ['=IF(PAGINATE.index < 1, "yes", "off")', 2],
    ['<% if PAGINATE.index < 2 %> true <% else %> <% endif %>', 3],
    ['=PAGINATE.previous_response.body.nothing', 1],
    ['=IF(PAGINATE.index < 1, "https://api.test/2", NULL)', 2],
    ['<<IF(PAGINATE.index < 2, "cursor", "")>>', 3],
    ['=IF(PAGINATE.index < 1, [1], [])', 2],
    ['=1 - PAGINATE.index', 2],
    [false, 1],
    ['false', 1],
  ])('%j is a yes or no: %i requests', async (has_more, count) => {
    const pages = pagesOf({});
    expect((await paged({ pagination: { has_more } }, pages)).payloads).toHaveLength(count);
    expect(pages.requests).toHaveLength(count);
  });

  test.each<[JsonValue, RegExp, number]>([
    ['="x" + 1', /^pagination\.has_more: /, 1],
    [null, /option pagination\.has_more is required/, 0],
    ['', /option pagination\.has_more is required/, 0],
  ])('%j is refused: %s, after %i requests', async (has_more, reason, count) => {
    const pages = pagesOf({ json: { next: 'https://api.test/2' } });
    await expect(paged({ pagination: { has_more } }, pages)).rejects.toThrow(reason);
    expect(pages.requests).toHaveLength(count);
  });
});

describe('the option', () => {
  test.each([undefined, null, false, '', 'false'])('%j means a single request', (pagination) => {
    expect(paginationOf(httpRequest, pagination === undefined ? {} : { pagination })).toBeUndefined();
  });

  test.each<[JsonValue, string]>([
    [{}, 'option pagination.has_more is required'],
    [{ output_as_single_event: true }, 'option pagination.has_more is required'],
    ['=hook.pagination', 'option pagination must be an object'],
    [[], 'option pagination must be an object'],
  ])('%j is refused', (pagination, reason) => {
    expect(() => paginationOf(httpRequest, { pagination })).toThrow(new PermanentJobError(reason));
  });

  test('says how the pages come out before anything is sent', async () => {
    const pages = pagesOf({});
    const pagination = { has_more: false, output_as_single_event: '="perhaps"' };
    await expect(paged({ pagination }, pages)).rejects.toThrow(/output_as_single_event must be a boolean/);
    expect(pages.requests).toEqual([]);
  });

  test('is a matter of requests only', () => {
    const transformation = findAgentType('Agents::EventTransformationAgent')!;
    expect(paginationOf(transformation, { pagination: { has_more: true } })).toBeUndefined();
  });
});

const busy = () => pagesOf({}, { status: 503, headers: { 'retry-after': '7' } });

describe('a page that fails', () => {
  const second = { has_more: '=PAGINATE.index < 2' };

  test('has the whole action tried again, or set aside', async () => {
    const error: unknown = await paged({ retry_on_status: ['503'], pagination: second }, busy()).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(AgentError);
    expect(error).not.toBeInstanceOf(PermanentJobError);
    expect(error).toMatchObject({ retryAfterMs: 7000 });
    await expect(
      paged({ fail_on_status: true, pagination: second }, busy(), { attempt: 9 }),
    ).rejects.toBeInstanceOf(PermanentJobError);
  });

  test('is the last one, with what came before it, when its failure is an event', async () => {
    const gone = pagesOf({}, { none: true });
    const { payloads, logs } = await paged({ pagination: second }, gone);
    expect(payloads).toMatchObject([{ status: 200 }, { status: 0, body: 'no answer' }]);
    expect(gone.requests).toHaveLength(2);
    expect(logs).toEqual([{ level: 'error', message: 'no answer' }]);
    const failing = { fail_on_status: true, emit_failure_event: true, pagination: second };
    expect((await paged(failing, pagesOf({}, { status: 400 }))).payloads).toMatchObject([
      { status: 200 },
      { status: 400 },
    ]);
  });

  test('leaves nothing when its failure is no event', async () => {
    const options = { fail_on_status: true, emit_failure_event: false, pagination: second };
    expect((await paged(options, pagesOf({}, { status: 400 }))).payloads).toEqual([]);
  });

  test('is a response like others where no option takes it for a failure, and is logged', async () => {
    const { payloads, logs } = await paged({ pagination: second }, pagesOf({}, { status: 500 }, {}));
    expect(payloads).toMatchObject([{ status: 200 }, { status: 500 }, { status: 200 }]);
    expect(logs.map(({ message }) => message)).toEqual(['api.test answered 500']);
  });
});

const upTo = (index: number) => ({ pagination: { has_more: `=PAGINATE.index < ${index}` } });

describe('pages without end', () => {
  test('are at most a thousand', async () => {
    const pages = pagesOf({});
    expect((await paged(upTo(999), pages)).payloads).toHaveLength(1000);
    await expect(paged(upTo(1000), pages)).rejects.toThrow(
      new PermanentJobError('option pagination: the maximum is 1000 pages'),
    );
    expect(pages.requests).toHaveLength(2000);
  });

  test('are refused once they are too large together', async () => {
    const pages = pagesOf({ json: 'x'.repeat(6 * 1024 * 1024) });
    await expect(paged({ pagination: { has_more: true } }, pages)).rejects.toThrow(
      /result of the pages is larger than 16777216 characters/,
    );
    expect(pages.requests).toHaveLength(3);
  });

  test('are no longer asked for when the action is told to stop', async () => {
    const stop = new AbortController();
    const pages = pagesOf({});
    const http = {
      ...pages.http,
      request: (asked: HttpRequest) => {
        if (pages.requests.length === 1) stop.abort(new Error('its time is over'));
        return pages.http.request(asked);
      },
    };
    const signal = () => stop.signal;
    await expect(paged({ pagination: { has_more: true } }, { ...pages, http }, { signal })).rejects.toThrow(
      'its time is over',
    );
    expect(pages.requests).toHaveLength(2);
  });
});

describe('in a story', () => {
  const stores = useStores();
  let fabula: TestFabula;
  let target: HttpTarget;

  beforeEach(async () => {
    target = await startHttpTarget({
      rules: {
        '/items': ({ query }) => ({ body: query.get('page') === '3' ? [5] : [1, 2] }),
        '/broken': ({ query }) => (query.get('page') === '2' ? { status: 400 } : { body: [1, 2] }),
      },
    });
    fabula = await startFabula(stores);
  });

  afterEach(async () => {
    await fabula.close();
    await target.close();
  });

  async function outputsOf(agent: ShortAgent) {
    const story = await fabula.importStory(storyOf({ Hook: ['Webhook', {}], Work: agent }, ['Hook > Work']));
    await fabula.fire(story.webhooks['Hook']!, { size: 2 });
    await fabula.settled();
    return (await fabula.events()).filter((event) => event.agent === 'Work').map(({ payload }) => payload);
  }

  const request = (path: string, options: JsonObject): ShortAgent => [
    'HTTPRequest',
    { url: `${target.url}${path}`, method: 'get', query_params: { page: '=PAGINATE.index + 1' }, ...options },
  ];
  const full = '=SIZE(PAGINATE.previous_response.body) = hook.body.size';

  test('each page is an event, in their order, each asked for once', async () => {
    const events = await outputsOf(request('/items', { pagination: { has_more: full } }));
    expect(events).toMatchObject([{ body: [1, 2] }, { body: [1, 2] }, { status: 200, body: [5] }]);
    expect(target.requests.map(({ url }) => url)).toEqual([
      '/items?page=1',
      '/items?page=2',
      '/items?page=3',
    ]);
    const keys = target.requests.map(({ headers }) => headers['idempotency-key']!);
    expect(keys).toEqual([keys[0], `${keys[0]}-p1`, `${keys[0]}-p2`]);
  });

  test('one event holds all pages with output_as_single_event', async () => {
    const pagination = { has_more: full, output_as_single_event: true };
    expect(await outputsOf(request('/items', { pagination }))).toMatchObject([
      [
        { status: 200, body: [1, 2] },
        { status: 200, body: [1, 2] },
        { status: 200, body: [5] },
      ],
    ]);
  });

  test('nothing is stored of the pages before one that fails', async () => {
    const agent = request('/broken', { fail_on_status: true, pagination: { has_more: full } });
    expect(await outputsOf(agent)).toEqual([]);
    expect(target.requests).toHaveLength(2);
    expect((await fabula.deadLetters())[0]?.error).toMatch(/answered 400/);
  });

  test('a loop cannot have pages', async () => {
    const agent = request('/items', { loop: [1], pagination: { has_more: full } });
    expect(await outputsOf(agent)).toEqual([]);
    expect(target.requests).toEqual([]);
    expect((await fabula.deadLetters())[0]?.error).toBe(
      'options loop and pagination cannot be used together',
    );
  });
});
