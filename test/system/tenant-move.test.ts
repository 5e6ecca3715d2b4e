import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LEFT_BEHIND, TENANT_TABLES } from '../../src/operate/backup/tenant/tables/tenant-tables.js';
import { createStatisticsCounter } from '../../src/observe/statistics/count/statistics-counter.js';
import type { JsonObject } from '../../src/platform/json.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { clientOf } from '../support/fabula-client.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { runCli } from '../support/run-cli.js';
import { secondStores } from '../support/second-stores.js';
import { storyOf } from '../support/stories.js';
import { type TestStores, useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
let target: HttpTarget;
let folder = '';

beforeAll(async () => {
  target = await startHttpTarget({ rules: { '/call': { body: { ok: true } } } });
  stores.onClose(() => target.close());
  folder = await mkdtemp(path.join(tmpdir(), 'fabula-move-'));
  stores.onClose(() => rm(folder, { recursive: true, force: true }));
});

const hook = (name: string) => [
  'Webhook',
  { path: name, secret: 's3cret', verbs: 'post', include_headers: false },
];
const MARK = 'EventTransformation';
const SECRET = 'very-secret';

/** Each number comes to After once; a reference to the credential sleeps in the event of Keep. */
const counting = () =>
  storyOf(
    {
      Receive: hook('count'),
      Keep: [
        MARK,
        { mode: 'message_only', payload: { number: '=receive.number', token: '=CREDENTIAL.token' } },
      ],
      Sleep: [MARK, { mode: 'delay', seconds: '=receive.seconds' }],
      Call: [
        'HTTPRequest',
        {
          url: `${target.url}/call`,
          method: 'post',
          headers: { 'x-token': '=keep.token' },
          payload: { number: '=keep.number' },
        },
      ],
      After: [MARK, { mode: 'message_only', payload: { number: '=keep.number' } }],
    } as never,
    ['Receive > Keep > Sleep > Call > After'],
    { name: 'Counting' },
  );

/** A group of two: one member comes before the move, one after it. */
const pairing = () =>
  storyOf(
    {
      Half: hook('half'),
      Join: [MARK, { mode: 'implode', item_path: '=half.side', guid_path: 'pair', size_path: 2 }],
      Whole: [MARK, { mode: 'message_only', payload: { sides: '=join' } }],
    } as never,
    ['Half > Join > Whole'],
    { name: 'Pairing' },
  );

const caller = (storyId: number) =>
  storyOf(
    {
      Ask: hook('ask'),
      Send: ['SendToStory', { story: String(storyId), payload: { side: 'called' } }],
    } as never,
    ['Ask > Send'],
    { name: 'Caller' },
  );

const environment = (from: TestStores, more: NodeJS.ProcessEnv) => fabulaEnvironment(from, more);

async function cli(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { code, out, err } = await runCli(args, { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

function numbersOf(events: Awaited<ReturnType<TestFabula['events']>>): number[] {
  return events
    .filter(({ agent }) => agent === 'After')
    .map(({ payload }) => (payload as { number: number }).number);
}

async function exportsOf(client: Pick<TestFabula, 'api'>): Promise<Map<string, JsonObject>> {
  const listed = (await (await client.api('GET', '/api/v1/stories?per_page=100')).json()) as {
    stories: { id: number; name: string }[];
  };
  const exports = new Map<string, JsonObject>();
  for (const { id, name } of listed.stories) {
    const { exported_at: _at, ...story } = (await (
      await client.api('GET', `/api/v1/stories/${id}/export`)
    ).json()) as JsonObject;
    exports.set(name, story);
  }
  return exports;
}

test('a tenant moves with its work: nothing is lost, nothing doubled, its webhooks answer at the target', async () => {
  const source = await startFabula(stores);
  const stranger = await secondTenant(source);
  const count = await source.importStory(counting());
  const pair = await source.importStory(pairing());
  await source.importStory(caller(pair.id));
  const sourceEnv = environment(stores, { QUEUE_PREFIX: source.config.queuePrefix });
  const tenantId = String(source.account.team.tenantId);
  const teamId = String(source.account.team.id);
  await cli(
    [
      'credential',
      'set',
      'token',
      '--tenant',
      tenantId,
      '--team',
      teamId,
      '--value',
      SECRET,
      '--allowed-hosts',
      '127.0.0.1',
    ],
    sourceEnv,
  );
  const fire = (fabula: Pick<TestFabula, 'fire'>, number: number, seconds: number) =>
    fabula.fire(count.webhooks['Receive']!, { number, seconds });

  const accepted: number[] = [];
  for (let number = 0; number < 20; number++) {
    if ((await fire(source, number, number % 2 === 0 ? 0 : 3600)).status === 201) accepted.push(number);
  }
  expect((await source.fire(pair.webhooks['Half']!, { side: 'left' })).status).toBe(201);
  await eventually(async () => numbersOf(await source.events()).length >= 10, 60_000);

  await counterOf(stores).tick();
  const refused: Response[] = [];
  const load = (async () => {
    for (let number = 100; refused.length === 0 && number < 5_000; number++) {
      const response = await fire(source, number, 0);
      if (response.status === 201) accepted.push(number);
      else refused.push(response);
    }
  })();
  const passphrase = path.join(folder, 'passphrase');
  await writeFile(passphrase, 'correct horse battery staple\n');
  const place = path.join(folder, 'tenant');
  const said = await cli(['tenant', 'export', tenantId, place, '--passphrase-file', passphrase], sourceEnv);
  await load;
  expect(said).toContain('stays frozen here');
  expect({ status: refused[0]?.status, retryAfter: refused[0]?.headers.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: '30',
  });
  expect((await source.api('POST', '/api/v1/stories', { name: 'x', team_id: Number(teamId) })).status).toBe(
    503,
  );
  const exported = await exportsOf(source);
  expect(exported.size).toBe(3);
  expect((await stranger.api('POST', '/api/v1/teams', { name: 'still at work' })).status).toBe(201);

  const second = await secondStores(stores, { migrated: true });
  const targetEnv = { ENCRYPTION_KEY: 'cd'.repeat(32), QUEUE_PREFIX: second.queuePrefix };
  const there = await startFabula(second, { env: targetEnv });
  await there.importStory(storyOf({ Other: hook('other') } as never, [], { name: 'Other' }));
  await cli(
    ['tenant', 'import', place, '--passphrase-file', passphrase, '--json'],
    environment(second, targetEnv),
  );

  const moved = clientOf({ url: there.url, account: source.account, stores: second });
  const again = await exportsOf(moved);
  const [before, after] = [exported.get('Caller'), again.get('Caller')];
  expect({ ...again.get('Counting') }).toEqual(exported.get('Counting'));
  expect({ ...again.get('Pairing') }).toEqual(exported.get('Pairing'));
  const newPair = await storyIdOf(moved, 'Pairing');
  expect(JSON.stringify(after)).toBe(JSON.stringify(before).replace(`"${pair.id}"`, `"${newPair}"`));

  for (let number = 10_000; number < 10_010; number++) {
    expect((await fire(moved, number, 0)).status).toBe(201);
    accepted.push(number);
  }
  expect((await moved.fire(pair.webhooks['Half']!, { side: 'right' })).status).toBe(201);
  await second.sql(
    "UPDATE deliveries SET due_at = NOW(3), resume_at = IF(resume_at IS NULL, NULL, NOW(3)) WHERE state = 'waiting'",
  );
  await moved.settled(120_000);
  const events = await moved.events();
  const ended = numbersOf(events).toSorted((a, b) => a - b);
  expect(ended).toEqual(accepted.toSorted((a, b) => a - b));
  expect(events.find(({ agent }) => agent === 'Whole')?.payload).toEqual({ sides: ['left', 'right'] });
  const tokens = target.requests.map(({ headers }) => headers['x-token']);
  expect(tokens.filter((token) => token !== SECRET)).toEqual([]);
  const called = target.requests.map(({ text }) => (JSON.parse(text) as { number: number }).number);
  expect(called).toHaveLength(new Set(called).size);
  expect(await moved.deadLetters()).toEqual([]);
  await counterOf(second).tick();
  const [counted] = await second.db.read((session) =>
    session.rows(
      `SELECT CAST(SUM(c.events) AS SIGNED) AS events, CAST(SUM(c.runs_started) AS SIGNED) AS started,
              CAST(SUM(c.runs_ended) AS SIGNED) AS ended FROM story_counts c`,
    ),
  );
  const [byMinute] = await second.db.read((session) =>
    session.rows(
      `SELECT CAST(SUM(m.events) AS SIGNED) AS events, CAST(SUM(m.runs_started) AS SIGNED) AS started,
              CAST(SUM(m.runs_ended) AS SIGNED) AS ended FROM story_minutes m`,
    ),
  );
  const runs = accepted.length + 2;
  expect(counted).toEqual({ events: events.length, started: runs, ended: runs });
  expect(byMinute).toEqual(counted);
});

const counterOf = ({ db, logger }: TestStores) =>
  createStatisticsCounter({ database: db, keptDays: 30, holdBackSeconds: 0, logger });

async function secondTenant(fabula: TestFabula) {
  const { buildAccount } = await import('../support/builders.js');
  return fabula.as(await buildAccount(stores.db, { owner: true }));
}

async function storyIdOf(client: Pick<TestFabula, 'api'>, name: string): Promise<number> {
  const { stories: found } = (await (await client.api('GET', '/api/v1/stories?per_page=100')).json()) as {
    stories: { id: number; name: string }[];
  };
  return found.find((story) => story.name === name)?.id ?? 0;
}

describe('the list of tables', () => {
  it('has every table of the schema, or the reason why it stays behind', async () => {
    const rows = await stores.db.read((session) =>
      session.rows<{ name: string }>(
        'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
      ),
    );
    const known = [...TENANT_TABLES.map(({ name }) => name), ...Object.keys(LEFT_BEHIND)];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  });

  it('maps every column that holds an id', async () => {
    const rows = await stores.db.read((session) =>
      session.rows<{ name: string; columnName: string }>(
        `SELECT table_name AS name, column_name AS columnName FROM information_schema.columns
         WHERE table_schema = DATABASE() AND data_type = 'bigint'
           AND (column_name = 'id' OR column_name LIKE '%\\_id' OR column_name LIKE '%\\_by' OR column_name LIKE '%\\_of')`,
      ),
    );
    const tables = new Map(TENANT_TABLES.map((table) => [table.name, table]));
    const forgotten = rows
      .filter(({ name, columnName }) => tables.has(name) && !(columnName in (tables.get(name)?.ids ?? {})))
      .map(({ name, columnName }) => `${name}.${columnName}`);
    // Their table depends on another column, or stays behind (`moved-row.ts`).
    expect(forgotten.toSorted()).toEqual([
      'agent_removals.up_to_id',
      'audit_logs.session_id',
      'audit_logs.target_id',
      'team_shares.item_id',
    ]);
  });
});

describe('an export that fails', () => {
  it('releases the tenant, and leaves no manifest', async () => {
    const fabula = await startFabula(stores);
    const env = environment(stores, {
      QUEUE_PREFIX: fabula.config.queuePrefix,
      ENCRYPTION_KEY: 'ef'.repeat(32),
    });
    const { id, tenantId } = fabula.account.team;
    await cli(
      [
        'credential',
        'set',
        'token',
        '--tenant',
        String(tenantId),
        '--team',
        String(id),
        '--value',
        'x',
        '--allowed-hosts',
        'a.example',
      ],
      environment(stores, {}),
    );
    const passphrase = path.join(folder, 'passphrase-2');
    await writeFile(passphrase, 'correct horse battery staple');
    const place = path.join(folder, 'failed');
    const { code, err } = await runCli(
      ['tenant', 'export', String(tenantId), place, '--passphrase-file', passphrase],
      { env },
    );
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('cannot be decrypted') });
    await expect(readFile(path.join(place, 'manifest.json'))).rejects.toThrow('ENOENT');
    expect((await fabula.api('POST', '/api/v1/teams', { name: 'goes on' })).status).toBe(201);
  });
});
