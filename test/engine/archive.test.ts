import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type ArchiverDeps, createArchiver } from '../../src/operate/archive/archiver.js';
import { findProgress, readLag } from '../../src/operate/archive/archive-progress-store.js';
import { readArchivedLines } from '../../src/operate/archive/archive-reader.js';
import { verifyArchive } from '../../src/operate/archive/verify-archive.js';
import { createRetentionLoop } from '../../src/engine/retention/retention-loop.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import type { ObjectStore } from '../../src/platform/objects/object-store.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import { memoryObjects } from '../support/memory-objects.js';
import { DAY, HOUR, retentionWorld, type TestRun, watchedDatabase } from '../support/retention.js';
import { useStores } from '../support/stores.js';

/*
 * The archive copies all of a run, and retention deletes nothing that is not in it.
 */

const stores = useStores();
const world = () => retentionWorld(stores.db);
const logger = createSilentLogger();

const archiver = (objects: ObjectStore, deps: Partial<ArchiverDeps> = {}) =>
  createArchiver({ database: stores.db, objects, afterHours: 24, logger, ...deps });
const retain = () =>
  createRetentionLoop({
    database: stores.db,
    periods: { deadLetterDays: 14, auditDays: 365 },
    onlyArchived: true,
    logger,
  }).pass();
const rows = <Row>(sql: string, values: SqlValue[] = []) =>
  stores.db.read((session) => session.rows<Row>(sql, values));
const countOf = async (table: string) =>
  (await rows<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`))[0]!.count;

/** The archived lines of a run, as `event 12`. */
async function linesOf({ guid }: TestRun, objects: ObjectStore) {
  const lines: string[] = [];
  for await (const { kind, id } of readArchivedLines(objects, guid)) lines.push(`${kind} ${id}`);
  return lines;
}

const logOf = (run: TestRun, agent: number, age: number) =>
  world().insert(
    'agent_logs',
    { agent_id: agent, story_run_guid: run.guid, level: 2, message: 'a "line"\nof two' },
    { created_at: age },
  );

/** A run with an event and a line of a log, as old as it. */
async function oldRun(story: number, agent: number, age: number) {
  const w = world();
  const run = await w.run(story, age);
  const event = await w.event(run, agent, age);
  return { run, event, log: await logOf(run, agent, age) };
}

async function oneStory(keep = 7 * DAY) {
  const story = await world().story(keep);
  return { story, agent: await world().agent(story) };
}

describe('what is archived', () => {
  it('is each ended run of that age with its events, logs and dead letters, as they are stored', async () => {
    const { store, objects } = memoryObjects();
    const { story, agent } = await oneStory();
    const { run, event, log } = await oldRun(story, agent, 2 * DAY);
    const payload = '{"big": 12345678901234567890,\n "2": {"1": "~fabula-secret~0abc~"}}';
    await world().sql('UPDATE events SET payload = ? WHERE id = ?', [payload, event]);
    const letter = await world().delivery(run, event, 'failed', DAY);
    const { run: young } = await oldRun(story, agent, HOUR);

    expect(await archiver(store).pass()).toMatchObject({ runs: 1, files: 1 });
    expect(await linesOf(run, store)).toEqual([
      expect.stringMatching(/^summary \d+$/),
      `dead_letter ${letter}`,
      `event ${event}`,
      `log ${log}`,
    ]);
    expect(await linesOf(young, store)).toEqual([]);
    const [, data] = [...objects].find(([name]) => name.endsWith('.gz'))!;
    const text = gunzipSync(data).toString();
    expect(text.trimEnd().split('\n')).toHaveLength(4);
    expect(text).toContain(`"payload":${payload.replace('\n', ' ')}}`);
    expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({
      run: run.guid,
      story_id: story,
      status: 'failed',
    });
    expect(await verifyArchive(store)).toMatchObject({ files: 1, faults: [] });
  });

  it('includes the requests that were kept of HTTP actions', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory();
    const { run, event, log } = await oldRun(story, agent, 2 * DAY);
    const other = await world().event(run, agent, 2 * DAY);
    const request = '{"method":"GET","url":"https://a.example/?key=[credential x]"}';
    await world().sql('UPDATE events SET request = ? WHERE id = ?', [request, event]);
    await world().sql('UPDATE agent_logs SET request = ? WHERE id = ?', [request, log]);
    await archiver(store).pass();
    const requests = new Map<string, unknown>();
    for await (const { kind, id, text } of readArchivedLines(store, run.guid)) {
      requests.set(`${kind} ${id}`, (JSON.parse(text) as { request?: unknown }).request);
    }
    expect(requests.get(`event ${event}`)).toEqual(JSON.parse(request));
    expect(requests.get(`log ${log}`)).toEqual(JSON.parse(request));
    expect(requests.get(`event ${other}`)).toBeUndefined();
  });

  it('is no run that has work left, until it has ended', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory();
    const { run, event } = await oldRun(story, agent, 2 * DAY);
    const delivery = await world().delivery(run, event, 'waiting', -DAY);
    expect(await archiver(store).pass()).toMatchObject({ runs: 0, files: 0 });
    expect(await stores.db.read((session) => readLag(session, 24))).toEqual({ waiting: 1, seconds: 0 });
    await world().sql('DELETE FROM deliveries WHERE id = ?', [delivery]);
    expect(await archiver(store).pass()).toMatchObject({ runs: 0 });
    await world().sql('UPDATE archive_waits SET next_at = NOW(3)');
    expect(await archiver(store).pass()).toMatchObject({ runs: 1 });
    expect(await countOf('archive_waits')).toBe(0);
  });

  it('goes on where it stopped, and archives nothing twice', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory();
    await oldRun(story, agent, 3 * DAY);
    expect(await archiver(store).pass()).toMatchObject({ runs: 1 });
    await oldRun(story, agent, 2 * DAY);
    await oldRun(story, agent, 2 * DAY);
    expect(await archiver(store).pass()).toMatchObject({ runs: 2 });
    expect(await archiver(store).pass()).toMatchObject({ runs: 0, files: 0 });
    expect(await stores.db.read(findProgress)).toMatchObject({ place: 'memory', runs: 3, files: 2 });
  });

  it('is spread over files of bounded size, also a single run', async () => {
    const { store, objects } = memoryObjects();
    const { story, agent } = await oneStory();
    const run = await world().run(story, 2 * DAY);
    const events: number[] = [];
    for (let count = 0; count < 60; count++) events.push(await world().event(run, agent, 2 * DAY));
    for (const id of events) {
      const payload = JSON.stringify({ noise: randomBytes(15_000).toString('hex') });
      await world().sql('UPDATE events SET payload = ? WHERE id = ?', [payload, id]);
    }
    const { run: other, event } = await oldRun(story, agent, 2 * DAY);
    const limits = { fileBytes: 100_000, memberBytes: 40_000 };
    const sums = (await archiver(store, { limits }).pass())!;
    expect(sums.files).toBeGreaterThan(3);
    const sizes = [...objects].filter(([name]) => name.endsWith('.gz')).map(([, bytes]) => bytes.length);
    expect(Math.max(...sizes)).toBeLessThan(150_000);
    const lines = await linesOf(run, store);
    expect(lines.filter((line) => line.startsWith('event'))).toEqual(events.map((id) => `event ${id}`));
    expect(await linesOf(other, store)).toContain(`event ${event}`);
  });

  it('is done by one process at a time', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory();
    await oldRun(story, agent, 2 * DAY);
    let second: unknown = 'not asked';
    const first = await archiver({
      ...store,
      async put(name, bytes) {
        second = await archiver(store).pass();
        return store.put(name, bytes);
      },
    }).pass();
    expect(second).toBeUndefined();
    expect(first).toMatchObject({ runs: 1 });
  });

  it('loses nothing where two are at it all the same', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory();
    const runs = [];
    for (let count = 0; count < 5; count++) runs.push(await oldRun(story, agent, 10 * DAY));
    const database = watchedDatabase(stores.db, {
      instead: (sql) => (sql.startsWith('UPDATE leases') ? { affectedRows: 1, insertId: 0 } : undefined),
    });
    let second: unknown;
    const put: ObjectStore['put'] = async (name, bytes) => {
      second ??= await archiver(store, { database }).pass();
      await store.put(name, bytes);
    };
    expect(await archiver({ ...store, put }, { database }).pass()).toMatchObject({ runs: 5 });
    expect(second).toMatchObject({ runs: 5 });
    expect(await retain()).toMatchObject({ events: 5, runs: 5 });
    for (const { run, event } of runs) expect(await linesOf(run, store)).toContain(`event ${event}`);
    expect(await verifyArchive(store)).toMatchObject({ files: 2, faults: [] });
  });

  it('stays at one place until somebody says that its files were moved', async () => {
    const { store } = memoryObjects();
    await archiver(store).pass();
    const other = { ...memoryObjects().store, place: 'elsewhere' };
    await expect(archiver(other).pass()).rejects.toThrow('the archive is at memory');
    expect(await archiver(other).pass({ moved: true })).toMatchObject({ runs: 0 });
    await expect(archiver(store).pass()).rejects.toThrow('the archive is at elsewhere');
  });
});

/** Dies at the nth change of the place, before or after it. */
function dying(store: ObjectStore, at: number, after: boolean): ObjectStore {
  let changes = 0;
  return {
    ...store,
    async put(name, bytes) {
      changes += 1;
      if (changes === at && !after) throw new Error('killed');
      await store.put(name, bytes);
      if (changes === at && after) throw new Error('killed');
    },
  };
}

describe('whatever fails', () => {
  it.each([1, 2, 3].flatMap((at) => [false, true].map((after) => [at, after] as const)))(
    'change %i of the place (done: %s), no run is noted, and the next pass archives it',
    async (at, after) => {
      const { store } = memoryObjects();
      const { story, agent } = await oneStory();
      const { run, event } = await oldRun(story, agent, 10 * DAY);
      await expect(archiver(dying(store, at, after)).pass()).rejects.toThrow('killed');
      expect(await countOf('archived_runs')).toBe(0);
      expect(await retain()).toMatchObject({ events: 0, runs: 0, logs: 0 });
      expect(await archiver(store).pass()).toMatchObject({ runs: 1 });
      expect(new Set(await linesOf(run, store)).has(`event ${event}`)).toBe(true);
      await retain();
      expect(await countOf('events')).toBe(0);
    },
  );

  it('a file that comes back damaged is not noted', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory();
    await oldRun(story, agent, 2 * DAY);
    const damaging = { ...store, read: () => Promise.resolve(Buffer.from('other bytes')) };
    await expect(archiver(damaging).pass()).rejects.toThrow('digest');
    expect(await countOf('archived_runs')).toBe(0);
    expect(await stores.db.read(findProgress)).toMatchObject({ runs: 0, afterRunId: 0 });
  });

  it('a file that was changed later is found by its checksum', async () => {
    const { store, objects } = memoryObjects();
    const { story, agent } = await oneStory();
    await oldRun(story, agent, 2 * DAY);
    await archiver(store).pass();
    const [name] = [...objects.keys()].filter((each) => each.endsWith('.gz'));
    objects.set(name!, Buffer.concat([objects.get(name!)!, Buffer.from('x')]));
    expect((await verifyArchive(store)).faults).toEqual([expect.stringContaining('digest')]);
    objects.delete(name!);
    expect((await verifyArchive(store)).faults).toHaveLength(1);
  });
});

describe('retention with an archive', () => {
  it('deletes nothing before it is archived, asks for it, and deletes it then', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory(HOUR);
    const { run: older } = await oldRun(story, agent, 10 * DAY);
    const { run } = await oldRun(story, agent, 2 * HOUR);
    expect(await retain()).toMatchObject({ events: 0, logs: 0, runs: 0 });
    expect([await countOf('events'), await countOf('archive_waits')]).toEqual([2, 2]);
    // The second run is younger than the archive's own age: it is archived because it is due.
    expect(await archiver(store).pass()).toMatchObject({ runs: 2 });
    expect(await retain()).toMatchObject({ events: 2, logs: 1, runs: 1 });
    expect(await linesOf(run, store)).not.toEqual([]);
    expect(await linesOf(older, store)).not.toEqual([]);
    expect([await countOf('story_runs'), await countOf('archived_runs')]).toEqual([1, 1]);
  });

  it('keeps what a run got after it was archived, until that is archived too', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory();
    const { run, event } = await oldRun(story, agent, 10 * DAY);
    await archiver(store).pass();
    const later = await world().event(run, agent, 9 * DAY);
    const line = await logOf(run, agent, 9 * DAY);
    await retain();
    expect(await world().ids('events')).toEqual([later]);
    expect(await rows('SELECT events, last_event_id AS last FROM archived_runs')).toEqual([
      { events: 1, last: event },
    ]);
    expect(await world().ids('agent_logs')).toEqual([line]);
    expect(await archiver(store).pass()).toMatchObject({ runs: 1 });
    await retain();
    expect([await countOf('events'), await countOf('agent_logs'), await countOf('story_runs')]).toEqual([
      0, 0, 0,
    ]);
    const lines = await linesOf(run, store);
    expect(lines.filter((each) => each.startsWith('event'))).toEqual([`event ${event}`, `event ${later}`]);
    expect(lines).toContain(`log ${line}`);
    expect(await stores.db.read(findProgress)).toMatchObject({ runs: 2 });
  });

  it('keeps a dead letter until its run is archived with it', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory();
    const { run, event } = await oldRun(story, agent, 30 * DAY);
    await archiver(store).pass();
    await world().sql('UPDATE archived_runs SET archived_at = NOW(3) - INTERVAL 20 DAY');
    const letter = await world().delivery(run, event, 'failed', 15 * DAY);
    await retain();
    expect(await world().ids('deliveries')).toEqual([letter]);
    expect(await archiver(store).pass()).toMatchObject({ runs: 1 });
    await retain();
    expect(await countOf('deliveries')).toBe(0);
    expect(await linesOf(run, store)).toContain(`dead_letter ${letter}`);
  });

  it('archives what a deleted story leaves behind before it goes', async () => {
    const { store } = memoryObjects();
    const { story, agent } = await oneStory();
    const { run, event } = await oldRun(story, agent, 10);
    await world().sql('UPDATE events SET created_at = NOW(3) - INTERVAL 2 MINUTE');
    await world().delivery(run, event, 'failed', 5);
    await world().sql('DELETE FROM agents');
    await world().sql('DELETE FROM stories');
    await retain();
    expect([await countOf('events'), await countOf('deliveries'), await countOf('story_runs')]).toEqual([
      1, 1, 1,
    ]);
    await archiver(store).pass();
    await retain();
    expect([await countOf('events'), await countOf('deliveries'), await countOf('story_runs')]).toEqual([
      0, 0, 0,
    ]);
    expect(await countOf('archived_runs')).toBe(0);
    expect(await linesOf(run, store)).toContain(`event ${event}`);
  });

  it('deletes a line of a log whose run is gone', async () => {
    const { agent } = await oneStory();
    await world().log(agent, 10 * DAY);
    expect(await retain()).toMatchObject({ logs: 1 });
  });
});
