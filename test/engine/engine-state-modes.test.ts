import { array, assert as assertProperty, asyncProperty, jsonValue } from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { eventually } from '../support/eventually.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const HOOK = 'Hook';

/** A story of a webhook and one transformation, fired with each body; gives what the transformation put out. */
async function outputsOf(options: JsonObject, bodies: JsonObject[]): Promise<JsonValue[]> {
  const story = await fabula.importStory(
    storyOf({ [HOOK]: ['Webhook', {}], Work: ['EventTransformation', options] }, [`${HOOK} > Work`]),
  );
  for (const body of bodies) {
    expect((await fabula.fire(story.webhooks[HOOK]!, body)).status).toBe(201);
    await fabula.settled();
  }
  return payloadsOf('Work');
}

async function payloadsOf(agent: string): Promise<JsonValue[]> {
  return (await fabula.events()).filter((event) => event.agent === agent).map(({ payload }) => payload);
}

/** When the action's events were stored, in milliseconds by the database's clock, ascending. */
async function timesOf(agent: string): Promise<number[]> {
  const rows = await stores.db.read((session) =>
    session.rows<{ at: string }>(
      `SELECT UNIX_TIMESTAMP(e.created_at) * 1000 AS at FROM events e JOIN agents a ON a.id = e.agent_id
       WHERE a.name = ? ORDER BY e.created_at`,
      [agent],
    ),
  );
  return rows.map(({ at }) => Number(at));
}

describe('explode and implode', () => {
  const join = storyOf(
    {
      Hook: ['Webhook', {}],
      Split: ['EventTransformation', { mode: 'explode', path: '=hook.body.list', to: 'item', limit: 5000 }],
      Pass: ['EventTransformation', { mode: 'message_only', payload: { kept: '=split.item' } }],
      Join: [
        'EventTransformation',
        { mode: 'implode', item_path: '=pass.kept', guid_path: '=split.guid', size_path: '=split.size' },
      ],
      After: [
        'EventTransformation',
        { mode: 'message_only', payload: { joined: '=join', from: '=hook.body.n' } },
      ],
    },
    ['Hook > Split > Pass > Join > After'],
  );

  it('gives the list back, for any list, however many run at once', async () => {
    const story = await fabula.importStory(join);
    await assertProperty(
      asyncProperty(
        array(array(jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 40 }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (lists) => {
          await stores.sql('DELETE FROM events');
          await Promise.all(lists.map((list, n) => fabula.fire(story.webhooks[HOOK]!, { list, n })));
          await fabula.settled();
          const joined = (await payloadsOf('After')) as { joined: JsonValue; from: number }[];
          expect(joined.toSorted((a, b) => a.from - b.from)).toEqual(
            lists.map((list, from) => ({ joined: JSON.parse(JSON.stringify(list)) as JsonValue, from })),
          );
        },
      ),
      { numRuns: 8 },
    );
  });

  it('leaves nothing behind', async () => {
    const story = await fabula.importStory(join);
    await fabula.fire(story.webhooks[HOOK]!, { list: [1, 2, 3], n: 0 });
    await fabula.settled();
    const rows = await stores.db.read((session) => session.rows('SELECT * FROM implode_items'));
    expect(rows).toEqual([]);
  });

  it('without item_path gathers the whole events, also those of several runs', async () => {
    const bodies = [
      { key: 'a', n: 1 },
      { key: 'b', n: 2 },
      { key: 'a', n: 3 },
    ];
    const options = { mode: 'implode', guid_path: '=hook.body.key', size_path: '2' };
    const story = await fabula.importStory(
      storyOf(
        {
          Hook: ['Webhook', { include_headers: false }],
          Work: ['EventTransformation', { ...options, guid_path: '=hook.key' }],
        },
        ['Hook > Work'],
      ),
    );
    for (const body of bodies) await fabula.fire(story.webhooks[HOOK]!, body);
    await eventually(async () => (await payloadsOf('Work')).length === 1);
    expect(await payloadsOf('Work')).toEqual([[{ hook: bodies[0] }, { hook: bodies[2] }]]);
    const open = () =>
      stores.db.read((session) => session.rows<{ state: string }>('SELECT state FROM deliveries'));
    // The one of the other group may come last.
    await eventually(async () => (await open()).every(({ state }) => state === 'parked'));
    expect(await open()).toHaveLength(1);
    await stores.sql('DELETE FROM deliveries');
  });

  it('makes dead letters of a group that is not whole in time, and says how many came', async () => {
    const story = await fabula.importStory(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Work: ['EventTransformation', { mode: 'implode', guid_path: 'g', size_path: 2, timeout: 1 }],
        },
        ['Hook > Work'],
      ),
    );
    await fabula.fire(story.webhooks[HOOK]!, {});
    await eventually(async () => {
      await stores.sql("UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'parked'");
      await fabula.inner.sweepParked();
      return (await fabula.deadLetters()).length === 1;
    });
    expect((await fabula.deadLetters())[0]?.error).toBe(
      'The group was dropped: 1 of 2 events arrived in time',
    );
  });
});

const importTimed = (options: JsonObject) =>
  fabula.importStory(
    storyOf(
      {
        Hook: ['Webhook', {}],
        Work: [
          'EventTransformation',
          { mode: 'implode', item_path: '=hook.body.n', guid_path: 'g', ...options },
        ],
      },
      ['Hook > Work'],
    ),
  );
const parkedItems = () =>
  stores.db.read((session) =>
    session.rows<{ id: number; dueIn: number; endsIn: number }>(
      `SELECT d.id, TIMESTAMPDIFF(SECOND, NOW(3), d.due_at) AS dueIn,
              TIMESTAMPDIFF(SECOND, NOW(3), i.expires_at) AS endsIn
       FROM deliveries d JOIN implode_items i ON i.delivery_id = d.id WHERE d.state = 'parked' ORDER BY d.id`,
    ),
  );
const arrivals = (count: number) => eventually(async () => (await parkedItems()).length === count);
const sweepParked = async () => {
  await stores.sql("UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'parked'");
  await fabula.inner.sweepParked();
};

describe('an implode by time', () => {
  it('puts out what has come when the time of the first is over, and begins anew', async () => {
    const story = await importTimed({ seconds: '1000' });
    for (const n of [1, 2]) {
      await fabula.fire(story.webhooks[HOOK]!, { n });
      await arrivals(n);
    }
    const [first, second] = await parkedItems();
    expect(first!.endsIn).toBeGreaterThan(900);
    await sweepParked();
    expect(await payloadsOf('Work')).toEqual([]);
    // Time passes, for the first only.
    await stores.sql(
      'UPDATE implode_items SET expires_at = NOW(3) - INTERVAL 1 SECOND WHERE delivery_id <> ?',
      [second!.id],
    );
    await sweepParked();
    expect(await payloadsOf('Work')).toEqual([[1, 2]]);
    expect(await fabula.deadLetters()).toEqual([]);

    await fabula.fire(story.webhooks[HOOK]!, { n: 3 });
    await arrivals(1);
    expect((await parkedItems())[0]!.endsIn).toBeGreaterThan(900);
    await stores.sql('UPDATE implode_items SET expires_at = NOW(3) - INTERVAL 1 SECOND');
    await sweepParked();
    expect(await payloadsOf('Work')).toEqual([[1, 2], [3]]);
    expect(await parkedItems()).toEqual([]);
  });

  it('is looked at when its time is over, not at the next round', async () => {
    const story = await importTimed({ seconds: 9 });
    await fabula.fire(story.webhooks[HOOK]!, { n: 1 });
    await arrivals(1);
    expect((await parkedItems())[0]!.dueIn).toBeLessThan(10);
    // Old enough for a long pause.
    await stores.sql("UPDATE deliveries SET created_at = NOW(3) - INTERVAL 50 SECOND WHERE state = 'parked'");
    await stores.sql('UPDATE implode_items SET expires_at = NOW(3) + INTERVAL 20 SECOND');
    await sweepParked();
    expect((await parkedItems())[0]!.dueIn).toBeLessThanOrEqual(21);
  });

  it('with size_path ends as soon as the group is whole', async () => {
    const story = await importTimed({ seconds: 1000, size_path: 2 });
    for (const n of [1, 2, 3]) await fabula.fire(story.webhooks[HOOK]!, { n });
    await eventually(async () => (await payloadsOf('Work')).length === 1);
    await arrivals(1);
    await stores.sql('UPDATE implode_items SET expires_at = NOW(3) - INTERVAL 1 SECOND');
    await sweepParked();
    const joined = (await payloadsOf('Work')) as number[][];
    expect(joined.map((list) => list.length)).toEqual([2, 1]);
    expect(joined.flat().toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  });
});

const importImplode = async (size: number) => {
  const options = { mode: 'implode', item_path: '=hook.body.n', guid_path: 'g', size_path: size };
  const story = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], Work: ['EventTransformation', options] }, ['Hook > Work']),
  );
  return (n: number) => fabula.fire(story.webhooks[HOOK]!, { n });
};
/** One more arrival, by a process that died right after its COMMIT. `item` is an expression. */
const arriveUnseen = (item: string, expiresAt = 'expires_at') =>
  stores.db.read(async (session) => {
    const { insertId } = await session.run(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, state, awaited, called, depth, due_at)
       SELECT story_run_guid, story_id, agent_id, event_id, queue, 'parked', 0, 0, depth, NOW(3)
       FROM deliveries ORDER BY id LIMIT 1`,
    );
    await session.run(
      `INSERT INTO implode_items (delivery_id, group_key, size, position, item, expires_at)
       SELECT ?, group_key, size, NULL, ${item}, ${expiresAt} FROM implode_items LIMIT 1`,
      [insertId],
    );
  });

/** The process that parked the first looks at its group a moment later: only the sweeper looks at later ones. */
const leaveToSweeper = () => fabula.runWith({ queues: [] });

describe('a group that nobody looked after', () => {
  it('is made one event by the sweeper', async () => {
    const fire = await importImplode(3);
    for (const n of [1, 2]) await fire(n);
    await arrivals(2);
    await leaveToSweeper();
    await arriveUnseen("'3'");
    expect(await fabula.inner.sweepParked()).toBe(1);
    expect(await payloadsOf('Work')).toEqual([[1, 2, 3]]);
    expect(await parkedItems()).toEqual([]);
  });

  it('is made one event beside others of its key, also when their time is over', async () => {
    const fire = await importImplode(2);
    await fire(1);
    await arrivals(1);
    await leaveToSweeper();
    for (const n of [2, 3, 4, 5]) await arriveUnseen(`'${n}'`, 'NOW(3) - INTERVAL 1 SECOND');
    await fabula.inner.sweepParked();
    expect(await payloadsOf('Work')).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await fabula.deadLetters()).toEqual([]);
    // The remaining one is over its time, and alone.
    await sweepParked();
    expect((await fabula.deadLetters()).map(({ error }) => error)).toEqual([
      'The group was dropped: 1 of 2 events arrived in time',
    ]);
  });

  it('is not taken for too large because many groups of its key wait', async () => {
    const fire = await importImplode(2);
    await fire(1);
    await arrivals(1);
    await leaveToSweeper();
    const large = `CONCAT('"', REPEAT('x', 3 * 1024 * 1024), '"')`;
    for (let n = 0; n < 13; n++) await arriveUnseen(large);
    await fabula.inner.sweepParked();
    expect(await payloadsOf('Work')).toHaveLength(7);
    expect(await fabula.deadLetters()).toEqual([]);
  });
});

it('a group that ends by time and is too large for one event becomes several', async () => {
  const story = await importTimed({ seconds: 600 });
  await fabula.fire(story.webhooks[HOOK]!, { n: 1 });
  await arrivals(1);
  await leaveToSweeper();
  const large = `CONCAT('"', REPEAT('x', 3 * 1024 * 1024), '"')`;
  for (let n = 0; n < 12; n++) await arriveUnseen(large, 'NOW(3) - INTERVAL 1 SECOND');
  await fabula.inner.sweepParked();
  const lists = (await payloadsOf('Work')) as JsonValue[][];
  expect(lists.length).toBeGreaterThan(1);
  expect(lists.flat()).toHaveLength(13);
  expect(await fabula.deadLetters()).toEqual([]);
  expect(await parkedItems()).toEqual([]);
});

it('a group too large for one event becomes dead letters that say so', async () => {
  const text = 'x'.repeat(6 * 1024 * 1024);
  const options = { mode: 'implode', item_path: '=hook.body.text', guid_path: 'g', size_path: 6 };
  const story = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], Work: ['EventTransformation', options] }, ['Hook > Work']),
  );
  for (let n = 0; n < 6; n++) expect((await fabula.fire(story.webhooks[HOOK]!, { text })).status).toBe(201);
  await fabula.settled();
  expect(new Set((await fabula.deadLetters()).map(({ error }) => error))).toEqual(
    new Set(['The group is too large for one event']),
  );
});

describe('deduplicate', () => {
  const bodies = ['a', 'b', 'a', 'c', 'a'].map((key) => ({ key }));

  it('lets a value through once while it is among the last ones', async () => {
    expect(await outputsOf({ mode: 'deduplicate', path: '=hook.body.key', lookback: '100' }, bodies)).toEqual(
      Array.from({ length: 3 }, () => ({ unique_event: true })),
    );
  });

  it('forgets what is further back than lookback', async () => {
    const outputs = await outputsOf({ mode: 'deduplicate', path: '=hook.body.key', lookback: 1 }, bodies);
    expect(outputs).toHaveLength(5);
  });

  it('emits duplicates too when it is asked to', async () => {
    const options = { mode: 'deduplicate', path: '=hook.body.key', emit_duplicates: true };
    expect(await outputsOf(options, bodies)).toEqual(
      [true, true, false, true, false].map((unique) => ({ unique_event: unique })),
    );
  });

  it('lets a value through as often as is tolerated', async () => {
    const options = { mode: 'deduplicate', path: '=hook.body.key', tolerance: '2', emit_duplicates: true };
    expect(await outputsOf(options, bodies)).toEqual(
      [true, true, true, true, false].map((unique) => ({ unique_event: unique })),
    );
  });

  it('lets a value through again when its period is over', async () => {
    const options = { mode: 'deduplicate', path: '=hook.body.key', period: '3600' };
    expect(await outputsOf(options, bodies)).toHaveLength(3);
    await stores.sql('UPDATE deduplicated_values SET seen_at = seen_at - INTERVAL 3600 SECOND');
    const story = await stores.db.read((session) =>
      session.rows<{ path: string; options: string }>('SELECT webhook_path AS path, options FROM agents'),
    );
    const hook = story.find(({ path }) => path !== null)!;
    await fabula.fire(`${hook.path}/${(JSON.parse(hook.options) as { secret: string }).secret}`, {
      key: 'a',
    });
    await fabula.settled();
    expect(await payloadsOf('Work')).toHaveLength(4);
  });
});

describe('delay', () => {
  it('emits when its time has come, and not before', async () => {
    const before = Date.now();
    const outputs = await outputsOf({ mode: 'delay', seconds: '1.5' }, [{}]);
    expect(outputs).toEqual([{ seconds: 1.5 }]);
    expect(Date.now() - before).toBeGreaterThanOrEqual(1_500);
  });

  it('waits until a time', async () => {
    const until = new Date(Date.now() + 1_500).toISOString();
    expect(await outputsOf({ mode: 'delay', until }, [{}])).toEqual([{ until }]);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
  });

  it('keeps its time when Redis loses everything', async () => {
    const story = await fabula.importStory(
      storyOf({ Hook: ['Webhook', {}], Work: ['EventTransformation', { mode: 'delay', seconds: 2 }] }, [
        'Hook > Work',
      ]),
    );
    const before = Date.now();
    await fabula.fire(story.webhooks[HOOK]!, {});
    const { redis, queuePrefix } = { redis: stores.redis, queuePrefix: fabula.config.queuePrefix };
    for await (const keys of redis.scanStream({ match: `*${queuePrefix}*`, count: 1000 })) {
      if ((keys as string[]).length > 0) await redis.unlink(...(keys as string[]));
    }
    await fabula.settled(60_000);
    expect(await payloadsOf('Work')).toEqual([{ seconds: 2 }]);
    expect(Date.now() - before).toBeGreaterThanOrEqual(2_000);
  });

  it('goes back to sleep when it is woken early', async () => {
    const story = await fabula.importStory(
      storyOf({ Hook: ['Webhook', {}], Work: ['EventTransformation', { mode: 'delay', seconds: 3600 }] }, [
        'Hook > Work',
      ]),
    );
    await fabula.fire(story.webhooks[HOOK]!, {});
    const state = () =>
      stores.db.read((session) =>
        session.rows<{ state: string; generation: number; inSeconds: number }>(
          'SELECT state, generation, TIMESTAMPDIFF(SECOND, NOW(3), due_at) AS inSeconds FROM deliveries',
        ),
      );
    await eventually(async () => (await state())[0]?.state === 'waiting');
    await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
    await eventually(async () => {
      const [row] = await state();
      return row?.state === 'waiting' && row.generation >= 3;
    });
    expect((await state())[0]?.inSeconds).toBeGreaterThan(3500);
    expect(await payloadsOf('Work')).toEqual([]);
    await stores.sql('DELETE FROM deliveries');
  });
});

describe('throttle', () => {
  it('lets events through evenly spaced', async () => {
    const story = await fabula.importStory(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Work: ['EventTransformation', { mode: 'throttle', capacity: 5, interval: 'second' }],
        },
        ['Hook > Work'],
      ),
    );
    await Promise.all(Array.from({ length: 6 }, () => fabula.fire(story.webhooks[HOOK]!, {})));
    await fabula.settled();
    const [came, passed] = [await timesOf(HOOK), await timesOf('Work')];
    expect(passed).toHaveLength(6);
    // The last of six has its turn five slots of 200 ms after the first, whose event may be stored late.
    expect(passed.at(-1)! - came[0]!).toBeGreaterThanOrEqual(1_000);
  });
});
