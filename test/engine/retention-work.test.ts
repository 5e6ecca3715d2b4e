import { createDatabase } from '../../src/platform/mysql/database.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { deleteDeliveries, insertDeliveries } from '../../src/engine/state/deliveries/delivery-store.js';
import { insertEvents } from '../../src/engine/state/events/event-store.js';
import { holdRun } from '../../src/engine/state/runs/run-hold-store.js';
import { insertRuns } from '../../src/engine/state/runs/run-store.js';
import { createRetentionPace } from '../../src/engine/retention/retention-pace.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { eventually } from '../support/eventually.js';
import { buildRetention, DAY, HOUR, retentionWorld, watchedDatabase } from '../support/retention.js';
import { runCli } from '../support/run-cli.js';
import { useStores } from '../support/stores.js';

/*
 * How retention does its work: in small steps, one process at a time, in nobody's way; and the command.
 */

const stores = useStores();
const world = () => retentionWorld(stores.db);
/** One thorough pass of a process that has just begun. */
const pass = () => buildRetention(stores.db).pass();

/** A story whose single agent has many events, two in a run, all past their time. */
async function manyOldEvents(count: number) {
  const w = world();
  const story = await w.story(HOUR);
  const agent = await w.agent(story);
  const guids = Array.from({ length: count / 2 }, () => newRunGuid());
  const insertAll = async (session: Session) => {
    await insertRuns(
      session,
      guids.map((guid) => ({ guid, storyId: story, source: 'webhook' as const, awaited: false })),
    );
    const events = [...guids, ...guids].map((storyRunGuid) => ({
      storyRunGuid,
      storyId: story,
      agentId: agent,
      payload: '{}',
      lineage: '{}',
    }));
    await insertEvents(session, events);
  };
  await stores.db.transaction(insertAll);
  await w.sql('UPDATE events SET created_at = NOW(3) - INTERVAL 2 DAY');
  await w.sql('UPDATE story_runs SET created_at = NOW(3) - INTERVAL 2 DAY');
  return { story, agent, guids };
}

/** Every process has the lease. */
const everyoneHasIt = () =>
  watchedDatabase(stores.db, {
    instead: (sql) => (sql.startsWith('UPDATE leases') ? { affectedRows: 1, insertId: 0 } : undefined),
  });

describe('how it is done', () => {
  it('deletes at most 500 rows in a transaction', async () => {
    await manyOldEvents(3_000);
    const deleted: number[] = [];
    const database = watchedDatabase(stores.db, {
      after: (sql, rows) => void (sql.startsWith('DELETE') && deleted.push(rows)),
    });
    expect(await buildRetention(database).pass()).toMatchObject({ events: 3_000, runs: 1_500 });
    expect(Math.max(...deleted)).toBeLessThanOrEqual(500);
    expect(deleted.filter((rows) => rows > 0).length).toBeGreaterThanOrEqual(9);
  });

  it('comes back to events whose story was given more time between the look and the deletion', async () => {
    const w = world();
    const { story } = await manyOldEvents(20);
    const keepFor = (seconds: number) =>
      w.sql('UPDATE stories SET keep_events_for = ? WHERE id = ?', [seconds, story]);
    let isLonger = false;
    const database = watchedDatabase(stores.db, {
      async before(sql) {
        if (sql.includes('SKIP LOCKED') && !isLonger) {
          isLonger = true;
          await keepFor(30 * DAY);
        }
      },
    });
    const retention = buildRetention(database);
    expect(await retention.pass()).toMatchObject({ events: 0, runs: 0 });
    await keepFor(HOUR);
    expect(await retention.pass()).toMatchObject({ events: 20 });
  });

  it('leaves a run alone that is given new work between the look and the deletion', async () => {
    const w = world();
    const { guids, story } = await manyOldEvents(20);
    const revived = { guid: guids[3]!, storyId: story, id: 0 };
    const database = watchedDatabase(stores.db, {
      async before(sql) {
        if (sql.includes('SKIP LOCKED') && (await w.ids('deliveries')).length === 0)
          await w.delivery(revived, 1, 'pending');
      },
    });
    expect(await buildRetention(database).pass()).toMatchObject({ events: 18, runs: 9 });
    expect(await w.ids('events')).toHaveLength(2);
  });

  it('leaves events alone whose story is given more time between the look and the deletion', async () => {
    const w = world();
    await manyOldEvents(20);
    const database = watchedDatabase(stores.db, {
      async before(sql) {
        if (sql.includes('SKIP LOCKED')) await w.sql('UPDATE stories SET keep_events_for = ?', [7 * DAY]);
      },
    });
    expect(await buildRetention(database).pass()).toMatchObject({ events: 0, runs: 0 });
    expect(await w.ids('events')).toHaveLength(20);
  });

  it('passes over a run that somebody holds to give it new work, without waiting', async () => {
    const w = world();
    const { guids, story } = await manyOldEvents(20);
    await stores.db.transaction(async (session) => {
      expect(await holdRun(session, guids[0]!)).toMatchObject({ cancelled: false });
      expect(await pass()).toMatchObject({ events: 18, runs: 9 });
      await session.run(
        `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at)
         VALUES (?, ?, 1, 1, 'trigger', 1, NOW(3))`,
        [guids[0]!, story],
      );
    });
    expect(await pass()).toMatchObject({ events: 0, runs: 0 });
    expect(await w.ids('events')).toHaveLength(2);
  });

  it('lets one process at it, and another once the first is done or dead', async () => {
    const w = world();
    await manyOldEvents(2_000);
    const tallies = await Promise.all([pass(), pass()]);
    expect(tallies.filter((tally) => tally === undefined)).toHaveLength(1);
    await w.sql(
      "UPDATE leases SET holder = 'dead', held_until = NOW(3) + INTERVAL 30 SECOND WHERE name = 'retention'",
    );
    expect(await pass()).toBeUndefined();
    await w.sql("UPDATE leases SET held_until = NOW(3) - INTERVAL 10 SECOND WHERE name = 'retention'");
    expect(await pass()).toMatchObject({ events: 0 });
  });

  it('does no harm where two are at it all the same', async () => {
    await manyOldEvents(4_000);
    const w = world();
    const tallies = await Promise.all([
      buildRetention(everyoneHasIt()).pass(),
      buildRetention(everyoneHasIt()).pass(),
    ]);
    expect(tallies.reduce((sum, tally) => sum + (tally?.events ?? 0), 0)).toBeGreaterThan(0);
    await pass();
    expect([await w.ids('events'), await w.ids('story_runs')]).toEqual([[], []]);
  });

  it('keeps nobody waiting for a second: writers with a lock time-out of one second never see it', async () => {
    const { story, agent } = await manyOldEvents(6_000);
    const impatient = createDatabase({ url: stores.databaseUrl, poolSize: 4, logger: stores.logger });
    const over = new AbortController();
    const write = async () => {
      let rounds = 0;
      for (; !over.signal.aborted; rounds++) {
        await impatient.transaction(async (session) => {
          await session.run('SET SESSION innodb_lock_wait_timeout = 1');
          await oneRun(session, { story, agent });
        });
      }
      return rounds;
    };
    const writers = Promise.all([write(), write(), write()]);
    try {
      expect(await pass()).toMatchObject({ events: 6_000 });
    } finally {
      over.abort();
      expect(Math.min(...(await writers))).toBeGreaterThan(0);
      await impatient.close();
    }
  });

  it('reads next to nothing where nothing is due, however many events there are', async () => {
    await manyOldEvents(6_000);
    await world().sql('UPDATE events SET created_at = NOW(3)');
    await world().sql('UPDATE story_runs SET created_at = NOW(3)');
    const single = createDatabase({ url: stores.databaseUrl, poolSize: 1, logger: stores.logger });
    try {
      const retention = buildRetention(single);
      const reads = () =>
        single.read(async (session) => {
          const rows = await session.rows<{ Value: string }>("SHOW SESSION STATUS LIKE 'Handler_read%'");
          return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
        });
      const before = await reads();
      expect(await retention.pass()).toMatchObject({ events: 0 });
      expect((await reads()) - before).toBeLessThan(200);
    } finally {
      await single.close();
    }
  });

  it('runs until it is told to stop, and ends with the batch under way', async () => {
    const w = world();
    await manyOldEvents(2_000);
    const stopping = new AbortController();
    const running = buildRetention(stores.db).run(stopping.signal);
    await eventually(async () => (await w.ids('events')).length < 2_000);
    stopping.abort();
    await running;
    const left = (await w.ids('events')).length;
    expect(await pass()).toMatchObject({ events: left });
  });
});

/** A run of one event whose delivery is consumed: what web and workers write all the time. */
async function oneRun(session: Session, { story, agent }: Record<'story' | 'agent', number>) {
  const storyRunGuid = newRunGuid();
  await insertRuns(session, [{ guid: storyRunGuid, storyId: story, source: 'webhook', awaited: true }]);
  const event = { storyRunGuid, storyId: story, agentId: agent, payload: '{}', lineage: '{}' };
  const [eventId = 0] = await insertEvents(session, [event]);
  const delivery = {
    storyRunGuid,
    storyId: story,
    agentId: agent,
    eventId,
    queue: 'trigger' as const,
    awaited: false,
    called: false,
    depth: 1,
  };
  const ids = await insertDeliveries(session, [delivery, delivery]);
  await deleteDeliveries(session, ids.slice(0, 1));
  await session.run('UPDATE story_runs SET response_event_id = ? WHERE guid = ?', [eventId, storyRunGuid]);
}

const fabula = (...args: string[]) => runCli(args, { env: { DATABASE_URL: stores.databaseUrl } });

describe('the command', () => {
  it('counts what would go, and deletes it until nothing is due', async () => {
    const w = world();
    await manyOldEvents(40);
    const dry = await fabula('retention', '--dry-run', '--json');
    expect([dry.code, dry.err]).toEqual([0, '']);
    expect(JSON.parse(dry.out)).toMatchObject({ dry_run: true, due: { events: 40, runs: 0, logs: 0 } });
    expect(await w.ids('events')).toHaveLength(40);
    const text = await fabula('retention');
    // A slow machine sees the progress.
    const err = expect.stringMatching(/^(deleted so far: .*\n)*$/);
    expect(text).toEqual({ code: 0, out: 'Deleted: events 40, runs 20.\n', err });
    expect(await w.ids('events')).toEqual([]);
    expect((await fabula('retention')).out).toBe('No expired data.\n');
    const json = await fabula('retention', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ dry_run: false, deleted: { events: 0 } });
  });

  it('says of each kind what is past its time', async () => {
    const w = world();
    await w.audit(400 * DAY);
    await w.prompt(await w.run(await w.story(), 1), 1, { expired: 2 * DAY });
    const { out } = await fabula('retention', '--dry-run');
    expect(out).toBe(
      'Expired: prompts 1, audit logs 1. Data used only by these rows would also be deleted.\n',
    );
  });
});

/** The events of a batch are deleted after what belongs to them, by the same kind of statement. */
const isOfEvents = (sql: string) => /^DELETE[^]*JOIN events\b/.test(sql);

describe('the pace', () => {
  it('makes batches smaller where they take long and larger where they do not, within bounds', () => {
    const pace = createRetentionPace();
    const took = (ms: number, deleted = pace.rows('events')) => pace.took('events', { ms, deleted });
    for (let batch = 0; batch < 10; batch++) took(10);
    expect(pace.rows('events')).toBe(500);
    took(100);
    expect(pace.rows('events')).toBe(500);
    took(300);
    expect([pace.rows('events'), pace.rows('logs')]).toEqual([250, 200]);
    // Nothing was deleted: that was no work.
    took(10, 0);
    expect(pace.rows('events')).toBe(250);
    for (let batch = 0; batch < 10; batch++) took(300);
    expect(pace.rows('events')).toBe(20);
  });

  it('leaves the database alone for longer, the longer a batch took', () => {
    const pace = createRetentionPace();
    const pauses = [8, 40, 100, 1_000, 60_000].map((ms) => pace.took('logs', { ms, deleted: 0 }));
    expect(pauses).toEqual([2, 10, 100, 1_000, 2_000]);
  });

  it('goes on in small steps after a batch that failed', async () => {
    await manyOldEvents(100);
    let failures = 0;
    const deleted: number[] = [];
    const database = watchedDatabase(stores.db, {
      before(sql) {
        if (isOfEvents(sql) && failures++ === 0) throw new Error('too much at once');
      },
      after: (sql, rows) => void (isOfEvents(sql) && deleted.push(rows)),
    });
    const retention = buildRetention(database);
    await expect(retention.pass()).rejects.toThrow('too much at once');
    expect(await retention.pass()).toMatchObject({ events: 100 });
    expect(deleted[0]).toBe(20);
  });
});
