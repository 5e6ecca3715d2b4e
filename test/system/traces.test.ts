import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config/config.js';
import { rootSpanId, traceIdOf } from '../../src/app/traces/span-ids.js';
import { tracingSettings } from '../../src/app/traces/tracing-settings.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { clientOf } from '../support/fabula-client.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { type SentSpan, startOtlpSink } from '../support/otlp-sink.js';
import { startProcess } from '../support/processes.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const running: (() => Promise<unknown>)[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'traces-'));
let target: HttpTarget;

beforeAll(async () => {
  target = await startHttpTarget({
    rules: {
      '/echo': ({ headers }) => ({ body: { traceparent: headers['traceparent'] ?? null } }),
    },
  });
});
/** Ends what runs: before others start, because they share a database, and after all tests. */
async function endAll(): Promise<void> {
  for (const end of running.splice(0)) await end();
}
afterAll(async () => {
  await endAll();
  await target.close();
  rmSync(folder, { recursive: true, force: true });
});

type Client = ReturnType<typeof clientOf>;
type Sink = Awaited<ReturnType<typeof startOtlpSink>>;

/** Starts a web and a worker process. */
async function start(given: NodeJS.ProcessEnv): Promise<Client> {
  await endAll();
  const env = fabulaEnvironment(stores, {
    LOG_LEVEL: 'debug',
    MAX_ATTEMPTS: '1',
    DATA_DIR: folder,
    ...given,
  });
  const web = startProcess('web', env);
  const worker = startProcess('workers/all', env);
  output = () => worker.output();
  stop = () => Promise.all([web.stop('SIGTERM'), worker.stop('SIGTERM')]);
  running.push(stop);
  await Promise.all([web.said('web is listening'), worker.said('worker is running')]);
  const [, port = ''] =
    /"port":(\d+)/.exec(
      web
        .output()
        .split('\n')
        .find((line) => line.includes('web is listening')) ?? '',
    ) ?? [];
  return clientAt(`http://127.0.0.1:${port}`);
}

/** With an account of the test's own. */
async function clientAt(url: string): Promise<Client> {
  address = url;
  return clientOf({ url, account: await buildAccount(stores.db, { owner: true }), stores });
}

let usual: { sink: Sink; address: string } | undefined;
/** With the usual settings: what runs for a test goes on for the next one. */
async function usualSinkAndFabula() {
  if (usual?.address === address) return { sink: usual.sink, fabula: await clientAt(address) };
  const { sink, fabula } = await sinkAndFabula();
  usual = { sink, address };
  return { sink, fabula };
}

async function sinkAndFabula(env: NodeJS.ProcessEnv = {}) {
  const sink = await startOtlpSink();
  const fabula = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...env,
  });
  running.push(() => sink.close());
  return { sink, fabula };
}

let made = 0;
/** The address of the running web process. */
let address = '';
let output = () => '';
/** Ends both processes; gives their exit codes. */
let stop = (): Promise<(number | null)[]> => Promise.resolve([]);
const chain = (url = `${target.url}/echo`) => {
  made += 1;
  return storyOf(
    {
      Receive: ['Webhook', { path: `traced${made}`, secret: 's3cret', verbs: 'post' }],
      Shape: ['EventTransformation', { mode: 'message_only', payload: { n: '<<receive.body.n>>' } }],
      Decide: ['Trigger', { rules: [{ type: 'regex', value: '.', path: '<<shape.n>>' }] }],
      Ask: ['HTTPRequest', { url, method: 'get' }],
      Tell: ['Email', { recipients: ['ann@example.com'], subject: 'S', body: 'B' }],
    },
    ['Receive > Shape > Decide > Ask > Tell'],
    { guid: String(made).padStart(32, 'b') },
  );
};

/** Calls the webhook of a story; gives the run's guid. */
async function fire(fabula: Client, address: string, headers: Record<string, string> = {}) {
  const response = await fabula.fire(
    address,
    { n: 1 },
    { headers: { 'content-type': 'application/json', ...headers } },
  );
  expect(response.status).toBe(201);
  return response.headers.get('x-service-story-run') ?? '';
}

const namesUpFrom = (span: SentSpan, spans: SentSpan[]): string[] => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent === undefined ? [] : namesUpFrom(parent, spans))];
};

test.each(['http/json', 'http/protobuf'])(
  'one run is one trace in %s, from its webhook through its actions to the server that they ask',
  async (protocol) => {
    const { sink, fabula } = await sinkAndFabula({
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_SERVICE_NAME: 'fabula-test',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
    });
    const { webhooks } = await fabula.importStory(chain());
    const guid = await fire(fabula, webhooks['Receive']!, {
      traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
    });
    await fabula.settled(60_000);
    const traceId = guid.replaceAll('-', '');
    const spans = await sink.trace(traceId, (own) => own.some(({ name }) => name === 'Email'));

    const named = (name: string) => spans.find((span) => span.name === name)!;
    const root = named('webhook');
    expect(root).toMatchObject({ spanId: rootSpanId(guid), links: [CALLER] });
    expect(root.parentSpanId ?? '').toBe('');
    expect(namesUpFrom(named('send mail'), spans)).toEqual([
      'send mail',
      'Email',
      'event',
      'HTTPRequest',
      'event',
      'Trigger',
      'event',
      'EventTransformation',
      'webhook',
    ]);
    for (const name of ['EventTransformation', 'Trigger', 'HTTPRequest', 'Email']) {
      const action = named(name);
      expect(action.events.map((event) => event.name)).toEqual(['delivery stored']);
      expect(action.attributes).toMatchObject({
        'fabula.story_run_guid': guid,
        'fabula.outcome': 'done',
        'fabula.attempt': 1,
      });
      expect(spans.some((span) => span.name === 'commit' && span.parentSpanId === action.spanId)).toBe(true);
    }
    const request = named('GET');
    expect(namesUpFrom(request, spans).slice(0, 2)).toEqual(['GET', 'HTTPRequest']);
    expect(request.attributes).toEqual({ 'http.request.method': 'GET', 'http.response.status_code': 200 });
    expect((await fabula.events(guid))[3]!.payload).toMatchObject({
      body: { traceparent: `00-${traceId}-${request.spanId}-01` },
    });
    const jobs = output()
      .split('\n')
      .filter((line) => line.includes('"message":"job"') && line.includes(guid))
      .map((line) => JSON.parse(line) as { trace_id: string });
    expect(jobs.length).toBeGreaterThanOrEqual(4);
    expect(new Set(jobs.map(({ trace_id: id }) => id))).toEqual(new Set([traceId]));
    expect(sink.seen[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'x-key': 'a b' },
      services: ['fabula-test'],
    });
  },
);

test('all processes agree on which runs are traced, and others send nothing on', async () => {
  const { sink, fabula } = await sinkAndFabula({
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  });
  const { webhooks } = await fabula.importStory(chain());
  target.clear();
  const guids = await Promise.all(Array.from({ length: 24 }, () => fire(fabula, webhooks['Receive']!)));
  await fabula.settled(120_000);
  const sent = new Set(target.requests.map(({ headers }) => headers['traceparent']?.slice(3, 35)));
  sent.delete(undefined);
  expect(sent.size).toBeGreaterThan(0);
  expect(sent.size).toBeLessThan(guids.length);
  for (const traceId of sent) {
    const spans = await sink.trace(traceId!, (own) => own.some(({ name }) => name === 'Email'));
    expect(spans.map(({ name }) => name)).toContain('webhook');
  }
  expect(new Set(sink.spans.map(({ traceId }) => traceId))).toEqual(sent);
});

test('an action that failed is an error in its trace, without the reason', async () => {
  const { sink, fabula } = await usualSinkAndFabula();
  const { webhooks } = await fabula.importStory(chain('no-address s3cret-path'));
  const guid = await fire(fabula, webhooks['Receive']!);
  await fabula.settled(60_000);
  const spans = await sink.trace(guid.replaceAll('-', ''), (own) =>
    own.some(({ name }) => name === 'HTTPRequest'),
  );
  const failed = spans.filter(({ status, error }) => status === 2 && error !== 'put back');
  expect(new Map(failed.map(({ name, error }) => [name, error]))).toEqual(
    new Map([['HTTPRequest', 'failed']]),
  );
  expect(JSON.stringify(spans)).not.toMatch(/127\.0\.0\.1|refused|s3cret|ann@/i);
});

test('a called story has a run of its own, and both traces name and link each other', async () => {
  const { sink, fabula } = await usualSinkAndFabula();
  await fabula.importStory(
    storyOf(
      { Begin: ['Webhook', {}], Out: ['EventTransformation', { mode: 'message_only', payload: { n: 1 } }] },
      ['Begin > Out'],
      { name: 'Helper', send_to_story_enabled: true, entry_agent_guid: 'Begin', exit_agent_guids: ['Out'] },
    ),
  );
  const { webhooks } = await fabula.importStory(
    storyOf(
      {
        Hook: ['Webhook', { path: 'caller', secret: 's3cret', verbs: 'post' }],
        Call: ['SendToStory', { story: '<<STORY.helper>>', payload: {} }],
      },
      ['Hook > Call'],
      { name: 'Caller' },
    ),
  );
  const guid = await fire(fabula, webhooks['Hook']!);
  await fabula.settled(60_000);
  const callerSpans = await sink.trace(traceIdOf(guid), (own) => own.some(({ name }) => name === 'call'));
  const call = callerSpans.find(({ name }) => name === 'call')!;
  expect(namesUpFrom(call, callerSpans)).toEqual(['call', 'SendToStory', 'webhook']);
  const calledGuid = String(call.attributes['fabula.called_run_guid']);
  const root = { traceId: traceIdOf(calledGuid), spanId: rootSpanId(calledGuid) };
  expect(call.links).toMatchObject([root]);
  const calledSpans = await sink.trace(root.traceId, (own) => own.some(({ name }) => name === 'called'));
  const called = calledSpans.find(({ name }) => name === 'called')!;
  expect(called).toMatchObject({
    parentSpanId: root.spanId,
    attributes: { 'fabula.calling_run_guid': guid },
    links: [{ traceId: traceIdOf(guid), spanId: call.parentSpanId }],
  });
});

test('a story’s own traceparent is sent as it is', async () => {
  const { fabula } = await usualSinkAndFabula();
  const own = '00-11111111111111111111111111111111-2222222222222222-00';
  const { webhooks } = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: 'own', secret: 's3cret', verbs: 'post' }],
        Ask: ['HTTPRequest', { url: `${target.url}/echo`, method: 'get', headers: { Traceparent: own } }],
      },
      ['Receive > Ask'],
      { guid: 'd'.repeat(32) },
    ),
  );
  const guid = await fire(fabula, webhooks['Receive']!);
  await fabula.settled(60_000);
  expect((await fabula.events(guid))[1]!.payload).toMatchObject({ body: { traceparent: own } });
});

test('without a collector at its address nothing is lost', async () => {
  const fabula = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  const { webhooks } = await fabula.importStory(chain());
  const guid = await fire(fabula, webhooks['Receive']!, { traceparent: 'nonsense' });
  await fabula.settled(60_000);
  expect(await fabula.events(guid)).toHaveLength(5);
});

test('a collector that takes requests and never answers loses spans and nothing else', async () => {
  const hanging = await startOtlpSink(new Promise(() => undefined));
  const fabula = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
  });
  running.push(() => hanging.close());
  const { webhooks } = await fabula.importStory(chain());
  const guids = await Promise.all(Array.from({ length: 20 }, () => fire(fabula, webhooks['Receive']!)));
  await fabula.settled(120_000);
  for (const guid of guids) expect(await fabula.events(guid)).toHaveLength(5);
  await eventually(() => output().includes('spans could not be sent to the collector'), 60_000);
  expect(hanging.seen.length).toBeGreaterThan(0);
  // An exit code of 1 says that a process did not end in time.
  expect(await stop()).toEqual([0, 0]);
});

const settingsOf = (env: NodeJS.ProcessEnv) =>
  tracingSettings(readConfig(fabulaEnvironment(stores, env)).traces, '1.0.0');

describe('traces', () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' };

  it.each<[NodeJS.ProcessEnv]>([
    [{}],
    [{ OTEL_SERVICE_NAME: 'x' }],
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'always_off' }],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }],
  ])('are off with %j', (env) => {
    expect(settingsOf(env)).toBeUndefined();
  });

  it.each<[NodeJS.ProcessEnv, string, number]>([
    [ENDPOINT, 'http://c:4318/v1/traces', 1],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces', 1],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://d/x' }, 'http://d/x', 1],
    [
      { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      'http://c:4318/v1/traces',
      0.1,
    ],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '0.1' }, 'http://c:4318/v1/traces', 1],
  ])('are on with %j', (env, url, ratio) => {
    expect(settingsOf(env)).toMatchObject({ url, ratio });
  });
});
