import { createClient } from '../../clients/typescript/client.js';
import { createApp } from '../../src/app/app.js';
import { ROUTES } from '../../src/app/routes.js';
import { createWebServices } from '../../src/app/services/web-services.js';
import { streamEventSchema } from '../../src/observe/stream/stream-event.js';
import { serve } from '../support/app.js';
import { type Account, buildAccount } from '../support/builders.js';
import { type EventStreamClient, openEventStream } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { runCli } from '../support/run-cli.js';
import { useStores } from '../support/stores.js';
import { storyOf } from '../support/stories.js';

const stores = useStores();
let fabula: TestFabulaHere;
let target: HttpTarget;
let second: { url: string; close(): Promise<void> };
let opened: EventStreamClient[] = [];
/** A process that goes on listening misses nothing: new readers need not wait until others know that somebody listens. */
let listener: EventStreamClient | undefined;

beforeAll(async () => {
  target = await startHttpTarget({ rules: { '/ask': { status: 500 } } });
  stores.onClose(() => target.close());
  fabula = await startFabulaHere(stores, {
    env: { MAX_ATTEMPTS: '1', STREAM_CONNECTIONS: '12', STREAM_CONNECTIONS_PER_USER: '3' },
  });
  const web = createWebServices(fabula.config, stores.logger, { isShuttingDown: () => false });
  const server = await serve(createApp({ ...web.app, routes: ROUTES }));
  second = {
    url: server.url,
    async close() {
      await web.endStreams();
      await server.close();
      await web.close();
    },
  };
  stores.onClose(() => second.close());
});

let account: Account;
beforeEach(async () => {
  account = await buildAccount(stores.db, { owner: true });
  const before = listener;
  const { key } = await buildAccount(stores.db);
  listener = await openEventStream(`${second.url}/api/v1/stream`, { 'x-user-token': key });
  before?.close();
});
afterAll(() => listener?.close());
afterEach(() => {
  for (const stream of opened) stream.close();
  opened = [];
});

async function open(query = '', options: { key?: string; lastEventId?: string; url?: string } = {}) {
  const { key = account.key, lastEventId, url = second.url } = options;
  const headers = { 'x-user-token': key, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
  const stream = await openEventStream(`${url}/api/v1/stream?${query}`, headers);
  opened.push(stream);
  return stream;
}

/** A stream that misses nothing any more. */
async function listening(query = '', options: Parameters<typeof open>[1] = {}) {
  const stream = await open(query, options);
  expect(stream.status).toBe(200);
  const begun = await stream.next(({ event }) => event === 'resync');
  expect(begun.data).toMatchObject({ reason: 'begun' });
  return stream;
}

const storyFor = (owner: Account, data: object, name = 'Alerts') =>
  fabula.as(owner).importStory(data as never, { new_name: name });

/** Runs a command in the account's team, beside the running processes; returns what it prints. */
async function command(args: string[], input = ''): Promise<{ id: number }> {
  const where = ['--team', String(account.team.id), '--tenant', String(account.tenantId), '--json'];
  const env = {
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    QUEUE_PREFIX: fabula.config.queuePrefix,
  };
  const { code, out, err } = await runCli([...args, ...where], { env, input });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as { id: number };
}

let paths = 0;
const hook = () => ['Webhook', { path: `live-${process.pid}-${++paths}`, secret: 's', verbs: 'post' }];
const quick = () =>
  storyOf(
    { Receive: hook(), Pass: ['EventTransformation', { mode: 'message_only', payload: { a: 1 } }] } as never,
    ['Receive > Pass'],
  );
const failing = () =>
  storyOf(
    {
      Receive: hook(),
      Ask: ['HTTPRequest', { url: `${target.url}/ask`, method: 'post', fail_on_status: ['500'] }],
    } as never,
    ['Receive > Ask'],
  );
const sleeping = () =>
  storyOf({ Receive: hook(), Wait: ['EventTransformation', { mode: 'delay', seconds: 600 }] } as never, [
    'Receive > Wait',
  ]);
const fire = async (webhooks: Record<string, string>) =>
  (await fabula.fire(webhooks['Receive'] ?? '')).headers.get('x-service-story-run');

describe('the stream', () => {
  it('tells on one web process of runs that another one accepted and a worker ran', async () => {
    const story = await storyFor(account, quick());
    const stream = await listening();
    const guid = await fire(story.webhooks);
    const ofRun = (kind: string) =>
      stream.next(({ event, data }) => event === kind && data['story_run_guid'] === guid);
    expect((await ofRun('run_started')).data).toEqual({
      story_id: story.id,
      team_id: account.team.id,
      at: expect.any(String),
      story_run_guid: guid,
      source: 'webhook',
    });
    expect((await ofRun('run_ended')).data).toMatchObject({ status: 'completed' });
    await eventually(() => {
      const counts = stream.events.filter(({ event }) => event === 'counts').map(({ data }) => data);
      const sum = (key: string) => counts.reduce((total, data) => total + Number(data[key]), 0);
      return sum('runs_started') === 1 && sum('events') === 2;
    });
    for (const event of stream.events.filter(({ event }) => event !== 'resync')) {
      expect(streamEventSchema.validate(event, { convert: false }).error).toBeUndefined();
    }
  });

  it('has headers that keep proxies from holding it back', async () => {
    const stream = await open();
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers['content-encoding']).toBeUndefined();
    expect(stream.headers['x-ratelimit-limit']).toBeDefined();
  });

  it('tells of errors and dead letters', async () => {
    const story = await storyFor(account, failing());
    const viewer = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
    const stream = await listening('kinds=log&kinds=dead_letter');
    const viewed = await listening('kinds=dead_letter', { key: viewer.key });
    const guid = await fire(story.webhooks);
    const letter = await stream.next(({ event }) => event === 'dead_letter');
    expect(letter.data).toMatchObject({ story_id: story.id, story_run_guid: guid });
    const [stored] = await eventually(async () => {
      const letters = await fabula.deadLetters();
      return letters.length > 0 && letters;
    });
    expect(letter.data['dead_letter_id']).toBe(stored!.id);
    expect((await stream.next(({ event }) => event === 'log')).data).toMatchObject({ level: 'error' });
    await viewed.next(({ event }) => event === 'dead_letter');
    expect(new Set(viewed.events.map(({ event }) => event))).toEqual(new Set(['resync', 'dead_letter']));
  });

  it('tells of changed and of deleted stories', async () => {
    const story = await storyFor(account, quick());
    const stream = await listening('kinds=story_changed');
    const { api } = fabula.as(account);
    await api('PATCH', `/api/v1/stories/${story.id}`, { description: 'x' });
    await stream.next(({ data }) => data['story_id'] === story.id && data['deleted'] === false);
    await api('DELETE', `/api/v1/stories/${story.id}`);
    await stream.next(({ data }) => data['story_id'] === story.id && data['deleted'] === true);
  });

  it('tells of made and of changed cases, to those who see their team', async () => {
    const stranger = await listening('kinds=case_changed', { key: (await buildAccount(stores.db)).key });
    const stream = await listening('kinds=case_changed');
    const { api } = fabula.as(account);
    const made = await api('POST', '/api/v2/cases', { team_id: account.team.id, name: 'A case' });
    const { case_id: id } = (await made.json()) as { case_id: number };
    const { data } = await stream.next(({ event }) => event === 'case_changed');
    expect(data).toEqual({ case_id: id, team_id: account.team.id, at: expect.any(String) });
    const before = stream.events.length;
    await api('POST', `/api/v2/cases/${id}/comments`, { value: 'x' });
    await eventually(() => stream.events.length > before);
    expect(new Set(stranger.events.map(({ event }) => event))).toEqual(new Set(['resync']));
  });

  it('tells of new entries in the audit log, to Owners of the tenant alone', async () => {
    const member = await buildAccount(stores.db, { team: account.team });
    const foreign = await buildAccount(stores.db, { owner: true });
    const others = [
      await listening('kinds=audit_log_changed', { key: member.key }),
      await listening('kinds=audit_log_changed', { key: foreign.key }),
    ];
    const stream = await listening('kinds=audit_log_changed');
    const { api } = fabula.as(account);
    await api('POST', '/api/v1/global_resources', { name: 'A', value: 'b', team_id: account.team.id });
    const event = await stream.next(({ event: kind }) => kind === 'audit_log_changed');
    expect(event.data).toEqual({ at: expect.any(String) });
    expect(streamEventSchema.validate(event, { convert: false }).error).toBeUndefined();
    const { audit_logs: entries } = (await (await api('GET', '/api/v1/audit_logs')).json()) as {
      audit_logs: { action: string }[];
    };
    expect(entries[0]).toMatchObject({ action: expect.stringContaining('resource') });
    for (const other of others) {
      expect(new Set(other.events.map(({ event: kind }) => kind))).toEqual(new Set(['resync']));
    }
  });

  it('tells of entries that the command line makes', async () => {
    const stream = await listening('kinds=audit_log_changed');
    await command(['resource', 'set', 'from_the_command_line', '--value', 'x']);
    await stream.next(({ event: kind }) => kind === 'audit_log_changed');
  });

  it('tells of stories that the command line imports and replaces, to those who see their team', async () => {
    const stranger = await listening('kinds=story_changed', { key: (await buildAccount(stores.db)).key });
    const stream = await listening('kinds=story_changed');
    const told = () => stream.events.filter(({ event }) => event === 'story_changed');
    const importing = ['story', 'import', '-', '--name', 'From a file'];
    const body = JSON.stringify(quick());
    const { id } = await command(importing, body);
    await eventually(() => told().length === 1);
    await command([...importing, '--mode', 'versionReplace'], body);
    await eventually(() => told().length === 2);
    const news = { story_id: id, team_id: account.team.id, at: expect.any(String), deleted: false };
    expect(told().map(({ data }) => data)).toEqual([news, news]);
    expect(new Set(stranger.events.map(({ event }) => event))).toEqual(new Set(['resync']));
  });

  it('tells of cancelled runs', async () => {
    const story = await storyFor(account, sleeping());
    const stream = await listening('kinds=run_ended');
    const { api } = fabula.as(account);
    const guid = await fire(story.webhooks);
    expect((await api('POST', `/api/v1/stories/${story.id}/runs/${guid}/cancel`)).status).toBe(200);
    const { data } = await stream.next(({ event }) => event === 'run_ended');
    expect(data).toMatchObject({ story_id: story.id, story_run_guid: guid, status: 'cancelled' });
  });

  it('ends by itself when its time is over', async () => {
    const stream = await open('seconds=1');
    await eventually(() => stream.isOver());
  });

  it('does not wait for anything when asked for its head alone', async () => {
    const headers = { 'x-user-token': account.key };
    const stream = await openEventStream(`${second.url}/api/v1/stream`, headers, 'HEAD');
    expect(stream.status).toBe(200);
    await eventually(() => stream.isOver());
  });

  it('is read by the TypeScript client', async () => {
    const story = await storyFor(account, quick());
    const client = createClient({ url: second.url, key: account.key });
    const kinds: string[] = [];
    for await (const { event, data } of await client.stream.open({ story_id: story.id })) {
      kinds.push(event);
      if (event === 'resync') await fire(story.webhooks);
      if (event === 'run_ended' && data.status === 'completed') break;
    }
    // News of other processes may come in another order.
    expect(kinds).toEqual(expect.arrayContaining(['resync', 'run_ended']));
  });
});

describe('what a reader sees', () => {
  it('is of its teams alone', async () => {
    const stranger = await buildAccount(stores.db, { owner: true });
    const story = await storyFor(account, quick());
    const foreign = await storyFor(stranger, quick());
    const stream = await listening();
    await fire(foreign.webhooks);
    const guid = await fire(story.webhooks);
    await stream.next(({ data }) => data['story_run_guid'] === guid);
    expect(stream.events.filter(({ data }) => data['story_id'] === foreign.id)).toEqual([]);
    expect((await open(`story_id=${foreign.id}`)).status).toBe(404);
    expect((await open(`team_id=${stranger.team.id}`)).status).toBe(404);
  });

  it('is of the story and the kinds that it asked for', async () => {
    const [one, other] = [await storyFor(account, quick()), await storyFor(account, quick(), 'Other')];
    const stream = await listening(`story_id=${one.id}&kinds=run_ended`);
    await fire(other.webhooks);
    const guid = await fire(one.webhooks);
    await stream.next(({ data }) => data['story_run_guid'] === guid);
    const told = stream.events.filter(({ event }) => event !== 'resync');
    expect(told.map(({ event, data }) => [event, data['story_id']])).toEqual([['run_ended', one.id]]);
    expect((await open('kinds=nothing')).status).toBe(422);
  });

  it('tells of a draft beside live stories if it is named, to those who see its team', async () => {
    const story = await storyFor(account, quick());
    const { api } = fabula.as(account);
    const draft = async (name: string) => {
      const response = await api('POST', `/api/v1/stories/${story.id}/drafts`, { name });
      return ((await response.json()) as { id: number }).id;
    };
    const [named, other] = [await draft('Named'), await draft('Other')];
    const stranger = await buildAccount(stores.db, { owner: true });
    const query = `kinds=story_changed&draft_id=${named}`;
    const stream = await listening(query);
    const strange = await listening(query, { key: stranger.key });
    const ids = (events: typeof stream.events) =>
      events.flatMap(({ data, event }) => (event === 'story_changed' ? [data['story_id']] : []));
    // Live events may be lost for a moment where a process was busy, with a resync: then the stories are changed again.
    await eventually(async () => {
      for (const id of [other, named, story.id]) {
        expect((await api('PATCH', `/api/v1/stories/${id}`, { description: 'x' })).status).toBe(200);
      }
      const told = ids(stream.events);
      return told.includes(named) && told.includes(story.id);
    });
    expect(new Set(ids(stream.events))).toEqual(new Set([named, story.id]));
    expect(ids(strange.events)).toEqual([]);
  });
});

describe('a reader that comes back', () => {
  it('gets what it has missed after the last event', async () => {
    const story = await storyFor(account, quick());
    const first = await listening('kinds=run_started');
    const before = await fire(story.webhooks);
    const { id } = await first.next(({ data }) => data['story_run_guid'] === before);
    // Somebody else goes on listening.
    await listening('kinds=run_started');
    first.close();
    const missed = await fire(story.webhooks);
    await fabula.settled();
    const again = await open('kinds=run_started', { lastEventId: id! });
    await again.next(({ data }) => data['story_run_guid'] === missed);
    const guids = again.events.map(({ data }) => data['story_run_guid']);
    expect(guids).toEqual([missed]);
  });

  it('is told to read its lists if nobody listened meanwhile', async () => {
    const story = await storyFor(account, quick());
    const first = await listening();
    const guid = await fire(story.webhooks);
    const { id } = await first.next(({ data }) => data['story_run_guid'] === guid);
    first.close();
    const flag = `{${fabula.config.queuePrefix}:news}:listened`;
    // It ends by itself after ten seconds. Whoever marks it next says that nobody listened, a read under way too.
    await stores.redis.del(flag);
    const again = await open('', { lastEventId: id! });
    expect((await again.next(({ event }) => event === 'resync')).data).toMatchObject({ reason: 'begun' });
  });

  it.each(['1-1', '1-1.3', 'nonsense', '999999999999999-0', '../..', '0'])(
    'is told to read its lists if %s is no place that is known',
    async (lastEventId) => {
      const again = await open('', { lastEventId });
      expect((await again.next(({ event }) => event === 'resync')).data).toMatchObject({
        reason: 'too_old',
      });
    },
  );
});

describe('a stream ends', () => {
  it('when its key is revoked', async () => {
    const { api } = fabula.as(account);
    const made = (await (await api('POST', '/api/v1/api_keys', { name: 'K', kind: 'personal' })).json()) as {
      id: number;
      key: string;
    };
    const stream = await open('', { key: made.key });
    expect(stream.status).toBe(200);
    expect((await api('DELETE', `/api/v1/api_keys/${made.id}`)).status).toBe(204);
    await eventually(() => stream.isOver());
  });

  it('when its user loses the team', async () => {
    const member = await buildAccount(stores.db, { team: account.team, role: 'EDITOR' });
    const stream = await open(`team_id=${account.team.id}`, { key: member.key });
    expect(stream.status).toBe(200);
    const removed = await fabula
      .as(account)
      .api('DELETE', `/api/v1/teams/${account.team.id}/members/${member.user.id}`);
    expect(removed.status).toBe(204);
    await eventually(() => stream.isOver());
    expect((await open(`team_id=${account.team.id}`, { key: member.key })).status).toBe(404);
  });
});

const statuses = async (key: string, count: number) => {
  const streams = [];
  for (let index = 0; index < count; index += 1) streams.push(await open('', { key }));
  return streams.map(({ status }) => status);
};

describe('the number of streams is bounded', () => {
  it('by user and tenant (429) and process (503), until they end', async () => {
    listener?.close();
    // Streams of other tests may still be closing.
    await eventually(async () => {
      const probe = await open('', {});
      probe.close();
      return probe.status === 200;
    });
    const member = () => buildAccount(stores.db, { team: account.team });
    const [a, b] = [await member(), await member()];
    await eventually(async () => {
      for (const stream of opened) stream.close();
      return (await statuses(a.key, 4)).join() === '200,200,200,429';
    });
    expect(await statuses(b.key, 3)).toEqual([200, 200, 200]);
    // Half of twelve are the tenant's.
    expect(await statuses(account.key, 1)).toEqual([429]);
    const others = [await buildAccount(stores.db, {}), await buildAccount(stores.db, {})];
    for (const { key } of others) expect(await statuses(key, 3)).toEqual([200, 200, 200]);
    const late = await buildAccount(stores.db, {});
    expect(await statuses(late.key, 1)).toEqual([503]);
    for (const stream of opened) stream.close();
    await eventually(async () => (await statuses(late.key, 1))[0] === 200);
  });
});

describe('while nobody listens', () => {
  it('nothing is told', async () => {
    const quiet = await startFabulaHere(stores);
    const story = await quiet.importStory(quick());
    expect((await quiet.fire(story.webhooks['Receive'] ?? '')).status).toBe(201);
    await quiet.settled();
    await quiet.close();
    expect(await stores.redis.keys(`{${quiet.config.queuePrefix}:news}*`)).toEqual([]);
  });
});
