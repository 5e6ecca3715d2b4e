import { findExitEvents } from '../../src/engine/state/deliveries/call-store.js';
import { PermanentJobError } from '../../src/platform/errors.js';
import type { JsonObject } from '../../src/platform/json.js';
import { buildKey, buildTeam } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const caller = (options: JsonObject, overrides: JsonObject = {}) =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      Ask: ['SendToStory', { story: '<<STORY.helper>>', payload: { n: '=hook.body.n' }, ...options }],
      After: [
        'EventTransformation',
        { mode: 'message_only', payload: { got: '=ask', from: '=hook.body.n' } },
      ],
    },
    ['Hook > Ask > After'],
    { name: 'Caller', ...overrides },
  );

/** Doubles `n`; events at both exits. */
const helper = (overrides: JsonObject = {}) =>
  storyOf(
    {
      Start: ['Webhook', {}],
      Double: ['EventTransformation', { mode: 'message_only', payload: { twice: '=start.body.n * 2' } }],
      Big: ['Trigger', { rules: [{ type: 'field>value', path: '=double.twice', value: '10' }] }],
      Extra: ['EventTransformation', { mode: 'message_only', payload: { big: true } }],
    },
    ['Start > Double > Big > Extra'],
    {
      name: 'Helper',
      send_to_story_enabled: true,
      entry_agent_guid: 'Start',
      exit_agent_guids: ['Double', 'Extra'],
      ...overrides,
    },
  );

const ring = (name: string, next: string) =>
  storyOf(
    { Hook: ['Webhook', {}], Ask: ['SendToStory', { story: `<<STORY.${next}>>`, payload: {} }] },
    ['Hook > Ask'],
    { name, send_to_story_enabled: true, entry_agent_guid: 'Hook', exit_agent_guids: ['Ask'] },
  );

async function run(story: { webhooks: Record<string, string> }, body: JsonObject = {}) {
  expect((await fabula.fire(story.webhooks['Hook']!, body)).status).toBe(201);
  await fabula.settled();
}

async function payloadsOf(agent: string) {
  return (await fabula.events()).filter((event) => event.agent === agent).map(({ payload }) => payload);
}

test('the calling action gets the event of each exit, and goes on with what it knew', async () => {
  await fabula.importStory(helper());
  await run(await fabula.importStory(caller({})), { n: 7 });
  expect(await payloadsOf('Ask')).toEqual([{ twice: 14 }, { big: true }]);
  expect(await payloadsOf('After')).toEqual([
    { got: { twice: 14 }, from: 7 },
    { got: { big: true }, from: 7 },
  ]);
  expect(await fabula.deadLetters()).toEqual([]);
});

test('the entry gets the payload under body, with ids of the call', async () => {
  await fabula.importStory(helper());
  await run(await fabula.importStory(caller({})), { n: 1 });
  const [start] = await payloadsOf('Start');
  expect(start).toEqual({
    body: { n: 1 },
    '#action_id': expect.any(Number) as number,
    '#agent_id': expect.any(Number) as number,
    '#event_id': expect.any(Number) as number,
  });
});

test('the entry gets the payload at the top when the call says so, or the called story is of schema 1', async () => {
  await fabula.importStory(helper());
  await run(await fabula.importStory(caller({ send_payload_as_body: 'false' })), { n: 1 });
  expect((await payloadsOf('Start'))[0]).toMatchObject({ n: 1 });
});

test('an exit that is itself a call gives its events to all who wait above', async () => {
  await fabula.importStory(helper());
  await fabula.importStory(
    storyOf(
      {
        Middle: ['Webhook', {}],
        Deeper: ['SendToStory', { story: '<<STORY.helper>>', payload: { n: '=middle.body.n + 1' } }],
      },
      ['Middle > Deeper'],
      {
        name: 'Between',
        send_to_story_enabled: true,
        entry_agent_guid: 'Middle',
        exit_agent_guids: ['Deeper'],
      },
    ),
  );
  await run(await fabula.importStory(caller({ story: '<<STORY.between>>' })), { n: 1 });
  expect(await payloadsOf('Deeper')).toEqual([{ twice: 4 }]);
  expect(await payloadsOf('Ask')).toEqual([{ twice: 4 }]);
  expect(await payloadsOf('After')).toEqual([{ got: { twice: 4 }, from: 1 }]);
});

test('a call whose story ends without an exit ends the branch', async () => {
  await fabula.importStory(helper({ exit_agent_guids: ['Extra'] }));
  await run(await fabula.importStory(caller({})), { n: 1 });
  expect(await payloadsOf('After')).toEqual([]);
  expect(await fabula.deadLetters()).toEqual([]);
});

test('a response-enabled webhook is answered by what a called story comes to', async () => {
  await fabula.importStory(helper({ exit_agent_guids: ['Double'] }));
  const story = await fabula.importStory(
    caller({}, { synchronous_webhooks_enabled: true, exit_agent_guids: ['After'] }),
  );
  const response = await fabula.fire(story.webhooks['Hook']!, { n: 4 });
  expect([response.status, await response.json()]).toEqual([200, { got: { twice: 8 }, from: 4 }]);
});

test.each([
  ['a story that is not there', { story: 'Nobody' }, 'This team has no story "Nobody"'],
  ['a story that does not let itself be called', {}, 'The story "Helper" cannot be called by other stories'],
])('%s is a dead letter that says so', async (_, options, error) => {
  await fabula.importStory(helper({ send_to_story_enabled: false }));
  await run(await fabula.importStory(caller(options)), { n: 1 });
  expect((await fabula.deadLetters()).map((letter) => letter.error)).toEqual([error]);
});

test('stories that call each other in a circle are told which', async () => {
  const one = await fabula.importStory(ring('One', 'two'));
  await fabula.importStory(ring('Two', 'one'));
  await run(one);
  expect((await fabula.deadLetters()).map((letter) => letter.error)).toEqual([
    'Stories call each other in a circle: One → Two → One',
  ]);
});

test('a story may call itself from an action beside its flow', async () => {
  const story = storyOf(
    {
      Start: ['Webhook', {}],
      Double: ['EventTransformation', { mode: 'message_only', payload: { twice: '=start.body.n * 2' } }],
      Hook: ['Webhook', {}],
      Ask: ['SendToStory', { story: '<<STORY.mirror>>', payload: { n: '=hook.body.n' } }],
    },
    ['Start > Double', 'Hook > Ask'],
    { name: 'Mirror', send_to_story_enabled: true, entry_agent_guid: 'Start', exit_agent_guids: ['Double'] },
  );
  await run(await fabula.importStory(story), { n: 3 });
  expect(await payloadsOf('Ask')).toEqual([{ twice: 6 }]);
  expect(await fabula.deadLetters()).toEqual([]);
});

test('a story whose own flow calls it is stopped the second time', async () => {
  await run(await fabula.importStory(ring('One', 'one')));
  expect((await fabula.deadLetters()).map((letter) => letter.error)).toEqual([
    'Stories call each other in a circle: One → One → One',
  ]);
});

test('a call whose end nobody noticed is ended by the sweeper', async () => {
  await fabula.importStory(helper());
  const story = await fabula.importStory(caller({}));
  await fabula.fire(story.webhooks['Hook']!, { n: 1 });
  await fabula.settled();
  // The state that a process leaves which dies between the last COMMIT of the called run and its look at the caller.
  await stores.sql(
    `INSERT INTO deliveries (id, story_run_guid, story_id, agent_id, event_id, queue, state, awaited, called, depth, due_at)
       SELECT caller_delivery_id, caller_run_guid, caller_story_id, caller_agent_id, caller_event_id,
              'send-to-story', 'parked', 0, 0, 1, NOW(3) FROM story_calls`,
  );
  await fabula.inner.sweepParked();
  await eventually(async () => {
    const rows = await stores.db.read((session) => session.rows('SELECT id FROM deliveries'));
    return rows.length === 0;
  });
  expect(await payloadsOf('Ask')).toHaveLength(1);
});

/** The id of the helper in another team of the tenant, or of another tenant, open to the teams that `access` says. */
async function helperElsewhere(access: JsonObject, tenantId?: number): Promise<number> {
  const team = await buildTeam(stores.db, { name: 'Other', ...(tenantId !== undefined && { tenantId }) });
  const { key } = await buildKey(stores.db, { tenantId: team.tenantId });
  const response = await fetch(`${fabula.url}/api/v1/stories/import`, {
    method: 'POST',
    headers: { 'x-user-token': key, 'content-type': 'application/json' },
    body: JSON.stringify({ new_name: 'Elsewhere', team_id: team.id, data: helper(access) }),
  });
  return ((await response.json()) as { id: number }).id;
}

const callerTeam = () =>
  stores.sql('UPDATE teams SET name = ? WHERE id = ?', ['Night Watch', fabula.account.team.id]);

test.each([
  [{ send_to_story_access: 'global' }, true],
  [{ send_to_story_access: 'specific_teams', shared_team_slugs: ['day', 'night_watch'] }, true],
  [{ send_to_story_access: 'specific_teams', shared_team_slugs: ['day'] }, false],
  [{ send_to_story_access: 'team' }, false],
  [{}, false],
  [{ send_to_story_access: 'global', send_to_story_enabled: false }, false],
])('a story of another team with %j may be called by its id: %s', async (access, allowed) => {
  await callerTeam();
  const id = await helperElsewhere(access, fabula.account.tenantId);
  await run(await fabula.importStory(caller({ story: String(id) })), { n: 2 });
  expect(await payloadsOf('Ask')).toEqual(allowed ? [{ twice: 4 }] : []);
  expect(await fabula.deadLetters()).toHaveLength(allowed ? 0 : 1);
});

test('a story of another tenant is never found', async () => {
  const id = await helperElsewhere({ send_to_story_access: 'global' });
  await run(await fabula.importStory(caller({ story: String(id) })), { n: 2 });
  const [letter] = await fabula.deadLetters();
  expect(letter?.error).toContain(`This team has no story "${id}"`);
});

const exitEventsOf = (guids: string[]) => stores.db.read((session) => findExitEvents(session, guids, [1]));

const looping = (options: JsonObject = {}) =>
  caller({ loop: '=hook.body.list', payload: { n: '=LOOP.value', i: '=LOOP.index' }, ...options });

describe('L6: the loop of Send to story', () => {
  test('calls the story once for each element, one after the other, and emits one list of the results', async () => {
    await fabula.importStory(helper());
    await run(await fabula.importStory(looping()), { n: 'x', list: [7, 1] });
    expect((await payloadsOf('Start')).map((payload) => (payload as { body: unknown }).body)).toEqual([
      { n: 7, i: 0 },
      { n: 1, i: 1 },
    ]);
    expect(await payloadsOf('Ask')).toEqual([[{ twice: 14 }, { big: true }, { twice: 2 }]]);
    expect(await payloadsOf('After')).toEqual([
      { got: [{ twice: 14 }, { big: true }, { twice: 2 }], from: 'x' },
    ]);
    expect(await fabula.deadLetters()).toEqual([]);
  });

  test('sees what the call before it gave, and calls nothing for an empty list', async () => {
    await fabula.importStory(helper());
    const story = await fabula.importStory(
      looping({ payload: { n: '=IF(LOOP.first, LOOP.value, LOOP.previous_result.twice)' } }),
    );
    await run(story, { list: [1, 0, 0] });
    expect(await payloadsOf('Ask')).toEqual([[{ twice: 2 }, { twice: 4 }, { twice: 8 }]]);
    await run(story, { list: [] });
    expect((await payloadsOf('Ask'))[1]).toEqual([]);
  });

  test('is refused when its results are too large together, before any is read', async () => {
    const insert = `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage)
      VALUES (?, 1, 1, CONCAT('"', REPEAT('x', ?), '"'), '{}')`;
    const guids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    for (const guid of guids) await stores.sql(insert, [guid, 9 * 1024 * 1024]);
    await expect(exitEventsOf(guids)).rejects.toBeInstanceOf(PermanentJobError);
    expect(await exitEventsOf(guids.slice(1))).toHaveLength(1);
  });

  test('is a dead letter for a value that is no list, before anything is called', async () => {
    await fabula.importStory(helper());
    await run(await fabula.importStory(looping()), { list: 5 });
    expect((await fabula.deadLetters())[0]?.error).toMatch(/option loop must be a list or an object/);
    expect(await payloadsOf('Start')).toEqual([]);
  });
});

test.each([{ send_to_test: 'true' }, { send_to_draft: true }, { send_to_draft: 'New' }])(
  'L6: with %j a draft of the story is called',
  async (options) => {
    const { id: storyId } = await fabula.importStory(helper());
    const story = await fabula.importStory(caller(options));
    await run(story, { n: 2 });
    expect((await fabula.deadLetters())[0]?.error).toMatch(/The story "Helper" has no draft/);
    const post = async (path: string, body: object) => {
      const response = await fetch(`${fabula.url}${path}`, {
        method: 'POST',
        headers: { 'x-user-token': fabula.account.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as { id: number };
    };
    const { id } = await post(`/api/v1/stories/${storyId}/drafts`, { name: 'New' });
    await run(story, { n: 2 });
    expect(await payloadsOf('Ask')).toEqual([{ twice: 4 }]);
    const runs = await stores.db.read((session) =>
      session.rows<{ storyId: number }>('SELECT story_id AS storyId FROM story_runs WHERE story_id = ?', [
        id,
      ]),
    );
    expect(runs).toHaveLength(1);
  },
);
