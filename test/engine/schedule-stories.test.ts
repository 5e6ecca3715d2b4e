import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { places, useManageApi } from '../support/manage-api.js';
import { realExports, type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

interface ScheduleRow {
  agent: string;
  cron: string;
  timezone: string;
  nextAt: Date;
  ahead: number;
}

const schedules = () =>
  stores.db.read((session) =>
    session.rows<ScheduleRow>(
      `SELECT a.name AS agent, s.cron, s.timezone, s.next_at AS nextAt, s.next_at > NOW(3) AS ahead
       FROM schedules s JOIN agents a ON a.id = s.agent_id AND a.story_id = s.story_id ORDER BY a.name, s.cron`,
    ),
  );
const listed = async () =>
  (await schedules()).map(({ agent, cron, timezone }) => `${agent}: ${cron} (${timezone})`);
const count = async () =>
  (await stores.db.read((session) => session.rows('SELECT id FROM schedules'))).length;

const message = (schedule?: JsonValue): ShortAgent => [
  'EventTransformation',
  { mode: 'message_only', payload: { a: 1 } },
  schedule === undefined ? {} : { schedule },
];

async function withAccount() {
  const account = await buildAccount(stores.db);
  const call = (request: string, body?: unknown) => api.call(account.key, request, body);
  return {
    call,
    importStory: (data: JsonObject, overrides: JsonObject = {}) =>
      call('POST /api/v1/stories/import', {
        new_name: 'Scheduled',
        data,
        team_id: account.team.id,
        ...overrides,
      }),
  };
}

describe('an import', () => {
  test('stores the schedules of the story and of those embedded in it, each with its next time', async () => {
    const { importStory } = await withAccount();
    const embedded = { ...storyOf({ Sub: message('noon') }, []), name: 'Sub-story' };
    const { status, body } = await importStory(
      storyOf(
        {
          A: message('every_1d'),
          B: message([{ cron: '0 9 * * *', timezone: 'Europe/Dublin' }, 'every_5m']),
          C: message('never'),
          D: message(null),
          E: message(),
        },
        [],
        { send_to_stories: [embedded] },
      ),
    );
    expect([status, body.warnings]).toEqual([200, undefined]);
    expect(await listed()).toEqual([
      'A: 0 0 * * * (UTC)',
      'B: */5 * * * * (UTC)',
      'B: 0 9 * * * (Europe/Dublin)',
      'Sub: 0 12 * * * (UTC)',
    ]);
    expect((await schedules()).map(({ ahead }) => ahead)).toEqual([1, 1, 1, 1]);
  });

  test('warns of schedules that start nothing, and stores all else', async () => {
    const { importStory, call } = await withAccount();
    const { status, body } = await importStory(
      storyOf(
        {
          Hook: ['Webhook', { path: 'hook' }, { schedule: 'every_1h' }],
          Quiet: ['Webhook', { path: 'quiet' }, { schedule: 'never' }],
          A: message(['tomorrow', 'noon', { cron: '* * * * * *', timezone: 'Mars' }]),
        },
        [],
      ),
    );
    expect(status).toBe(200);
    expect(body.warnings).toEqual([
      '"Hook" of "Scheduled" is a webhook, which is started by requests: its schedule was stored but has no effect',
      expect.stringMatching(
        /^"A" of "Scheduled": "schedule\[0\]" is not a schedule .*; it was stored but has no effect$/,
      ),
      expect.stringContaining('"schedule[2].cron" must have five fields'),
      expect.stringContaining('"schedule[2].timezone" is not an IANA time zone'),
    ]);
    expect(await listed()).toEqual(['A: 0 12 * * * (UTC)']);
    const exported = (await call(`GET /api/v1/stories/${body.id}/export`)).body;
    expect(exported.agents.map(({ schedule }: JsonObject) => schedule)).toEqual([
      'every_1h',
      'never',
      ['tomorrow', 'noon', { cron: '* * * * * *', timezone: 'Mars' }],
    ]);
  });

  test('is refused for what no schedule can be, and for too many, and leaves nothing', async () => {
    const { importStory } = await withAccount();
    const embedded = { ...storyOf({ Sub: message({ cron: 5 }) }, []), name: 'Sub-story' };
    const wrong = await importStory(
      storyOf({ A: message(5), B: message([{}, 'noon']), C: message('every_1d') }, [], {
        send_to_stories: [embedded],
      }),
    );
    expect([wrong.status, places(wrong)]).toEqual([
      422,
      [
        'data.agents[0].schedule',
        'data.agents[1].schedule[0].cron',
        'data.send_to_stories[0].agents[0].schedule.cron',
      ],
    ]);
    const agents = Array.from({ length: 26 }, (_, index) => [
      `A${index}`,
      message(Array.from({ length: 20 }, (_each, minute) => ({ cron: `${minute} * * * *` }))),
    ]);
    const tooMany = await importStory(storyOf(Object.fromEntries(agents) as Record<string, ShortAgent>, []));
    expect([tooMany.status, places(tooMany)]).toEqual([422, ['data']]);
    expect(await count()).toBe(0);
  });

  test('of a new version leaves the next time of what is as it was, and goes by what has changed', async () => {
    const { importStory } = await withAccount();
    await importStory(
      storyOf({ A: message(['every_1h', 'noon']), B: message('every_1h'), C: message('1am') }, []),
    );
    await stores.sql('UPDATE schedules SET next_at = NOW(3) + INTERVAL 7 SECOND, last_at = NOW(3)');
    const before = await schedules();
    const again = storyOf({ A: message(['every_1h', '1pm']), B: message('every_1h'), D: message('2am') }, []);
    const { status } = await importStory(again, { mode: 'versionReplace' });
    expect(status).toBe(200);
    expect(await listed()).toEqual([
      'A: 0 * * * * (UTC)',
      'A: 0 13 * * * (UTC)',
      'B: 0 * * * * (UTC)',
      'D: 0 2 * * * (UTC)',
    ]);
    const after = await schedules();
    expect([after[0]!.nextAt, after[2]!.nextAt]).toEqual([before[0]!.nextAt, before[2]!.nextAt]);
    expect(after[1]!.nextAt.getTime() % 3_600_000).toBe(0);
    expect(await count()).toBe(4);
  });

  const exports = realExports();
  (exports.length > 0 ? test : test.skip)(
    'of the real exports warns of no schedule and stores those there are (skipped where they are missing)',
    async () => {
      const { importStory } = await withAccount();
      const files = ['v30-scheduled-heartbeat.json', 'v03-azure-sentinel.json'];
      for (const [file, text] of exports.filter(([name]) => files.includes(name))) {
        const { body } = await importStory(JSON.parse(text) as JsonObject, { new_name: file });
        const warnings = (body.warnings ?? []) as string[];
        expect(warnings.filter((warning) => warning.includes('schedule'))).toEqual([]);
      }
      expect(await count()).toBeGreaterThan(0);
    },
  );
});

async function withAction(schedule?: JsonValue) {
  const account = await withAccount();
  const { body: story } = await account.importStory(
    storyOf({ A: message(schedule), Hook: ['Webhook', { path: 'hook' }], B: message('every_1d') }, []),
  );
  const [action, hook] = (await account.call(`GET /api/v1/stories/${story.id}/agents`)).body.agents;
  return { ...account, story, action, hook, path: `/api/v1/agents/${action.id}` };
}

describe('an action', () => {
  test('shows its schedule as it came, null where there is none', async () => {
    const list = [{ cron: '0 9 * * *', timezone: 'Europe/Dublin' }];
    expect((await withAction(list)).action.schedule).toEqual(list);
    expect((await withAction()).action.schedule).toBeNull();
  });

  test.each<[JsonValue, string[]]>([
    ['every_5m', ['A: */5 * * * * (UTC)']],
    [{ cron: '0 9 * * 1-5', timezone: 'Europe/Dublin' }, ['A: 0 9 * * 1-5 (Europe/Dublin)']],
    [
      ['noon', { cron: '0 9 * * *', timezone: null }],
      ['A: 0 12 * * * (UTC)', 'A: 0 9 * * * (UTC)'],
    ],
    [[], []],
    [null, []],
    ['never', []],
  ])(
    'gets the schedule %j, the export shows it, and other actions keep theirs',
    async (schedule, expected) => {
      const { call, path, story } = await withAction('every_1h');
      const { status, body } = await call(`PUT ${path}`, { schedule });
      expect([status, body.schedule]).toEqual([200, schedule]);
      expect(await listed()).toEqual([...expected, 'B: 0 0 * * * (UTC)']);
      const exported = (await call(`GET /api/v1/stories/${story.id}/export`)).body;
      expect(exported.agents[0].schedule).toEqual(schedule);
    },
  );

  test('keeps its schedule, and the next time of it, where an update names none or the same', async () => {
    const { call, path } = await withAction('every_1h');
    await stores.sql('UPDATE schedules SET next_at = NOW(3) + INTERVAL 7 SECOND');
    const before = await schedules();
    expect((await call(`PUT ${path}`, { options: { mode: 'message_only' } })).body.schedule).toBe('every_1h');
    await call(`PATCH ${path}`, { schedule: 'every_1h' });
    expect((await schedules()).map(({ nextAt }) => nextAt)).toEqual(before.map(({ nextAt }) => nextAt));
  });

  test.each<[JsonValue, string[]]>([
    [5, ['schedule']],
    ['tomorrow', ['schedule']],
    [{ cron: '61 * * * *', timezone: 'Mars' }, ['schedule.cron', 'schedule.timezone']],
    [{ timezone: 'UTC' }, ['schedule.cron']],
    [{ cron: '* * * * *', every: 5 }, ['schedule.every']],
    [['noon', { cron: '*/5 * * * * *' }], ['schedule[1].cron']],
    [Array.from({ length: 21 }, () => 'noon'), ['schedule']],
  ])('does not get the schedule %j', async (schedule, expected) => {
    const { call, path } = await withAction('every_1h');
    const response = await call(`PUT ${path}`, { schedule });
    expect([response.status, places(response)]).toEqual([422, expected]);
    expect(await listed()).toEqual(['A: 0 * * * * (UTC)', 'B: 0 0 * * * (UTC)']);
  });

  test('that is a webhook gets none', async () => {
    const { call, hook } = await withAction();
    const response = await call(`PUT /api/v1/actions/${hook.id}`, { schedule: 'noon' });
    expect([response.status, places(response)]).toEqual([422, ['schedule']]);
    expect((await call(`PUT /api/v1/actions/${hook.id}`, { schedule: null })).status).toBe(200);
  });

  test('and its schedules go with their story', async () => {
    const { call, story } = await withAction('every_1h');
    expect(await count()).toBe(2);
    expect((await call(`DELETE /api/v1/stories/${story.id}`)).status).toBe(204);
    expect(await count()).toBe(0);
  });
});
