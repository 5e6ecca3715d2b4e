import { QUEUES } from '../../../src/engine/dispatch/jobs.js';
import { buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { startFabula, type FabulaOptions, type TestFabula } from '../../support/fabula.js';
import { fabulaEnvironment } from '../../support/fabula-environment.js';
import { startHttpTarget } from '../../support/http-target.js';
import { call } from '../../support/run-api.js';
import { runCli } from '../../support/run-cli.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();

const WITH_WORKERS: FabulaOptions = { queues: QUEUES, relay: true };
/** They share a database: one with other quotas would work on the deliveries of the next test. */
const running: TestFabula[] = [];
afterEach(() => Promise.all(running.splice(0).map((fabula) => fabula.close())));

async function start(env: NodeJS.ProcessEnv, options: FabulaOptions = {}): Promise<TestFabula> {
  const fabula = await startFabula(stores, { queues: [], relay: false, ...options, env });
  running.push(fabula);
  return fabula;
}

const HOOK: ShortAgent = ['Webhook', { path: 'hook', secret: 's3cret', verbs: 'post' }];
const STEP: ShortAgent = [
  'EventTransformation',
  { mode: 'message_only', payload: { text: 'x'.repeat(100) } },
];
const scheduled = (count: number): ShortAgent => [
  ...(STEP as [string, { mode: string }]),
  { schedule: Array.from({ length: count }, (_, minute) => ({ cron: `${minute} * * * *` })) },
];

const messageOf = (body: unknown) => (body as { errors: { message: string }[] }).errors[0]?.message;

/** Returns how much of a quota the tenant has used, as the API shows it to all its users. */
async function usedOf(fabula: TestFabula, name: string) {
  const { body } = await call(fabula, 'GET /api/v1/tenants/current/usage');
  const { quotas } = body as { quotas: { name: string; used: number; limit: number; resets_at: string }[] };
  return quotas.find((quota) => quota.name === name)!;
}

async function importHook(fabula: TestFabula) {
  const { id, webhooks } = await fabula.importStory(storyOf({ Receive: HOOK }, []));
  return { id, address: webhooks['Receive']! };
}

/** Calls the webhook until it is refused. */
const refusal = (fabula: TestFabula, address: string) =>
  eventually(async () => {
    const response = await fabula.fire(address);
    return response.status === 429 && response;
  });

const importing = (fabula: TestFabula, name: string, agents: Record<string, ShortAgent>, more = {}) =>
  call(fabula, 'POST /api/v1/stories/import', {
    body: { new_name: name, team_id: fabula.account.team.id, data: storyOf(agents, []), ...more },
  });

describe('quotas of a day', () => {
  it('a tenant that has used up its events begins no more runs, and another one does', async () => {
    const fabula = await start({ QUOTA_EVENTS_PER_DAY: '5' });
    const { id, address } = await importHook(fabula);
    const response = await refusal(fabula, address);
    expect(await response.text()).toMatch(
      /quota events_per_day is used up: \d+ of 5; it resets at \d{4}-\d\d-\d\dT00:00:00Z/,
    );
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
    const stored = await fabula.events();
    expect((await fabula.fire(address)).status).toBe(429);
    expect(await fabula.events()).toHaveLength(stored.length);

    const run = await call(fabula, `POST /api/v1/stories/${id}/runs`, { body: {} });
    expect([run.status, messageOf(run.body)]).toEqual([429, expect.stringContaining('events_per_day')]);
    const again = await call(fabula, `POST /api/v1/events/${stored[0]!.id}/reemit`);
    expect(again.status).toBe(429);
    const used = await eventually(async () => {
      const quota = await usedOf(fabula, 'events_per_day');
      return quota.used >= 5 && quota;
    });
    expect(used).toMatchObject({ limit: 5, resets_at: expect.stringMatching(/T00:00:00Z$/) });

    const other = await buildAccount(stores.db);
    const data = storyOf({ Receive: ['Webhook', { path: 'other', secret: 's3cret', verbs: 'post' }] }, []);
    const body = { new_name: 'Other', team_id: other.team.id, data };
    await call(fabula, 'POST /api/v1/stories/import', { body, as: other });
    expect((await fabula.fire('other/s3cret')).status).toBe(201);
  });

  it('a run that was accepted goes to its end, whatever it uses', async () => {
    const fabula = await start({ QUOTA_EVENTS_PER_DAY: '2' }, WITH_WORKERS);
    const steps = Object.fromEntries(['A', 'B', 'C', 'D'].map((name) => [name, STEP]));
    const story = await fabula.importStory(storyOf({ Receive: HOOK, ...steps }, ['Receive > A > B > C > D']));
    expect((await fabula.fire(story.webhooks['Receive']!)).status).toBe(201);
    await fabula.settled();
    expect((await fabula.events()).map(({ agent }) => agent)).toEqual(['Receive', 'A', 'B', 'C', 'D']);
    // Web processes know only after seconds what workers have stored.
    await refusal(fabula, story.webhooks['Receive']!);
    await fabula.settled();
    expect(await fabula.deadLetters()).toEqual([]);
    const [runs, events] = await Promise.all([
      stores.db.read((session) => session.rows<{ n: number }>('SELECT COUNT(*) AS n FROM story_runs')),
      fabula.events(),
    ]);
    expect(events).toHaveLength(runs[0]!.n * 5);
    await eventually(async () => (await usedOf(fabula, 'events_per_day')).used === events.length);
  });

  it('a tenant that has used up its bytes begins no more runs', async () => {
    const fabula = await start({ QUOTA_BYTES_PER_DAY: '20000' });
    const { address } = await importHook(fabula);
    const big = { text: 'x'.repeat(30_000) };
    expect((await fabula.fire(address, big)).status).toBe(201);
    const response = await refusal(fabula, address);
    expect(await response.text()).toContain('bytes_per_day');
    await eventually(async () => (await usedOf(fabula, 'bytes_per_day')).used >= 30_000);
  });

  it('requests that are kept count as bytes, those of failed attempts too', async () => {
    const target = await startHttpTarget({ rules: { '/busy': { status: 503 } } });
    const fabula = await start({ QUOTA_BYTES_PER_DAY: '20000', MAX_ATTEMPTS: '2' }, WITH_WORKERS);
    try {
      const post = { method: 'post', payload: { text: 'x'.repeat(8_000) } };
      const failing = { ...post, url: `${target.url}/busy`, fail_on_status: ['503'] };
      const agents: Record<string, ShortAgent> = {
        Receive: HOOK,
        Pass: ['HTTPRequest', { ...post, url: `${target.url}/ok` }],
        Fail: ['HTTPRequest', failing],
      };
      const story = await fabula.importStory(storyOf(agents, ['Receive > Pass', 'Receive > Fail']));
      expect((await fabula.fire(story.webhooks['Receive']!)).status).toBe(201);
      await fabula.settled();
      const [kept] = await stores.db.read((session) =>
        session.rows<{ payloads: string; requests: string; logged: string }>(
          `SELECT SUM(OCTET_LENGTH(payload)) AS payloads, SUM(OCTET_LENGTH(request)) AS requests,
                  (SELECT SUM(OCTET_LENGTH(request) + OCTET_LENGTH(response)) FROM agent_logs) AS logged FROM events`,
        ),
      );
      const { payloads, requests, logged } = kept!;
      expect(Number(requests)).toBeGreaterThan(8_000);
      expect(Number(logged)).toBeGreaterThan(16_000);
      const all = Number(payloads) + Number(requests) + Number(logged);
      await eventually(async () => (await usedOf(fabula, 'bytes_per_day')).used === all);
      expect(await (await refusal(fabula, story.webhooks['Receive']!)).text()).toContain('bytes_per_day');
    } finally {
      await target.close();
    }
  });

  it('processor time that a tenant has used counts, and is the tenant’s alone', async () => {
    const fabula = await start({ QUOTA_PROCESSOR_SECONDS_PER_DAY: '10' });
    const { address } = await importHook(fabula);
    await fabula.inner.useProcessor(fabula.account.tenantId, 10_500);
    expect(await (await refusal(fabula, address)).text()).toContain('processor_seconds_per_day');
  });

  it('what the templates of a tenant take counts as its processor time', async () => {
    const fabula = await start({ QUOTA_PROCESSOR_SECONDS_PER_DAY: '1' }, WITH_WORKERS);
    const slow = '<<SIZE(MAP(RANGE(1, 20000), LAMBDA(x, x * x * x * x + 1)))>>';
    const payload = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, slow]));
    const work: ShortAgent = ['EventTransformation', { mode: 'message_only', payload }];
    const story = await fabula.importStory(storyOf({ Receive: HOOK, Work: work }, ['Receive > Work']));
    const response = await refusal(fabula, story.webhooks['Receive']!);
    expect(await response.text()).toMatch(/processor_seconds_per_day is used up: \d+ of 1;/);
  });

  it('a tenant may have quotas of its own, and none', async () => {
    const fabula = await start({ QUOTA_EVENTS_PER_DAY: '1' });
    const { address } = await importHook(fabula);
    await refusal(fabula, address);
    const env = fabulaEnvironment(stores, { QUOTA_EVENTS_PER_DAY: '1' });
    const tenant = String(fabula.account.tenantId);
    const cli = (...args: string[]) => runCli(['tenant', ...args], { env });
    const set = await cli('quota', tenant, '--set', 'events_per_day=0', 'stories=7');
    expect([set.code, set.err]).toEqual([0, '']);
    await eventually(async () => (await fabula.fire(address)).status === 201);
    expect((await cli('usage', tenant)).out).toMatch(/events_per_day +\d+ +none/);
    expect((await cli('usage', tenant)).out).toMatch(/stories +1 +7/);
    expect((await cli('quota', tenant, '--set', 'events_per_day=default')).out).toMatch(
      /events_per_day +\d+ +1 /,
    );
    await refusal(fabula, address);
    expect((await cli('quota', tenant, '--set', 'evens=1')).err).toContain('expected one of events_per_day');
  });
});

describe('quotas of what is kept', () => {
  it('a tenant has so many stories and no more; those it has can be replaced', async () => {
    const fabula = await start({ QUOTA_STORIES: '2' });
    expect((await importing(fabula, 'One', { A: STEP })).status).toBe(200);
    expect((await importing(fabula, 'Two', { A: STEP })).status).toBe(200);
    const third = await importing(fabula, 'Three', { A: STEP });
    expect([third.status, messageOf(third.body)]).toEqual([
      429,
      expect.stringContaining('quota stories is used up: 2 of 2'),
    ]);
    expect((await importing(fabula, 'Two', { A: STEP, B: STEP }, { mode: 'versionReplace' })).status).toBe(
      200,
    );
    expect(await usedOf(fabula, 'stories')).toMatchObject({ used: 2, limit: 2, resets_at: null });
  });

  it('stories asked for at once are held to the quota too', async () => {
    const fabula = await start({ QUOTA_STORIES: '3' });
    const names = Array.from({ length: 12 }, (_, index) => `S${index}`);
    const responses = await Promise.all(names.map((name) => importing(fabula, name, { A: STEP })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(9);
  });

  it('a tenant has so many schedules and no more', async () => {
    const fabula = await start({ QUOTA_SCHEDULES: '3' });
    const made = await importing(fabula, 'One', { A: scheduled(2) });
    expect(made.status).toBe(200);
    const refused = await importing(fabula, 'Two', { A: scheduled(2) });
    expect([refused.status, messageOf(refused.body)]).toEqual([429, expect.stringContaining('schedules')]);
    const { id } = made.body as { id: number };
    const { body } = await call(fabula, `GET /api/v1/stories/${id}/agents`);
    const agent = (body as { agents: { id: number }[] }).agents[0]!;
    const change = (count: number) =>
      call(fabula, `PUT /api/v1/agents/${agent.id}`, {
        body: { schedule: Array.from({ length: count }, (_, minute) => ({ cron: `${minute} * * * *` })) },
      });
    expect((await change(4)).status).toBe(429);
    expect((await change(3)).status).toBe(200);
    expect((await usedOf(fabula, 'schedules')).used).toBe(3);
  });

  it('a tenant has so many records, by API and by stories, and no more', async () => {
    const fabula = await start({ QUOTA_RECORDS: '3' }, WITH_WORKERS);
    const { team } = fabula.account;
    const type = await call(fabula, 'POST /api/v1/record_types', {
      body: { name: 'Alert', team_id: team.id, fields: [{ name: 'A', result_type: 'TEXT' }] },
    });
    const { id } = type.body as { id: number };
    const make = () =>
      call(fabula, 'POST /api/v1/records', { body: { record_type_id: id, field_values: [] } });
    const refused = await eventually(async () => {
      const response = await make();
      return response.status === 429 && response;
    });
    expect(messageOf(refused.body)).toMatch(/quota records is used up: \d+ of 3; delete some first/);
    const before = (await usedOf(fabula, 'records')).used;
    expect((await make()).status).toBe(429);

    const write: ShortAgent = [
      'Record',
      { mode: 'create', record_result_mode: '', record_type_id: '', record_writers: '' },
      {
        record_writers: [
          {
            formula: 'x',
            include_in_update: false,
            record_field: { id: 1, name: 'A', description: null, result_type: 'TEXT', fixed_values: [] },
          },
        ],
        record_type: {
          id: 1,
          name: 'Alert',
          editable: false,
          record_fields: [{ id: 1, name: 'A', description: null, result_type: 'TEXT', fixed_values: [] }],
        },
      },
    ];
    const story = await fabula.importStory(storyOf({ Receive: HOOK, Write: write }, ['Receive > Write']));
    await eventually(async () => {
      await fabula.fire(story.webhooks['Receive']!);
      return (await fabula.logs()).some(({ message }) => message.includes('quota records is used up'));
    });
    expect((await usedOf(fabula, 'records')).used).toBeLessThan(before + 30);
  });
});
