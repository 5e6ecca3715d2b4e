import type { JsonObject } from '../../src/platform/json.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { startObjectStorage, STORAGE_KEYS } from '../support/object-storage.js';
import { call, type RunResponse, says } from '../support/run-api.js';
import { runCli } from '../support/run-cli.js';
import { startHttpTarget } from '../support/http-target.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { buildAccount } from '../support/builders.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let fabula: TestFabula;
let folder: string;
let closers: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fabula-archive-'));
});

afterEach(async () => {
  for (const close of closers.toReversed()) await close();
  closers = [];
  await rm(folder, { recursive: true });
});

async function start(env: NodeJS.ProcessEnv) {
  fabula = await startFabula(stores, { env });
  closers.push(() => fabula.close());
}

const small = storyOf({ Hook: ['Webhook', {}], Say: says({ n: '=hook.body.n' }) }, ['Hook > Say']);
const cli = (args: string[], env: NodeJS.ProcessEnv) =>
  runCli(args, { env: { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl, ...env } });

interface Details extends RunResponse {
  archived: boolean;
  log_count: number;
  events: { id: number; payload: { n?: number }; previous_events_ids: number[] }[];
  meta: { total_entries?: number };
}

/** Runs the story once and lets the run grow old. */
async function oldRun(days = 30) {
  const story = await fabula.importStory(small);
  const response = await fabula.fire(story.webhooks['Hook']!, { n: 7 });
  const guid = response.headers.get('x-service-story-run')!;
  await fabula.settled();
  for (const table of ['story_runs', 'events', 'agent_logs']) {
    await stores.sql(`UPDATE ${table} SET created_at = created_at - INTERVAL ${days} DAY`);
  }
  return { path: `/api/v1/stories/${story.id}/runs/${guid}`, guid, id: story.id };
}

const detailsOf = async (run: { path: string }, query = '') =>
  (await call(fabula, `GET ${run.path}${query}`)).body as unknown as Details;

async function archiveAndDelete(env: NodeJS.ProcessEnv) {
  expect(await cli(['archive'], env)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Archived: 1 runs'),
  });
  expect((await cli(['retention'], env)).out).toMatch(/events 2.*runs 1/);
}

describe.each(['a folder', 'a bucket'])('a run in %s', (kind) => {
  async function open(): Promise<NodeJS.ProcessEnv> {
    if (kind === 'a folder') return { ARCHIVE_TO: folder };
    const storage = await startObjectStorage();
    closers.push(() => storage.close());
    return {
      ARCHIVE_TO: 's3://archive/some/prefix/',
      ARCHIVE_S3_ENDPOINT: storage.url,
      ARCHIVE_S3_ACCESS_KEY_ID: STORAGE_KEYS.accessKeyId,
      ARCHIVE_S3_SECRET_ACCESS_KEY: STORAGE_KEYS.secretAccessKey,
    };
  }

  it('is read by its guid as before, after retention has deleted it', async () => {
    const env = await open();
    await start(env);
    const run = await oldRun();
    const before = await detailsOf(run);
    expect(before).toMatchObject({ archived: false, status: 'completed', event_count: 2 });
    await archiveAndDelete(env);
    expect(await stores.db.read((session) => session.rows('SELECT id FROM story_runs'))).toEqual([]);
    expect(await detailsOf(run)).toEqual({ ...before, archived: true });
    const page = await detailsOf(run, '?per_page=1&page=2');
    expect(page.events.map(({ id }) => id)).toEqual([before.events[1]!.id]);
    expect(page.events[0]!.payload).toEqual({ n: 7 });
    expect(await cli(['archive', '--verify'], env)).toMatchObject({ code: 0 });
  });

  it('is read from there as soon as its events are gone', async () => {
    const env = await open();
    await start(env);
    const run = await oldRun(2);
    expect(await cli(['archive'], env)).toMatchObject({ code: 0 });
    expect(await detailsOf(run)).toMatchObject({ archived: false });
    await stores.sql('DELETE FROM events ORDER BY id LIMIT 1');
    expect(await detailsOf(run)).toMatchObject({ archived: true, event_count: 2 });
  });

  it('is hidden from strangers, and from other stories', async () => {
    const env = await open();
    await start(env);
    const run = await oldRun();
    await archiveAndDelete(env);
    const stranger = await buildAccount(stores.db, { owner: true });
    expect((await call(fabula, `GET ${run.path}`, { as: stranger })).status).toBe(404);
    const other = await fabula.importStory(small);
    expect((await call(fabula, `GET /api/v1/stories/${other.id}/runs/${run.guid}`)).status).toBe(404);
    const unknown = `/api/v1/stories/${run.id}/runs/00000000-0000-7000-8000-000000000000`;
    expect((await call(fabula, `GET ${unknown}`)).status).toBe(404);
  });
});

it('a run in the archive keeps its failed attempts, its cause and its warnings', async () => {
  const env = { ARCHIVE_TO: folder };
  await start({ ...env, MAX_ATTEMPTS: '1' });
  const target = await startHttpTarget({ rules: { '/500': { status: 500, body: { message: 'No store' } } } });
  closers.push(() => target.close());
  const ask = (options: object): ShortAgent => ['HTTPRequest', { url: `${target.url}/500`, ...options }];
  const story = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], Ask: ask({ fail_on_status: ['500'] }), Look: ask({}) }, [
      'Hook > Ask',
      'Hook > Look',
    ]),
  );
  const response = await fabula.fire(story.webhooks['Hook']!, { n: 7 });
  await fabula.settled();
  for (const table of ['story_runs', 'events', 'agent_logs', 'deliveries']) {
    await stores.sql(`UPDATE ${table} SET created_at = created_at - INTERVAL 30 DAY`);
  }
  const path = `/api/v1/stories/${story.id}/runs/${response.headers.get('x-service-story-run')!}`;
  const before = await call(fabula, `GET ${path}`);
  expect(before.body).toMatchObject({ cause: '500 · No store', warnings: 1, attempt_count: 2 });
  expect(await cli(['archive'], env)).toMatchObject({ code: 0 });
  await stores.sql('DELETE FROM events');
  await stores.sql('DELETE FROM agent_logs');
  const { body } = await call(fabula, `GET ${path}`);
  expect(body).toMatchObject({ archived: true, cause: '500 · No store', warnings: 1, attempt_count: 2 });
  // The events that were processed are no more.
  const attempts = (before.body.attempts as JsonObject[]).map((each) => ({ ...each, event_id: null }));
  expect((body.attempts as JsonObject[]).map((each) => ({ ...each, event_id: null }))).toEqual(attempts);
});

it('a run in the archive is about the same on every page, by the template of its story too', async () => {
  const env = { ARCHIVE_TO: folder };
  await start(env);
  const run = await oldRun();
  const subjectOf = async (query = '') =>
    ((await detailsOf(run, query)) as unknown as { subject: string | null }).subject;
  expect(await subjectOf()).toBe('n: 7');
  await archiveAndDelete(env);
  expect([await subjectOf(), await subjectOf('?per_page=1&page=2')]).toEqual(['n: 7', 'n: 7']);
  await call(fabula, `PUT /api/v1/stories/${run.id}`, { body: { run_subject: 'Alert <<hook.body.n>>' } });
  expect(await subjectOf('?per_page=1&page=2')).toBe('Alert 7');
});

it('answers 503 while the archive cannot be read', async () => {
  const storage = await startObjectStorage();
  closers.push(() => storage.close());
  const env = {
    ARCHIVE_TO: 's3://archive',
    ARCHIVE_S3_ENDPOINT: storage.url,
    ARCHIVE_S3_ACCESS_KEY_ID: STORAGE_KEYS.accessKeyId,
    ARCHIVE_S3_SECRET_ACCESS_KEY: STORAGE_KEYS.secretAccessKey,
  };
  await start(env);
  const run = await oldRun();
  await archiveAndDelete(env);
  storage.fail(() => ({ status: 500 }));
  expect((await call(fabula, `GET ${run.path}`)).status).toBe(503);
  storage.fail(() => undefined);
  expect((await call(fabula, `GET ${run.path}`)).status).toBe(200);
});

describe('the command', () => {
  it('says how far the archive is', async () => {
    const env = { ARCHIVE_TO: folder };
    await start(env);
    await oldRun();
    expect((await cli(['archive', '--status'], env)).out).toBe('No runs archived yet.\n');
    await cli(['archive'], env);
    const { out } = await cli(['archive', '--status', '--json'], env);
    expect(JSON.parse(out)).toMatchObject({ place: folder, runs: 1, files: 1, waiting: 0, lag_seconds: 0 });
    expect((await cli(['archive'], env)).out).toBe('Nothing to archive.\n');
  });

  it('refuses to work without a place, or without the keys of a bucket', async () => {
    expect(await cli(['archive'], {})).toMatchObject({
      code: 1,
      err: expect.stringContaining('set ARCHIVE_TO'),
    });
    const bucket = await cli(['archive'], { ARCHIVE_TO: 's3://archive' });
    expect(bucket.err).toContain('ARCHIVE_S3_ACCESS_KEY_ID is required');
    expect(bucket.err).toContain('ARCHIVE_S3_SECRET_ACCESS_KEY is required');
    expect((await cli(['archive'], { ARCHIVE_TO: 'gs://archive' })).err).toContain('ARCHIVE_TO');
  });
});
