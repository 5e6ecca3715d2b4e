import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { places, TIME } from '../support/manage-api.js';
import { agentIds, call, type EventResponse, eventsIn, runsOf, says, sorted } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

/** Two actions in a row, and two that hear the second. */
const fan = storyOf(
  {
    Hook: ['Webhook', { include_headers: false }],
    Say: says({ n: '=hook.n' }),
    Left: says({ left: '=say.n' }),
    Right: says({ right: '=say.n' }),
  },
  ['Hook > Say > Left', 'Say > Right'],
);

async function ran(data: ReturnType<typeof storyOf>, bodies: object[] = [{ n: 1 }]) {
  const story = await fabula.importStory(data);
  const guids: string[] = [];
  for (const body of bodies) {
    const response = await fabula.fire(story.webhooks['Hook']!, body);
    guids.push(response.headers.get('x-service-story-run')!);
    await fabula.settled();
  }
  return { id: story.id, guids, agents: await agentIds(fabula, story.id) };
}

const get = (id: number, query = '') => call(fabula, `GET /api/v1/events/${id}${query}`);
const reemit = (id: number) => call(fabula, `POST /api/v1/events/${id}/reemit`);
/** Events of each action, newest first. */
const outputs = async (query = '') =>
  (await eventsIn(fabula, query)).map(({ agent_name: agent, payload }) => [agent ?? '', payload] as const);
const eventOf = async (agent: string, query = '') =>
  (await eventsIn(fabula, query)).find(({ agent_name: name }) => name === agent)!;

const after = (ids: number[]) => ({ previous_events_ids: ids, previous_event_ids: ids });

describe('the list of events', () => {
  it('shows each event with its own output and what led to it, newest first', async () => {
    const { id, guids, agents } = await ran(
      storyOf({ Hook: ['Webhook', { include_headers: false }], Say: says({ n: '=hook.n' }) }, ['Hook > Say']),
    );
    const { body } = await call(fabula, 'GET /api/v1/events');
    const [say, hook] = body.events as [EventResponse, EventResponse];
    const event = (eventId: number, agent: string) => ({
      id: eventId,
      user_id: fabula.account.user.id,
      story_id: id,
      story_run_guid: guids[0],
      agent_id: agents[agent],
      agent_name: agent,
      incomplete: false,
      story_mode: 'LIVE',
      draft_id: null,
      created_at: TIME,
      updated_at: TIME,
      payload: { n: 1 },
    });
    expect(body).toEqual({
      events: [
        { ...event(say.id, 'Say'), ...after([hook.id]) },
        { ...event(hook.id, 'Hook'), ...after([]) },
      ],
      meta: {
        current_page: `${fabula.url}/api/v1/events?page=1`,
        previous_page: null,
        next_page: null,
        next_page_number: null,
        per_page: 20,
        pages: 1,
        count: 2,
      },
    });
    expect(say.id).toBeGreaterThan(hook.id);
  });

  it('shows all that the receivers see when it is asked to', async () => {
    await ran(fan);
    const seen = await outputs('?exclude_previous_event_payloads=false');
    expect(Object.fromEntries(seen)).toEqual({
      Hook: { hook: { n: 1 } },
      Say: { hook: { n: 1 }, say: { n: 1 } },
      Left: { hook: { n: 1 }, say: { n: 1 }, left: { left: 1 } },
      Right: { hook: { n: 1 }, say: { n: 1 }, right: { right: 1 } },
    });
  });

  it('is narrowed by story, action, run and ids, all of which must hold', async () => {
    const one = await ran(fan, [{ n: 1 }, { n: 2 }]);
    const two = await ran({ ...fan, name: 'Two' }, [{ n: 3 }]);
    const ofTwo = await outputs(`?story_id=${two.id}`);
    expect(new Map(ofTwo.slice(0, 2))).toEqual(
      new Map([
        ['Left', { left: 3 }],
        ['Right', { right: 3 }],
      ]),
    );
    expect(ofTwo.slice(2)).toEqual([
      ['Say', { n: 3 }],
      ['Hook', { n: 3 }],
    ]);
    const says = [
      ['Say', { n: 2 }],
      ['Say', { n: 1 }],
    ];
    const say = one.agents['Say']!;
    expect(await outputs(`?agent_id=${say}`)).toEqual(says);
    expect(await outputs(`?action_id=${say}`)).toEqual(says);
    expect(await outputs(`?action_id=${say}&agent_id=${say}&story_id=${one.id}`)).toEqual(says);
    expect(await outputs(`?action_id=${say}&agent_id=${one.agents['Hook']}`)).toEqual([]);
    expect(await outputs(`?agent_id=${say}&story_id=${two.id}`)).toEqual([]);
    expect(await outputs(`?agent_id=${say}&story_run_guid=${one.guids[0]}`)).toEqual([['Say', { n: 1 }]]);
    expect(await outputs(`?story_run_guid=${one.guids[0]!.toUpperCase()}`)).toHaveLength(4);
    expect(await outputs(`?story_run_guid=${one.guids[0]}&story_id=${two.id}`)).toEqual([]);
    expect(await outputs('?story_run_guid=00000000-0000-7000-8000-000000000000')).toEqual([]);
    const all = (await eventsIn(fabula, '')).map(({ id }) => id);
    expect(all).toHaveLength(12);
    const ids = async (query: string) => (await eventsIn(fabula, query)).map(({ id }) => id);
    expect(await ids(`?since_id=${all[3]}`)).toEqual(all.slice(0, 3));
    expect(await ids(`?until_id=${all[3]}`)).toEqual(all.slice(3));
    expect(await ids(`?since_id=${all[9]}&until_id=${all[3]}&story_id=${one.id}`)).toEqual(all.slice(4, 9));
    expect(await ids('?since_id=0')).toEqual(all);
  });

  it('is given in pages that do not overlap, with every other parameter kept', async () => {
    const { id } = await ran(fan, [{ n: 1 }, { n: 2 }]);
    for (const query of ['', `story_id=${id}&`]) {
      const pages: number[] = [];
      for (let page = 1; page <= 3; page++) {
        const found = await eventsIn(fabula, `?${query}per_page=3&page=${page}`);
        pages.push(...found.map((event) => event.id));
      }
      expect(pages).toEqual((await eventsIn(fabula, '')).map((event) => event.id));
    }
    const { body } = await call(fabula, `GET /api/v1/events?story_id=${id}&per_page=3&page=3`);
    expect(body).toMatchObject({
      events: [{}, {}],
      meta: {
        previous_page: `${fabula.url}/api/v1/events?story_id=${id}&per_page=3&page=2`,
        next_page: null,
        next_page_number: null,
        pages: 3,
        count: 8,
      },
    });
    expect(await eventsIn(fabula, '?page=4&per_page=3')).toEqual([]);
  });

  it('leaves the inputs of runs out', async () => {
    const { id } = await ran(fan, []);
    const { body: run } = await call(fabula, `POST /api/v1/stories/${id}/runs`, {
      body: { payload: { n: 9 } },
    });
    await fabula.settled();
    for (const query of ['', `?story_id=${id}`, `?story_run_guid=${run.guid}`]) {
      expect(sorted((await outputs(query)).map(([agent]) => agent))).toEqual([
        'Hook',
        'Left',
        'Right',
        'Say',
      ]);
    }
    const rows = await stores.db.read((session) =>
      session.rows<{ id: number }>('SELECT id FROM events WHERE agent_id = 0'),
    );
    expect(rows).toHaveLength(1);
    expect((await get(rows[0]!.id)).status).toBe(404);
    expect((await reemit(rows[0]!.id)).status).toBe(404);
  });

  it('names everything that is wrong with its query, and knows nothing that is out of sight', async () => {
    const { id, agents, guids } = await ran(fan);
    const wrong = await call(
      fabula,
      'GET /api/v1/events?story_run_guid=odd&since_id=-1&until_id=0&odd=1&page=0',
    );
    expect([wrong.status, sorted(places(wrong) as string[])]).toEqual([
      422,
      ['odd', 'page', 'since_id', 'story_run_guid', 'until_id'],
    ]);
    const other = await buildAccount(stores.db, { tenantId: fabula.account.tenantId, role: 'TEAM_ADMIN' });
    const stranger = await buildAccount(stores.db, { owner: true });
    for (const as of [other, stranger]) {
      const status = async (query: string) =>
        (await call(fabula, `GET /api/v1/events${query}`, { as })).status;
      expect([await status(`?story_id=${id}`), await status(`?agent_id=${agents['Say']}`)]).toEqual([
        404, 404,
      ]);
      for (const query of ['', `?story_run_guid=${guids[0]}`]) {
        const { body } = await call(fabula, `GET /api/v1/events${query}`, { as });
        expect([body.events, body.meta.count]).toEqual([[], 0]);
      }
    }
  });

  it('finds the events of a team among many of others, wherever they are', async () => {
    const { id, agents, guids } = await ran(fan);
    const seen = (await eventsIn(fabula, '')).map((event) => event.id);
    const filler = (count: number, story: number) =>
      stores.sql(
        `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage)
         SELECT ?, ?, ?, '1', '{"a":0}' FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
        [guids[0]!, story, agents['Say']!, JSON.stringify(Array.from({ length: count }, () => 1))],
      );
    await filler(3_000, id + 1_000);
    expect((await eventsIn(fabula, '')).map((event) => event.id)).toEqual(seen);
    await filler(3_000, id);
    const all = (await call(fabula, 'GET /api/v1/events?per_page=2&page=1502')).body;
    expect([all.events.map((event: EventResponse) => event.id), all.meta.count]).toEqual([
      seen.slice(2),
      3_004,
    ]);
  });

  it('leaves out payloads that would make the response too large', async () => {
    const { id } = await ran(fan);
    const large = JSON.stringify('x'.repeat(9 * 1024 * 1024));
    await stores.sql(
      "UPDATE events e JOIN agents a ON a.id = e.agent_id SET e.payload = ? WHERE a.name IN ('Hook', 'Say')",
      [large],
    );
    const events = await eventsIn(fabula, `?story_id=${id}`);
    expect(
      events.map(({ agent_name: agent, payload, incomplete }) => [agent, typeof payload, incomplete]),
    ).toEqual([
      [expect.any(String), 'object', false],
      [expect.any(String), 'object', false],
      ['Say', 'string', false],
      ['Hook', 'object', true],
    ]);
    expect(events[3]!.payload).toBeNull();
    const alone = await get(events[3]!.id, '?exclude_previous_event_payloads=true');
    expect([alone.body.payload.length, alone.body.incomplete]).toEqual([9 * 1024 * 1024, false]);
  });
});

describe('an event', () => {
  it('shows all that its receivers see, oldest first, or its own output alone', async () => {
    const { id, guids, agents } = await ran(fan, [{ n: 4 }]);
    const left = await eventOf('Left');
    const [hook, say] = left.previous_events_ids;
    const { body } = await get(left.id);
    expect(body).toEqual({
      id: left.id,
      user_id: fabula.account.user.id,
      story_id: id,
      story_run_guid: guids[0],
      agent_id: agents['Left'],
      agent_name: 'Left',
      previous_events_ids: [hook, say],
      previous_event_ids: [hook, say],
      payload: { hook: { n: 4 }, say: { n: 4 }, left: { left: 4 } },
      incomplete: false,
      story_mode: 'LIVE',
      draft_id: null,
      created_at: TIME,
      updated_at: TIME,
    });
    expect(Object.keys(body.payload)).toEqual(['hook', 'say', 'left']);
    expect((await get(left.id, '?exclude_previous_event_payloads=true')).body).toEqual({
      ...body,
      payload: { left: 4 },
    });
    expect((await get(left.id, '?exclude_previous_event_payloads=false')).body).toEqual(body);
    expect((await get(left.id, '?exclude_previous_event_payloads=odd')).status).toBe(422);
  });

  it('lacks the keys of what retention has taken, and says so', async () => {
    await ran(fan, [{ n: 4 }]);
    const left = await eventOf('Left');
    await stores.sql('DELETE FROM events WHERE id = ?', [left.previous_events_ids[0]!]);
    const { body } = await get(left.id);
    expect([body.payload, body.incomplete]).toEqual([{ say: { n: 4 }, left: { left: 4 } }, true]);
    expect((await get(left.id, '?exclude_previous_event_payloads=true')).body.incomplete).toBe(false);
  });

  it('keeps the order of keys, and keys that are no names', async () => {
    await ran(fan, [{ zebra: 1, apple: { __proto__x: 2 }, '10': 3, '': 4 }]);
    const { body } = await get((await eventOf('Hook')).id, '?exclude_previous_event_payloads=true');
    expect(JSON.stringify(body.payload)).toBe('{"10":3,"zebra":1,"apple":{"__proto__x":2},"":4}');
  });

  it('is not to be seen from another team or another tenant', async () => {
    await ran(fan);
    const { id } = await eventOf('Say');
    const other = await buildAccount(stores.db, { tenantId: fabula.account.tenantId, role: 'TEAM_ADMIN' });
    const stranger = await buildAccount(stores.db, { owner: true });
    for (const as of [other, stranger]) {
      expect((await call(fabula, `GET /api/v1/events/${id}`, { as })).status).toBe(404);
      expect((await call(fabula, `POST /api/v1/events/${id}/reemit`, { as })).status).toBe(404);
    }
    expect((await get(99_999_999)).status).toBe(404);
    expect((await call(fabula, 'GET /api/v1/events/odd')).status).toBe(404);
  });
});

describe('an event that is emitted once more', () => {
  it('is a new event of the same run with the same past, and reaches each receiver once', async () => {
    const { guids } = await ran(fan, [{ n: 4 }]);
    const say = await eventOf('Say');
    const { body } = await reemit(say.id);
    expect(body).toEqual({
      ...say,
      id: expect.any(Number),
      created_at: TIME,
      updated_at: TIME,
      payload: { hook: { n: 4 }, say: { n: 4 } },
    });
    expect(body.id).toBeGreaterThan(say.id);
    await fabula.settled();
    expect(await outputs(`?since_id=${body.id}&story_run_guid=${guids[0]}`)).toEqual(
      expect.arrayContaining([
        ['Left', { left: 4 }],
        ['Right', { right: 4 }],
      ]),
    );
    expect(await outputs()).toHaveLength(7);
    const [right] = await eventsIn(fabula, '');
    expect(right!.previous_events_ids).toEqual([say.previous_events_ids[0], body.id]);
  });

  it('goes once each time it is asked for, however many ask at once', async () => {
    await ran(fan, [{ n: 4 }]);
    const say = await eventOf('Say');
    const responses = await Promise.all(Array.from({ length: 8 }, () => reemit(say.id)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(8);
    await fabula.settled();
    const counts = new Map<string, number>();
    for (const [agent] of await outputs('?per_page=100')) counts.set(agent, (counts.get(agent) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ Hook: 1, Say: 9, Left: 9, Right: 9 });
  });

  it('goes to those who receive from the action now, under the name that it has now', async () => {
    const { id, agents } = await ran(fan, [{ n: 4 }]);
    const say = await eventOf('Say');
    await call(fabula, `PATCH /api/v1/agents/${agents['Left']}`, { body: { disabled: true } });
    await call(fabula, `PATCH /api/v1/agents/${agents['Say']}`, { body: { name: 'Tell' } });
    const { body } = await reemit(say.id);
    expect(body.payload).toEqual({ hook: { n: 4 }, say: { n: 4 }, tell: { n: 4 } });
    await fabula.settled();
    expect(await outputs(`?since_id=${body.id}&story_id=${id}`)).toEqual([['Right', { right: 4 }]]);
  });

  it('of a trigger that found no match goes down the links of that branch again', async () => {
    const no = { rules: [{ type: 'field==value', path: '=hook.n', value: 'never' }] };
    const story = (options: object) =>
      storyOf(
        {
          Hook: ['Webhook', { include_headers: false }],
          Check: ['Trigger', { ...no, ...options }],
          Yes: says({ yes: 1 }),
          No: says({ no: 1 }),
        },
        ['Hook > Check > Yes', 'Check ! No'],
      );
    for (const [options, receivers] of [
      [{}, ['No']],
      [{ emit_no_match: 'true' }, ['No', 'Yes']],
    ] as const) {
      const { id } = await ran(story(options));
      const { body } = await reemit((await eventOf('Check', `?story_id=${id}`)).id);
      await fabula.settled();
      const after = await outputs(`?since_id=${body.id}&story_id=${id}`);
      expect(sorted(after.map(([agent]) => agent))).toEqual(receivers);
    }
  });

  it('of an exit of a called story comes to the action that called it, too', async () => {
    const helper = storyOf({ Start: ['Webhook', {}], Out: says({ out: 1 }) }, ['Start > Out'], {
      name: 'Helper',
      send_to_story_enabled: true,
      entry_agent_guid: 'Start',
      exit_agent_guids: ['Out'],
    });
    const child = await fabula.importStory(helper);
    const { id } = await ran(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Ask: ['SendToStory', { story: '<<STORY.helper>>', payload: {} }],
          After: says({ got: '=ask.out' }),
        },
        ['Hook > Ask > After'],
        { name: 'Caller' },
      ),
    );
    const { body } = await reemit((await eventOf('Start', `?story_id=${child.id}`)).id);
    await fabula.settled();
    expect(await outputs(`?since_id=${body.id}`)).toEqual([
      ['After', { got: 1 }],
      ['Ask', { out: 1 }],
      ['Out', { out: 1 }],
    ]);
    const exit = await reemit((await eventOf('Out', `?story_id=${child.id}`)).id);
    await fabula.settled();
    expect(await outputs(`?since_id=${exit.body.id}`)).toEqual([
      ['After', { got: 1 }],
      ['Ask', { out: 1 }],
    ]);
    expect((await runsOf(fabula, id)).map(({ status }) => status)).toEqual(['completed']);
  });

  it('makes a run that had ended go on', async () => {
    const { id } = await ran(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Sleep: ['EventTransformation', { mode: 'delay', seconds: '=hook.body.wait' }],
        },
        ['Hook > Sleep'],
      ),
      [{ wait: 0 }],
    );
    expect((await runsOf(fabula, id))[0]!.status).toBe('completed');
    const hook = await eventOf('Hook');
    await stores.sql('UPDATE events SET payload = \'{"body":{"wait":3600}}\' WHERE id = ?', [hook.id]);
    await reemit(hook.id);
    await eventually(async () => {
      const [row] = await stores.db.read((session) =>
        session.rows<{ state: string }>('SELECT state FROM deliveries'),
      );
      return row?.state === 'waiting';
    });
    const [run] = await runsOf(fabula, id);
    expect(run).toMatchObject({ status: 'running', ended_at: null });
    await call(fabula, `POST /api/v1/stories/${id}/runs/${run!.guid}/cancel`);
  });

  it('is a conflict where it cannot go on: disabled, deleted, cancelled', async () => {
    const { id, guids, agents } = await ran(fan, [{ n: 4 }]);
    const say = await eventOf('Say');
    const refused = async () => {
      const { status, body } = await reemit(say.id);
      return [status, body.errors?.[0].message];
    };
    const set = (path: string, disabled: boolean) =>
      call(fabula, `PATCH /api/v1/${path}`, { body: { disabled } });
    await set(`stories/${id}`, true);
    expect(await refused()).toEqual([409, 'The story is disabled']);
    await set(`stories/${id}`, false);
    await set(`agents/${agents['Say']}`, true);
    expect(await refused()).toEqual([409, 'The action is disabled']);
    await set(`agents/${agents['Say']}`, false);
    await call(fabula, `POST /api/v1/stories/${id}/runs/${guids[0]}/cancel`);
    expect(await refused()).toEqual([409, 'The run was cancelled']);
    await stores.sql('UPDATE story_runs SET cancelled_at = NULL');
    await stores.sql('DELETE FROM agents WHERE id = ?', [agents['Say']!]);
    await stores.sql('UPDATE stories SET version = version + 1');
    expect(await refused()).toEqual([409, 'The action has been deleted']);
    expect(await outputs()).toHaveLength(4);
  });

  it('is for those who may write in the team, and is written down', async () => {
    await ran(fan);
    const { id } = await eventOf('Right');
    const viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
    expect((await call(fabula, `POST /api/v1/events/${id}/reemit`, { as: viewer })).status).toBe(403);
    expect((await call(fabula, `POST /api/v1/events/${id}/reemit`, { body: { odd: 1 } })).status).toBe(422);
    expect((await reemit(id)).status).toBe(201);
    const { body } = await call(fabula, 'GET /api/v1/audit_logs?target_type=event');
    expect(body.audit_logs).toMatchObject([{ action: 'event.reemit', target_id: id }]);
    expect(body.meta.count).toBe(1);
  });
});
