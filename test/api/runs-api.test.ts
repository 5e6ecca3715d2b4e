import { eventually } from '../support/eventually.js';
import { buildAccount } from '../support/builders.js';
import { startFabula } from '../support/fabula.js';
import { places, TIME } from '../support/manage-api.js';
import { agentIds, call, eventsIn, type RunResponse, runsOf, says, sorted } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOBODY = '00000000-0000-7000-8000-000000000000';

const small = storyOf({ Hook: ['Webhook', {}], Say: says({ n: '=hook.body.n' }) }, ['Hook > Say']);

/** Imports the story and fires its webhook with each body; gives the story's id and the runs' guids, oldest first. */
async function ran(data: ReturnType<typeof storyOf>, bodies: object[] = [{}]) {
  const story = await fabula.importStory(data);
  const guids: string[] = [];
  for (const body of bodies) {
    const response = await fabula.fire(story.webhooks['Hook']!, body);
    expect(response.status).toBe(201);
    guids.push(response.headers.get('x-service-story-run')!);
  }
  return { id: story.id, guids, hook: story.webhooks['Hook']! };
}

/** How a run is refused that no action can begin. */
const problem = (message: string) => [422, [{ message, details: 'agent_id' }]];

const detailsOf = async (id: number, guid: string, query = '') =>
  (await call(fabula, `GET /api/v1/stories/${id}/runs/${guid}${query}`)).body;
const start = (id: number, body: object = {}) =>
  call(fabula, `POST /api/v1/stories/${id}/runs`, { body: body as never });
const cancel = (id: number, guid: string) => call(fabula, `POST /api/v1/stories/${id}/runs/${guid}/cancel`);
const openDeliveries = () =>
  stores.db.read((session) =>
    session.rows<{ state: string; guid: string }>(
      "SELECT state, story_run_guid AS guid FROM deliveries WHERE state <> 'failed' ORDER BY id",
    ),
  );

/** The names under which public clients read times and counts of a run that has ended. */
const clientKeys = (actions: number, subject: string | null) => ({
  subject,
  start_time: TIME,
  end_time: TIME,
  duration: expect.any(Number),
  action_count: actions,
  story_mode: 'LIVE',
  draft_id: null,
  draft_name: null,
  cause: null,
  warnings: 0,
});

const FAILURE = 'option recipients is required';

describe('the list of runs', () => {
  it('shows each run, newest first, with how it stands', async () => {
    const { id, guids } = await ran(small, [{ n: 1 }, { n: 2 }]);
    await fabula.settled();
    const { body } = await call(fabula, `GET /api/v1/stories/${id}/runs`);
    const run = (guid: string, subject: string) => ({
      guid,
      story_id: id,
      source: 'webhook',
      status: 'completed',
      created_at: TIME,
      ended_at: TIME,
      cancelled_at: null,
      event_count: 2,
      ...clientKeys(2, subject),
    });
    expect(body).toEqual({
      story_runs: [run(guids[1]!, 'n: 2'), run(guids[0]!, 'n: 1')],
      meta: {
        current_page: `${fabula.url}/api/v1/stories/${id}/runs?page=1`,
        previous_page: null,
        next_page: null,
        next_page_number: null,
        per_page: 20,
        pages: 1,
        count: 2,
      },
    });
    expect(guids.every((guid) => GUID.test(guid))).toBe(true);
  });

  it('is given in pages that do not overlap, and a page past the end is empty', async () => {
    const { id, guids } = await ran(small, [{}, {}, {}]);
    await fabula.settled();
    const page = async (number: number) => {
      const { body } = await call(fabula, `GET /api/v1/stories/${id}/runs?per_page=2&page=${number}`);
      return { guids: body.story_runs.map((run: RunResponse) => run.guid), meta: body.meta };
    };
    expect((await page(1)).guids).toEqual([guids[2], guids[1]]);
    expect((await page(2)).guids).toEqual([guids[0]]);
    expect(await page(3)).toMatchObject({ guids: [], meta: { next_page: null, pages: 2, count: 3 } });
    expect((await page(1)).meta).toMatchObject({
      previous_page: null,
      next_page: expect.stringMatching(/\/runs\?per_page=2&page=2&cursor=\d+-\d+$/),
      next_page_number: 2,
    });
    expect((await call(fabula, `GET /api/v1/stories/${id}/runs?per_page=501`)).status).toBe(422);
    expect((await call(fabula, `GET /api/v1/stories/${id}/runs?page=0`)).status).toBe(422);
  });

  it('tells running, failed, cancelled and completed apart, and is narrowed by them', async () => {
    const story = storyOf(
      {
        Hook: ['Webhook', {}],
        Good: ['Trigger', { rules: [{ type: 'field==value', path: '=hook.body.k', value: 'good' }] }],
        Bad: ['Trigger', { rules: [{ type: 'field==value', path: '=hook.body.k', value: 'bad' }] }],
        Mail: ['Email', {}],
        Long: ['Trigger', { rules: [{ type: 'field==value', path: '=hook.body.k', value: 'long' }] }],
        Sleep: ['EventTransformation', { mode: 'delay', seconds: 3600 }],
      },
      ['Hook > Good', 'Hook > Bad > Mail', 'Hook > Long > Sleep'],
    );
    const { id, guids } = await ran(
      story,
      ['good', 'bad', 'long', 'long', 'bad'].map((k) => ({ k })),
    );
    const [good, bad, long, cancelled, badCancelled] = guids as [string, string, string, string, string];
    await eventually(async () => (await fabula.deadLetters()).length === 2);
    await eventually(async () => (await openDeliveries()).every(({ state }) => state === 'waiting'));
    await cancel(id, cancelled);
    await cancel(id, badCancelled);
    const found = async (query: string) => (await runsOf(fabula, id, query)).map(({ guid }) => guid);
    const status = new Map((await runsOf(fabula, id)).map((run) => [run.guid, run.status]));
    expect([good, bad, long, cancelled, badCancelled].map((guid) => status.get(guid))).toEqual([
      'completed',
      'failed',
      'running',
      'cancelled',
      'cancelled',
    ]);
    expect(await found('?status=completed')).toEqual([good]);
    expect(await found('?status=failed')).toEqual([bad]);
    expect(await found('?status=running')).toEqual([long]);
    await stores.sql("UPDATE deliveries SET state = 'held' WHERE story_run_guid = ?", [long]);
    expect(await found('?status=running')).toEqual([long]);
    expect(await found('?status=completed')).toEqual([good]);
    expect(await found('?status=cancelled')).toEqual([badCancelled, cancelled]);
    for (const [word, count] of Object.entries({ completed: 1, failed: 1, running: 1, cancelled: 2 })) {
      const { body } = await call(fabula, `GET /api/v1/stories/${id}/runs?status=${word}&per_page=1`);
      expect([word, body.meta.count, body.meta.pages]).toEqual([word, count, count]);
    }
    const runs = new Map((await runsOf(fabula, id)).map((run) => [run.guid, run]));
    expect(runs.get(long)).toMatchObject({ ended_at: null, cancelled_at: null });
    expect(runs.get(cancelled)).toMatchObject({ ended_at: TIME, cancelled_at: TIME });
    expect(runs.get(bad)).toMatchObject({ ended_at: TIME, cancelled_at: null });
  });

  it('is narrowed by where runs come from and by when they began', async () => {
    const { id, guids } = await ran(small, [{}, {}]);
    const started = (await start(id)).body.guid as string;
    await fabula.settled();
    const times = ['2026-01-01 10:00:00', '2026-01-02 10:00:00', '2026-01-03 10:00:00'];
    for (const [index, guid] of [...guids, started].entries())
      await stores.sql('UPDATE story_runs SET created_at = ? WHERE guid = ?', [times[index]!, guid]);
    const found = async (query: string) => (await runsOf(fabula, id, query)).map(({ guid }) => guid);
    expect(await found('?source=api')).toEqual([started]);
    expect(await found('?source=webhook')).toEqual([guids[1], guids[0]]);
    expect(await found('?source=schedule')).toEqual([]);
    expect(await found('?since=2026-01-02T10:00:00Z')).toEqual([started, guids[1]]);
    expect(await found('?until=2026-01-02T10:00:00Z')).toEqual([guids[0]]);
    expect(await found('?since=2026-01-02&until=2026-01-03&status=completed')).toEqual([guids[1]]);
    const wrong = await call(fabula, `GET /api/v1/stories/${id}/runs?status=odd&source=odd&since=odd&odd=1`);
    expect([wrong.status, places(wrong)]).toEqual([422, ['status', 'source', 'since', 'odd']]);
  });

  it('does not take a response that was given for the end of the run', async () => {
    const { id, hook } = await ran(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Answer: says({ a: 1 }),
          Sleep: ['EventTransformation', { mode: 'delay', seconds: 99 }],
        },
        ['Hook > Answer', 'Hook > Sleep'],
        { synchronous_webhooks_enabled: true, exit_agent_guids: ['Answer'] },
      ),
      [],
    );
    expect(await (await fabula.fire(hook)).json()).toEqual({ a: 1 });
    expect(await runsOf(fabula, id)).toMatchObject([{ status: 'running', ended_at: null }]);
  });

  it('is not to be seen from another team or another tenant', async () => {
    const { id } = await ran(small);
    await fabula.settled();
    const other = await buildAccount(stores.db, { tenantId: fabula.account.tenantId, role: 'TEAM_ADMIN' });
    const stranger = await buildAccount(stores.db, { owner: true });
    for (const as of [other, stranger]) {
      expect((await call(fabula, `GET /api/v1/stories/${id}/runs`, { as })).status).toBe(404);
    }
    expect((await call(fabula, 'GET /api/v1/stories/999999/runs')).status).toBe(404);
  });
});

describe('a run', () => {
  it('has a summary without its events, not to be seen from elsewhere', async () => {
    const { id, guids } = await ran(small, [{ n: 1 }]);
    await fabula.settled();
    const { body } = await call(fabula, `GET /api/v1/stories/${id}/runs`);
    const summary = `GET /api/v1/stories/${id}/runs/${guids[0]}/summary`;
    expect((await call(fabula, summary)).body).toEqual({ story_run: body.story_runs[0] });
    const stranger = await buildAccount(stores.db, { owner: true });
    expect((await call(fabula, summary, { as: stranger })).status).toBe(404);
  });

  it('of a draft is listed with the draft, and not with the story', async () => {
    const { id } = await ran(small);
    const { body: draft } = await call(fabula, `POST /api/v1/stories/${id}/drafts`, {
      body: { name: 'Try' },
    });
    const started = (await call(fabula, `POST /api/v1/stories/${draft.id}/runs`, { body: { payload: {} } }))
      .body;
    await fabula.settled();
    const listed = async (query: string) =>
      (await call(fabula, `GET /api/v1/stories/${id}/runs?${query}`)).body.story_runs;
    expect(await listed(`story_mode=TEST&draft_id=${draft.id}`)).toMatchObject([
      { guid: started.guid, story_mode: 'TEST', draft_id: draft.id, draft_name: 'Try', status: 'completed' },
    ]);
    expect(await listed('draft_id=')).toMatchObject([{ story_mode: 'LIVE', draft_id: null }]);
    expect((await call(fabula, `GET /api/v1/stories/${id}/runs?draft_id=999999`)).status).toBe(404);
  });

  it('shows its events in their order, what led to each, and how many lines were logged', async () => {
    const { id, guids } = await ran(
      storyOf({ Hook: ['Webhook', {}], Say: says({ n: '=hook.body.n' }), Mail: ['Email', {}] }, [
        'Hook > Say > Mail',
      ]),
      [{ n: 7 }],
    );
    await fabula.settled();
    const agents = await agentIds(fabula, id);
    const run = await detailsOf(id, guids[0]!);
    const [hook, say] = run.events;
    expect(await detailsOf(id, guids[0]!, '?exclude_payloads=true')).toMatchObject({
      events: [],
      story_run_events: run.story_run_events,
    });
    expect(run).toEqual({
      guid: guids[0],
      archived: false,
      story_id: id,
      source: 'webhook',
      status: 'failed',
      created_at: TIME,
      ended_at: TIME,
      cancelled_at: null,
      event_count: 2,
      ...clientKeys(2, 'n: 7'),
      cause: FAILURE,
      attempt_count: 1,
      attempts: [
        {
          id: expect.any(Number),
          delivery_id: run.dead_letters[0].id,
          agent_id: agents['Mail'],
          agent_name: 'Mail',
          event_id: say.id,
          number: 1,
          outcome: 'failed',
          started_at: expect.stringMatching(/Z$/),
          failed_at: expect.stringMatching(/Z$/),
          duration_ms: expect.any(Number),
          status: null,
          cause: FAILURE,
          error: FAILURE,
        },
      ],
      failure: expect.objectContaining({ dead_letter_id: run.dead_letters[0].id, cause: FAILURE }),
      story_run_events: run.events.map((event: Record<string, unknown>) => ({
        id: event['id'],
        action_id: event['agent_id'],
        action_name: event['agent_name'],
        previous_events_ids: event['previous_events_ids'],
        created_at: TIME,
        updated_at: TIME,
        emitted_at: expect.stringMatching(/^[\d-]{10}T[\d:]{8}\.\d{3}Z$/),
        work_ms: event['agent_id'] === agents['Say'] ? expect.any(Number) : null,
      })),
      input: null,
      log_count: 1,
      open_delivery_count: 0,
      open_deliveries: [],
      dead_letter_count: 1,
      dead_letters: [
        {
          id: expect.any(Number),
          agent_id: agents['Mail'],
          agent_name: 'Mail',
          event_id: say.id,
          attempts: 1,
          error: FAILURE,
          error_kind: FAILURE,
          cause: FAILURE,
          created_at: TIME,
          failed_at: TIME,
        },
      ],
      events: [
        {
          id: hook.id,
          story_id: id,
          story_run_guid: guids[0],
          agent_id: agents['Hook'],
          agent_name: 'Hook',
          previous_events_ids: [],
          previous_event_ids: [],
          user_id: fabula.account.user.id,
          updated_at: TIME,
          payload: { headers: expect.any(Object), body: { n: 7 } },
          incomplete: false,
          story_mode: 'LIVE',
          draft_id: null,
          created_at: TIME,
        },
        {
          id: say.id,
          story_id: id,
          story_run_guid: guids[0],
          agent_id: agents['Say'],
          agent_name: 'Say',
          previous_events_ids: [hook.id],
          previous_event_ids: [hook.id],
          user_id: fabula.account.user.id,
          updated_at: TIME,
          payload: { n: 7 },
          incomplete: false,
          story_mode: 'LIVE',
          draft_id: null,
          created_at: TIME,
        },
      ],
      meta: {
        current_page: `${fabula.url}/api/v1/stories/${id}/runs/${guids[0]}?page=1`,
        previous_page: null,
        next_page: null,
        next_page_number: null,
        per_page: 20,
        pages: 1,
        count: 2,
      },
    });
  });

  it('shows its events in pages', async () => {
    const { id, guids } = await ran(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Split: ['EventTransformation', { mode: 'explode', path: '=hook.body', to: 'x' }],
        },
        ['Hook > Split'],
      ),
      [[1, 2, 3, 4]],
    );
    await fabula.settled();
    const page = await detailsOf(id, guids[0]!, '?per_page=2&page=2');
    expect(page.events.map(({ payload }: { payload: { x: number } }) => payload.x)).toEqual([2, 3]);
    expect(page.meta).toMatchObject({ count: 5, pages: 3 });
    expect(page.event_count).toBe(5);
    expect((await detailsOf(id, guids[0]!, '?page=9')).events).toEqual([]);
  });

  it('shows what is left to do: what sleeps, and until when, and what is parked', async () => {
    const until = new Date(Date.now() + 864_000_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const { id, guids } = await ran(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Sleep: ['EventTransformation', { mode: 'delay', until }],
          Join: ['EventTransformation', { mode: 'implode', guid_path: 'g', size_path: 2 }],
        },
        ['Hook > Sleep', 'Hook > Join'],
      ),
    );
    await eventually(
      async () =>
        (await openDeliveries())
          .map(({ state }) => state)
          .toSorted()
          .join() === 'parked,waiting',
    );
    const {
      open_delivery_count: count,
      open_deliveries: open,
      dead_letters: dead,
      ...run
    } = await detailsOf(id, guids[0]!);
    expect([run.status, run.ended_at, count, dead]).toEqual(['running', null, 2, []]);
    const agents = await agentIds(fabula, id);
    const delivery = (agent: string, state: string, reason: string, until: string | null) => ({
      id: expect.any(Number),
      agent_id: agents[agent],
      agent_name: agent,
      event_id: run.events[0].id,
      attempts: 0,
      error: null,
      cause: null,
      created_at: TIME,
      queue: 'event-transformation',
      state,
      reason,
      waits_until: until,
    });
    expect(open).toEqual([
      delivery('Sleep', 'waiting', 'delay', until),
      delivery('Join', 'parked', 'group', null),
    ]);
  });

  it('names at most a hundred deliveries of a kind, and counts all of them', async () => {
    const { id, guids } = await ran(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Split: ['EventTransformation', { mode: 'explode', path: '=hook.body', to: 'x' }],
          Mail: ['Email', {}],
        },
        ['Hook > Split > Mail'],
      ),
      [Array.from({ length: 101 }, () => 1)],
    );
    await fabula.settled();
    const run = await detailsOf(id, guids[0]!);
    expect([run.dead_letter_count, run.dead_letters.length, run.log_count]).toEqual([101, 100, 101]);
  });

  it('still shows the events of an action that has been deleted, and of a story without events', async () => {
    const { id, guids } = await ran(small);
    await fabula.settled();
    await stores.sql("DELETE FROM agents WHERE name = 'Say'");
    expect((await detailsOf(id, guids[0]!)).events).toMatchObject([{}, { agent_name: null }]);
    await stores.sql('DELETE FROM events');
    expect(await detailsOf(id, guids[0]!)).toMatchObject({ status: 'completed', ended_at: null, events: [] });
  });

  it('is found by its guid in any letter case, in its own story only', async () => {
    const { id, guids } = await ran(small);
    const other = await fabula.importStory({ ...small, name: 'Other' });
    await fabula.settled();
    expect((await detailsOf(id, guids[0]!.toUpperCase())).guid).toBe(guids[0]);
    const missing = async (path: string) => (await call(fabula, `GET /api/v1/stories/${path}`)).status;
    expect(await missing(`${other.id}/runs/${guids[0]}`)).toBe(404);
    expect(await missing(`${id}/runs/${NOBODY}`)).toBe(404);
    expect(await missing(`${id}/runs/nonsense`)).toBe(404);
  });
});

describe('a run that is asked for', () => {
  it('begins at the first webhook, which emits the payload as it is', async () => {
    const story = await fabula.importStory(small);
    const { body } = await start(story.id, { payload: { body: { n: 5 } } });
    expect(body).toEqual({
      guid: expect.stringMatching(GUID),
      story_id: story.id,
      source: 'api',
      status: expect.stringMatching(/^(running|completed)$/),
      created_at: TIME,
      ended_at: body.status === 'running' ? null : TIME,
      cancelled_at: null,
      event_count: expect.any(Number),
      ...clientKeys(expect.any(Number), 'n: 5'),
      end_time: body.ended_at,
      duration: body.ended_at === null ? null : expect.any(Number),
    });
    await fabula.settled();
    const run = await detailsOf(story.id, body.guid);
    expect(run).toMatchObject({ status: 'completed', input: { body: { n: 5 } }, event_count: 2 });
    expect(run.events.map((event: { payload: unknown }) => event.payload)).toEqual([
      { body: { n: 5 } },
      { n: 5 },
    ]);
    expect(run.events[0].previous_events_ids).toEqual([]);
  });

  it('begins at the entry action of the story before any webhook, and at the action it names before that', async () => {
    const story = await fabula.importStory(
      storyOf({ Hook: ['Webhook', {}], Entry: says({ from: '=who' }), Named: says({ named: '=who' }) }, [], {
        entry_agent_guid: 'Entry',
      }),
    );
    const agents = await agentIds(fabula, story.id);
    await start(story.id, { payload: { who: 'me' } });
    await start(story.id, { agent_id: String(agents['Named']), payload: { who: 'you' } });
    await start(story.id, { agent_id: agents['Hook'] });
    await fabula.settled();
    expect((await fabula.events()).map(({ agent, payload }) => [agent, payload])).toEqual([
      ['Entry', { from: 'me' }],
      ['Named', { named: 'you' }],
      ['Hook', {}],
    ]);
  });

  it('begins at the first action that nothing leads to, where there is no webhook', async () => {
    const story = await fabula.importStory(
      storyOf({ Second: says({ s: 2 }), First: says({ f: 1 }) }, ['First > Second']),
    );
    expect((await start(story.id)).status).toBe(201);
    await fabula.settled();
    expect((await fabula.events()).map(({ agent }) => agent)).toEqual(['First', 'Second']);
  });

  it('is refused where no action can begin it', async () => {
    const story = await fabula.importStory(
      storyOf({ One: says({ s: 2 }), Two: says({ f: 1 }), Form: ['Form', {}] }, [
        'One > Two > One',
        'Two > Form',
      ]),
    );
    const other = await agentIds(fabula, (await fabula.importStory({ ...small, name: 'Other' })).id);
    const agents = await agentIds(fabula, story.id);
    const refused = async (body: object) => {
      const response = await start(story.id, body);
      return [response.status, response.body.errors];
    };
    expect(await refused({})).toEqual(
      problem('The story has no action that a run can start at; set "agent_id"'),
    );
    expect(await refused({ agent_id: other['Hook'] })).toEqual(
      problem('"agent_id" is not an action of this story'),
    );
    expect(await refused({ agent_id: 99_999_999 })).toEqual(
      problem('"agent_id" is not an action of this story'),
    );
    expect(await refused({ agent_id: agents['Form'] })).toEqual(
      problem('The action "Form" cannot run: pages and forms are not shown by this server'),
    );
    const both = await start(story.id, { agent_id: other['Hook'], payload: [1], odd: 1 });
    expect([both.status, sorted(places(both) as string[])]).toEqual([422, ['agent_id', 'odd', 'payload']]);
    expect(await runsOf(fabula, story.id)).toEqual([]);
  });

  it('is a conflict while the story or the action is disabled, from the very next call', async () => {
    const story = await fabula.importStory(small);
    const agents = await agentIds(fabula, story.id);
    const set = (path: string, disabled: boolean) =>
      call(fabula, `PATCH /api/v1/${path}`, { body: { disabled } });
    const responses: number[] = [];
    const attempt = async () => responses.push((await start(story.id)).status);
    await set(`stories/${story.id}`, true);
    await attempt();
    await set(`stories/${story.id}`, false);
    await attempt();
    await set(`agents/${agents['Hook']}`, true);
    await attempt();
    await set(`agents/${agents['Hook']}`, false);
    await attempt();
    expect(responses).toEqual([409, 201, 409, 201]);
    await fabula.settled();
  });

  it('is for those who may write in the team', async () => {
    const story = await fabula.importStory(small);
    const viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
    const stranger = await buildAccount(stores.db, { owner: true });
    const status = async (as: typeof viewer, body: object) =>
      (await call(fabula, `POST /api/v1/stories/${story.id}/runs`, { as, body: body as never })).status;
    expect(await status(viewer, {})).toBe(403);
    expect(await status(stranger, {})).toBe(404);
    // Before anything is said of the body.
    expect(await status(viewer, { odd: 1 })).toBe(403);
    expect(await status(stranger, { odd: 1 })).toBe(404);
  });

  it('starts once when the answer to COMMIT is lost, and not at all while the database is away', async () => {
    const story = await fabula.importStory(small);
    const proxy = await startTcpProxy(stores.databaseUrl);
    const behind = await startFabula(stores, { env: { DATABASE_URL: proxy.url }, queues: [], relay: false });
    const startBehind = () =>
      call(behind, `POST /api/v1/stories/${story.id}/runs`, { as: fabula.account, body: {} });
    await call(behind, `GET /api/v1/stories/${story.id}`, { as: fabula.account });
    proxy.swallowCommits(1);
    const { status, body } = await startBehind();
    expect([status, proxy.swallowed()]).toEqual([201, 1]);
    expect((await runsOf(fabula, story.id)).map(({ guid }) => guid)).toEqual([body.guid]);
    expect(await openDeliveries()).toMatchObject([{ guid: body.guid }]);
    proxy.cut();
    expect((await startBehind()).status).toBe(503);
    proxy.restore();
    await behind.close();
    await proxy.close();
    expect(await runsOf(fabula, story.id)).toHaveLength(1);
  });

  it('is refused when its payload is larger than the database can take', async () => {
    const story = await fabula.importStory(small);
    const { maxAllowedPacket } = await stores.db.facts();
    const payload = { text: 'x'.repeat(Math.min(maxAllowedPacket / 2, 11 * 1024 * 1024)) };
    expect((await start(story.id, { payload })).status).toBe(413);
    expect(await runsOf(fabula, story.id)).toEqual([]);
  });

  it('is written down as a write to its story', async () => {
    const story = await fabula.importStory(small);
    const { body: run } = await start(story.id);
    await fabula.settled();
    await cancel(story.id, run.guid);
    const { body } = await call(fabula, 'GET /api/v1/audit_logs?target_type=story');
    expect(body.audit_logs).toMatchObject([
      {
        action: 'story.cancel_run',
        target_id: story.id,
        path: `/api/v1/stories/${story.id}/runs/${run.guid}/cancel`,
      },
      { action: 'story.run', target_id: story.id },
      { action: 'story.import', target_id: story.id },
    ]);
  });
});

describe('cancelling', () => {
  it('stops a story that goes round in a loop', async () => {
    const { id, guids } = await ran(
      storyOf(
        {
          Hook: ['Webhook', {}],
          There: says({ on: 'and on' }),
          Back: ['EventTransformation', { mode: 'delay', seconds: 0 }],
        },
        ['Hook > There > Back > There'],
      ),
    );
    await eventually(async () => (await runsOf(fabula, id))[0]!.event_count > 20);
    expect((await runsOf(fabula, id))[0]!.status).toBe('running');
    const { body } = await cancel(id, guids[0]!);
    expect(body).toMatchObject({ guid: guids[0], status: 'cancelled', cancelled_at: TIME, ended_at: TIME });
    // Work under way at that moment may still have emitted an event, but it has no effect.
    await fabula.settled();
    const { event_count: count } = (await runsOf(fabula, id))[0]!;
    const again = await cancel(id, guids[0]!);
    expect(again.body).toMatchObject({
      status: 'cancelled',
      cancelled_at: body.cancelled_at,
      event_count: count,
    });
  });

  it('takes away what sleeps and what is parked, of this run only', async () => {
    const story = storyOf(
      {
        Hook: ['Webhook', {}],
        Sleep: ['EventTransformation', { mode: 'delay', seconds: 3600 }],
        Join: ['EventTransformation', { mode: 'implode', guid_path: 'g', size_path: 3 }],
      },
      ['Hook > Sleep', 'Hook > Join'],
    );
    const { id, guids } = await ran(story, [{}, {}]);
    await eventually(async () => (await openDeliveries()).every(({ state }) => state !== 'pending'));
    await cancel(id, guids[0]!);
    expect((await openDeliveries()).map(({ guid }) => guid)).toEqual([guids[1], guids[1]]);
    expect(await stores.db.read((session) => session.rows('SELECT * FROM implode_items'))).toHaveLength(1);
    await cancel(id, guids[1]!);
  });

  const caller = storyOf(
    { Hook: ['Webhook', {}], Ask: ['SendToStory', { story: '<<STORY.helper>>', payload: {} }] },
    ['Hook > Ask'],
    { name: 'Caller' },
  );
  const helper = storyOf(
    { Start: ['Webhook', {}], Sleep: ['EventTransformation', { mode: 'delay', seconds: 3600 }] },
    ['Start > Sleep'],
    { name: 'Helper', send_to_story_enabled: true, entry_agent_guid: 'Start', exit_agent_guids: ['Sleep'] },
  );

  async function called() {
    const child = await fabula.importStory(helper);
    const parent = await ran(caller);
    await eventually(
      async () =>
        (await openDeliveries())
          .map(({ state }) => state)
          .toSorted()
          .join() === 'parked,waiting',
    );
    const [childRun] = await runsOf(fabula, child.id);
    return { parent, child: { id: child.id, guid: childRun!.guid } };
  }

  it('takes the runs that it has called with it', async () => {
    const { parent, child } = await called();
    await cancel(parent.id, parent.guids[0]!);
    expect(await openDeliveries()).toEqual([]);
    expect(await runsOf(fabula, child.id)).toMatchObject([{ source: 'send_to_story', status: 'cancelled' }]);
  });

  it('of a called run lets its caller end', async () => {
    const { parent, child } = await called();
    await cancel(child.id, child.guid);
    expect((await openDeliveries()).map(({ state }) => state)).toEqual(['parked']);
    await stores.sql("UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'parked'");
    await fabula.inner.sweepParked();
    expect(await runsOf(fabula, parent.id)).toMatchObject([{ status: 'completed' }]);
  });

  it('lets go a caller of the webhook that waits for the response', async () => {
    const { id, hook } = await ran(
      storyOf(
        {
          Hook: ['Webhook', { response: 'later' }],
          Sleep: ['EventTransformation', { mode: 'delay', seconds: 99 }],
        },
        ['Hook > Sleep'],
        { synchronous_webhooks_enabled: true, exit_agent_guids: ['Sleep'] },
      ),
      [],
    );
    const response = fabula.fire(hook);
    const [run] = await eventually(async () => {
      const runs = await runsOf(fabula, id);
      return runs.length === 1 ? runs : undefined;
    });
    await cancel(id, run!.guid);
    expect(await (await response).text()).toBe('later');
  });

  it('is for a run that is there, and for those who may write in its team', async () => {
    const { id, guids } = await ran(small);
    await fabula.settled();
    const viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
    const path = (guid: string) => `POST /api/v1/stories/${id}/runs/${guid}/cancel`;
    expect((await call(fabula, path(NOBODY))).status).toBe(404);
    expect((await call(fabula, path(guids[0]!), { as: viewer })).status).toBe(403);
    expect((await call(fabula, path(guids[0]!), { body: { odd: 1 } })).status).toBe(422);
    expect((await runsOf(fabula, id))[0]!.status).toBe('completed');
  });

  it('leaves the events that are there', async () => {
    const { id, guids } = await ran(small);
    await fabula.settled();
    await cancel(id, guids[0]!);
    expect(await eventsIn(fabula, `?story_run_guid=${guids[0]}`)).toHaveLength(2);
    expect((await runsOf(fabula, id))[0]).toMatchObject({ status: 'cancelled', event_count: 2 });
  });
});
