import { buildRetention, DAY, HOUR, retentionWorld, watchedDatabase } from '../support/retention.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const world = () => retentionWorld(stores.db);
/** One thorough pass of a process that has just begun. */
const pass = (periods = {}) => buildRetention(stores.db, periods).pass();

describe('events', () => {
  it("go when they are older than their story's time, and not before", async () => {
    const w = world();
    const story = await w.story(7 * DAY);
    const agent = await w.agent(story);
    const run = await w.run(story, 8 * DAY);
    await w.event(run, agent, 8 * DAY);
    await w.event(run, agent, 7 * DAY + 2);
    const young = [await w.event(run, agent, 7 * DAY - 60), await w.event(run, agent, 0)];
    expect(await pass()).toMatchObject({ events: 2, runs: 0 });
    expect(await w.ids('events')).toEqual(young);
  });

  it("follow their agent's own time where it has one, shorter or longer", async () => {
    const w = world();
    const story = await w.story(7 * DAY);
    const [short, long, none] = [
      await w.agent(story, HOUR),
      await w.agent(story, 30 * DAY),
      await w.agent(story, 0),
    ];
    const run = await w.run(story, 8 * DAY);
    await w.event(run, long, 31 * DAY);
    await w.event(run, short, HOUR + 2);
    await w.event(run, none, 8 * DAY);
    const kept = [
      await w.event(run, long, 29 * DAY),
      await w.event(run, short, HOUR - 60),
      await w.event(run, none, 6 * DAY),
    ];
    expect(await pass()).toMatchObject({ events: 3 });
    expect(await w.ids('events')).toEqual(kept);
  });

  it("that are a run's input follow the story's time", async () => {
    const w = world();
    const [short, long] = [await w.story(HOUR), await w.story(30 * DAY)];
    const agent = await w.agent(short, 30 * DAY);
    const old = await w.run(short, 2 * HOUR, 'schedule');
    await w.event(old, 0, 2 * HOUR);
    const output = await w.event(old, agent, 2 * HOUR);
    const others = [
      await w.event(await w.run(short, HOUR / 2, 'schedule'), 0, HOUR / 2),
      await w.event(await w.run(long, 2 * HOUR, 'api'), 0, 2 * HOUR),
    ];
    expect(await pass()).toMatchObject({ events: 1, runs: 0 });
    expect(await w.ids('events')).toEqual([output, ...others]);
  });

  it.each(['pending', 'waiting', 'parked', 'failed'])(
    'stay, all of their run, while it has a %s delivery, and go when that is gone',
    async (state) => {
      const w = world();
      const story = await w.story(HOUR);
      const agent = await w.agent(story);
      const run = await w.run(story, 9 * DAY, 'api');
      const events = [
        await w.event(run, 0, 9 * DAY),
        await w.event(run, agent, 9 * DAY),
        await w.event(run, agent, 8 * DAY),
      ];
      const id = await w.delivery(run, events[2]!, state, DAY);
      const retention = buildRetention(stores.db);
      expect(await retention.pass()).toMatchObject({ events: 0, runs: 0, dead_letters: 0 });
      expect(await w.ids('events')).toEqual(events);
      await w.sql('DELETE FROM deliveries WHERE id = ?', [id]);
      // Rows that had to stay are not read each time.
      expect(await retention.pass()).toMatchObject({ events: 0, runs: 0 });
      expect(await retention.pass({ thorough: true })).toMatchObject({ events: 3, runs: 1 });
    },
  );

  it('stay, all of their run, while one of its prompts can be answered', async () => {
    const w = world();
    const story = await w.story(HOUR);
    const agent = await w.agent(story);
    const runs = [await w.run(story, 9 * DAY), await w.run(story, 9 * DAY), await w.run(story, 9 * DAY)];
    const events = [];
    for (const run of runs) events.push([await w.event(run, agent, DAY), await w.event(run, agent, DAY)]);
    await w.prompt(runs[0]!, events[0]![1]!);
    await w.prompt(runs[1]!, events[1]![1]!, { used: true });
    await w.prompt(runs[2]!, events[2]![1]!, { expired: HOUR });
    expect(await pass()).toMatchObject({ events: 4, runs: 2, prompts: 0 });
    expect(await w.ids('events')).toEqual(events[0]);
    expect(await w.ids('story_runs')).toEqual([runs[0]!.id]);
  });

  it('that were stored later than younger ones go all the same, as far as a batch sees them', async () => {
    const w = world();
    const story = await w.story(HOUR);
    const agent = await w.agent(story);
    const run = await w.run(story, 2 * HOUR);
    await w.event(run, agent, 2 * HOUR);
    const young = await w.event(run, agent, 10);
    await w.event(run, agent, 2 * HOUR);
    expect(await pass()).toMatchObject({ events: 2 });
    expect(await w.ids('events')).toEqual([young]);
  });

  it.each(['parked', 'waiting', 'failed'])(
    'of a called run stay while the action that called it is %s: its loop reads them at the end',
    async (state) => {
      const w = world();
      const story = await w.story(HOUR);
      const agent = await w.agent(story);
      const parent = await w.run(story, 2 * DAY);
      const child = await w.run(story, 2 * DAY);
      const events = [await w.event(child, 0, 2 * DAY), await w.event(child, agent, 2 * DAY)];
      await w.call(child, parent, await w.delivery(parent, 1, state, DAY));
      expect(await pass()).toMatchObject({ events: 0 });
      expect(await w.ids('events')).toEqual(events);
      await w.sql('DELETE FROM deliveries');
      expect(await pass()).toMatchObject({ events: 2 });
    },
  );

  it('of an agent that its story no longer has stay as long as the story says', async () => {
    const w = world();
    const story = await w.story(7 * DAY);
    const run = await w.run(story, 8 * DAY);
    await w.event(run, 4711, 8 * DAY);
    const kept = await w.event(run, 4711, 6 * DAY);
    expect(await pass()).toMatchObject({ events: 1 });
    expect(await w.ids('events')).toEqual([kept]);
  });
});

describe('dead letters', () => {
  it('go after two weeks, or what is configured, and the events of their run with them', async () => {
    const w = world();
    const story = await w.story(HOUR);
    const agent = await w.agent(story);
    const [old, young] = [await w.run(story, 20 * DAY), await w.run(story, 20 * DAY)];
    const kept = await w.event(young, agent, 20 * DAY);
    const letter = await w.delivery(young, kept, 'failed', 13 * DAY);
    await w.delivery(old, await w.event(old, agent, 20 * DAY), 'failed', 15 * DAY);
    await w.delivery(old, 1, 'waiting', 15 * DAY);
    expect(await pass()).toMatchObject({ dead_letters: 1, events: 0 });
    await w.sql("DELETE FROM deliveries WHERE state = 'waiting'");
    expect(await pass()).toMatchObject({ dead_letters: 0, events: 1, runs: 1 });
    expect(await w.ids('deliveries')).toEqual([letter]);
    expect(await pass({ deadLetterDays: 10 })).toMatchObject({ dead_letters: 1, events: 1, runs: 1 });
  });

  it('that are sent again between the look and the deletion stay', async () => {
    const w = world();
    const run = await w.run(await w.story(), DAY);
    const id = await w.delivery(run, 1, 'failed', 15 * DAY);
    const database = watchedDatabase(stores.db, {
      async before(sql) {
        if (sql.startsWith('DELETE d ')) await w.sql("UPDATE deliveries SET state = 'pending'");
      },
    });
    expect(await buildRetention(database).pass()).toMatchObject({ dead_letters: 0 });
    expect(await w.ids('deliveries')).toEqual([id]);
  });
});

describe('runs', () => {
  it('go when nothing is left of them, after the time of their story and a day at least, with their calls', async () => {
    const w = world();
    const [short, long] = [await w.story(HOUR), await w.story(7 * DAY)];
    const agent = await w.agent(long, 30 * DAY);
    const caller = await w.run(short, DAY / 2);
    await w.call(await w.run(short, DAY + 2), caller, 999);
    const busy = await w.run(long, 8 * DAY);
    await w.event(busy, agent, 8 * DAY);
    await w.run(long, 8 * DAY);
    const kept = [caller, busy, await w.run(long, 6 * DAY)];
    expect(await pass()).toMatchObject({ runs: 2, events: 0 });
    expect(await w.ids('story_runs')).toEqual(kept.map(({ id }) => id));
    expect(await w.ids('story_calls', 'caller_delivery_id')).toEqual([]);
  });

  it('stay while the action that called them has not found out that they are over', async () => {
    const w = world();
    const story = await w.story(HOUR);
    const parent = await w.run(story, 2 * DAY);
    const child = await w.run(story, 2 * DAY);
    const id = await w.delivery(parent, 1, 'parked', DAY);
    await w.call(child, parent, id);
    expect(await pass()).toMatchObject({ runs: 0 });
    await w.sql('DELETE FROM deliveries');
    expect(await pass()).toMatchObject({ runs: 2 });
    expect(await w.ids('story_calls', 'caller_delivery_id')).toEqual([]);
  });
});

describe('what is written down', () => {
  it("of an action goes when its events would, after a day at least; busy runs don't matter", async () => {
    const w = world();
    const story = await w.story(7 * DAY);
    const [short, usual] = [await w.agent(story, HOUR), await w.agent(story)];
    await w.log(short, DAY + 2);
    await w.log(usual, 8 * DAY);
    const kept = [await w.log(short, DAY - 60), await w.log(usual, 6 * DAY)];
    expect(await pass()).toMatchObject({ logs: 2 });
    expect(await w.ids('agent_logs')).toEqual(kept);
  });

  it('by sessions of people and their links goes when it expires', async () => {
    const w = world();
    const session = (digest: string, age: number) =>
      w.insert('console_sessions', { digest, tenant_id: 1, user_id: 1, method: 'link' }, { expires_at: age });
    await session('a', 1);
    const kept = await session('b', -60);
    const link = (digest: string, age: number) =>
      w.insert('login_links', { digest, user_id: 1, purpose: 'sign_in' }, { expires_at: age });
    await link('a', 1);
    await link('b', -60);
    expect(await pass()).toMatchObject({ sign_ins: 2 });
    expect(await w.ids('console_sessions')).toEqual([kept]);
    expect(await pass()).toMatchObject({ sign_ins: 0 });
  });

  it('by keys of requests goes when they are forgotten', async () => {
    const w = world();
    const key = (letter: string, age: number) =>
      w.insert(
        'idempotency_keys',
        { digest: Buffer.alloc(32, letter), request_digest: Buffer.alloc(32) },
        { expires_at: age },
      );
    await key('a', 1);
    const kept = await key('b', -60);
    expect(await pass()).toMatchObject({ idempotency_keys: 1 });
    expect(await w.ids('idempotency_keys')).toEqual([kept]);
  });

  it('of who had an entry of the inbox goes when nobody changed it for long', async () => {
    const w = world();
    const mark = (key: string, age: number) =>
      w.insert('inbox_marks', { tenant_id: 1, entry_key: key }, { expires_at: age });
    await mark('gone', 1);
    await mark('kept', -60);
    expect(await pass()).toMatchObject({ inbox_marks: 1 });
    expect(await w.ids('inbox_marks', 'entry_key')).toEqual(['kept']);
  });

  it('by results of canary retries goes after a month', async () => {
    const w = world();
    const canary = (age: number) =>
      w.insert(
        'canaries',
        { tenant_id: 1, story_id: 1, user_id: 1, waiting: 0, left_out: 0 },
        { expires_at: age },
      );
    const old = await canary(1);
    const kept = await canary(-60);
    for (const id of [old, kept]) {
      await w.sql(
        'INSERT INTO canary_letters (canary_id, position, delivery_id, claim, generation) VALUES (?, 1, ?, ?, 0)',
        [id, id, id],
      );
    }
    expect(await pass()).toMatchObject({ canaries: 1 });
    expect(await w.ids('canaries')).toEqual([kept]);
    const letters = await stores.db.read((session) =>
      session.rows('SELECT canary_id AS id FROM canary_letters'),
    );
    expect(letters).toEqual([{ id: kept }]);
  });

  it('by shadows of drafts goes after a month, with the differences and the listed runs', async () => {
    const w = world();
    const shadow = (age: number) =>
      w.insert(
        'shadows',
        {
          tenant_id: 1,
          story_id: 1,
          draft_id: 2,
          user_id: 1,
          kind: 'last',
          most: 1,
          percent: 100,
          draft_version: 1,
          from_id: 0,
          last_id: 0,
          waiting: '[]',
        },
        { expires_at: age, until_at: 1, from_at: 1, last_at: 1 },
      );
    const old = await shadow(1);
    const kept = await shadow(-60);
    for (const id of [old, kept]) {
      await w.sql(
        `INSERT INTO shadow_differences (shadow_id, digest, action_guid, action_name, kind, path, runs, first_run_at,
                                         last_run_at, examples)
         VALUES (?, 'a', '', '', 'added', '', 1, NOW(3), NOW(3), '[]')`,
        [id],
      );
      await w.sql('INSERT INTO shadow_runs (shadow_id, difference_id, run_id) VALUES (?, 0, 5)', [id]);
    }
    // The listed run, and the shadow.
    expect(await pass()).toMatchObject({ shadows: 2 });
    expect(await w.ids('shadows')).toEqual([kept]);
    for (const table of ['shadow_differences', 'shadow_runs']) {
      const left = await stores.db.read((session) => session.rows(`SELECT shadow_id AS id FROM ${table}`));
      expect(left).toEqual([{ id: kept }]);
    }
  });

  it('by the audit goes after a year, or what is configured, or never', async () => {
    const w = world();
    await w.audit(366 * DAY);
    const kept = [await w.audit(100 * DAY), await w.audit(1)];
    expect(await pass({ auditDays: 0 })).toMatchObject({ audit_logs: 0 });
    expect(await pass()).toMatchObject({ audit_logs: 1 });
    expect(await w.ids('audit_logs')).toEqual(kept);
    expect(await pass({ auditDays: 90 })).toMatchObject({ audit_logs: 1 });
    expect(await w.ids('audit_logs')).toEqual(kept.slice(1));
  });

  it('for prompts goes a day after they expired', async () => {
    const w = world();
    const run = await w.run(await w.story(), 1);
    await w.prompt(run, 1, { expired: DAY + 2 });
    await w.prompt(run, 1, { expired: DAY - 60 });
    await w.prompt(run, 1);
    expect(await pass()).toMatchObject({ prompts: 1 });
    expect(await w.ids('prompts', 'created_at')).toHaveLength(2);
  });
});

describe('what a story leaves behind that is deleted', () => {
  it('goes, all of it, whatever its age; what belongs to others stays', async () => {
    const w = world();
    const fill = async () => {
      const story = await w.story();
      const agent = await w.agent(story);
      const run = await w.run(story, 5, 'api');
      await w.event(run, 0, 5);
      const event = await w.event(run, agent, 5);
      await w.delivery(run, event, 'failed', 5);
      await w.prompt(run, event);
      await w.log(agent, 5);
      await w.insert('agent_memory', { agent_id: agent, name: 'throttle', value: '{}' });
      for (const digest of ['a', 'b']) {
        const row = { agent_id: agent, digest: digest.repeat(64), seq: 1 };
        await w.insert('deduplicated_values', row, { seen_at: 5 });
      }
      await w.insert(
        'schedules',
        { story_id: story, agent_id: agent, cron: '* * * * *', timezone: 'UTC' },
        {
          next_at: -60,
        },
      );
      return { story, run };
    };
    const [gone, kept] = [await fill(), await fill()];
    const items = async (deliveryId: number) =>
      w.insert(
        'implode_items',
        { delivery_id: deliveryId, group_key: 'g', size: 2, item: '1' },
        {
          expires_at: -DAY,
        },
      );
    await items(await w.delivery(kept.run, 1, 'parked'));
    await items(987_654);
    await w.insert('event_marks', {
      event_id: 987_654,
      story_id: 1,
      agent_id: 1,
      failure: true,
      reemitted: false,
    });
    await w.sql('DELETE FROM agents WHERE story_id = ?', [gone.story]);
    await w.sql('DELETE FROM stories WHERE id = ?', [gone.story]);
    const counts = {
      dead_letters: 1,
      events: 2,
      logs: 1,
      runs: 1,
      memory: 1,
      deduplicated_values: 2,
      schedules: 1,
      implode_items: 1,
      event_marks: 1,
      prompts: 0,
      audit_logs: 0,
      sign_ins: 0,
      idempotency_keys: 0,
      inbox_marks: 0,
      inbox_history: 0,
      canaries: 0,
      shadows: 0,
    };
    const retention = buildRetention(stores.db);
    // Dead letters and events are in the way of others while they are only counted.
    expect(await retention.pass({ countOnly: true })).toEqual({ ...counts, events: 0, runs: 0 });
    expect(await retention.pass({ thorough: true })).toEqual(counts);
    expect(await buildRetention(stores.db).pass()).toEqual(
      Object.fromEntries(Object.keys(counts).map((kind) => [kind, 0])),
    );
    expect(await w.ids('story_runs')).toEqual([kept.run.id]);
    expect(await w.ids('events')).toHaveLength(2);
  });

  it('waits for work that is still under way', async () => {
    const w = world();
    const run = { ...(await w.run(1, 5)), storyId: 9_999 };
    await w.sql('UPDATE story_runs SET story_id = 9999');
    await w.delivery(run, await w.event(run, 77, 5), 'pending');
    expect(await pass()).toMatchObject({ events: 0, runs: 0 });
    await w.sql('DELETE FROM deliveries');
    expect(await pass()).toMatchObject({ events: 1, runs: 1 });
  });
});
