import files from 'node:fs/promises';
import os from 'node:os';
import type { Check, HostContext } from '../../src/operate/doctor/check.js';
import { archiveCheck } from '../../src/operate/doctor/checks/archive-check.js';
import { connectionCheck, versionCheck } from '../../src/operate/doctor/checks/database/database-checks.js';
import { databaseHostsCheck } from '../../src/operate/doctor/checks/database/database-hosts-check.js';
import { databaseRightsCheck } from '../../src/operate/doctor/checks/database/database-rights-check.js';
import { deadSpaceCheck } from '../../src/operate/doctor/checks/database/dead-space-check.js';
import { diskCheck } from '../../src/operate/doctor/checks/disk-check.js';
import { redisInfoCheck } from '../../src/operate/doctor/checks/redis-checks.js';
import { secretCheck } from '../../src/operate/doctor/checks/secret-check.js';
import { settingCheck } from '../../src/operate/doctor/checks/setting-checks.js';
import { spoolCheck } from '../../src/operate/doctor/checks/spool-check.js';
import { deadLetterCheck, processCheck, queueCheck } from '../../src/operate/doctor/checks/work-checks.js';
import type { RedisClient } from '../../src/platform/redis/redis-client.js';
import { productVersion } from '../../src/platform/outbound/product-version.js';
import type { QueueFacts } from '../../src/operate/doctor/facts/queue-facts.js';
import { processName, readProcesses } from '../../src/engine/dispatch/figures/live-processes.js';
import type { PartCounts } from '../../src/engine/dispatch/parts/queue-part.js';

/** Facts as a check reads them: whatever it does not look at is left out. */
type Facts = Record<string, unknown>;

const mapOf = (values: Record<string, string>) => new Map(Object.entries(values));

/** A database that gives these rows, one list after the other. */
const database = (...replies: object[][]) => ({
  read: (work: (session: unknown) => unknown) => work({ rows: async () => replies.shift() ?? [] }),
});

async function findingsOf(check: Check<never>, facts: Facts): Promise<string[]> {
  const found = await (check as Check<HostContext>).run(facts as unknown as HostContext);
  return found.map((each) => `${each.id}: ${each.found}`);
}

const redisInfo = (info: Record<string, string>): Facts => ({
  config: {},
  redisInfo: async () => [
    mapOf({
      redis_version: '7.2.4',
      maxmemory_policy: 'noeviction',
      maxmemory: '1000',
      used_memory: '799',
      evicted_keys: '0',
      aof_enabled: '1',
      aof_last_write_status: 'ok',
      ...info,
    }),
  ],
});

describe('the state of Redis', () => {
  it.each([
    [{}, []],
    [{ redis_version: '6.2.0' }, []],
    [{ redis_version: '6.0.16' }, ['redis.version: The server version is 6.0.16; the minimum is 6.2.']],
    [{ evicted_keys: '3' }, ['redis.evicted-keys: Redis has evicted 3 keys since it started.']],
    [{ used_memory: '800' }, ['redis.memory: 800 of 1000 bytes are in use.']],
    [{ used_memory: '800', maxmemory: '0' }, []],
    [{ aof_last_write_status: 'err' }, ['redis.write-failed: Failed: aof_last_write_status.']],
    [{ rdb_last_bgsave_status: 'err' }, ['redis.write-failed: Failed: rdb_last_bgsave_status.']],
  ])('%j', async (info, findings) => {
    expect(await findingsOf(redisInfoCheck, redisInfo(info as Record<string, string>))).toEqual(findings);
  });
});

const deadLettersOf = (count: number) => findingsOf(deadLetterCheck, { database: database([{ count }]) });

describe('the database', () => {
  it.each([
    ['10.6.0-MariaDB', []],
    ['8.0.36', []],
    ['9.7.0', []],
    ['10.5.29-MariaDB', ['database.version: The server version is 10.5.29-MariaDB; the minimum is 10.6.']],
    ['5.7.44', ['database.version: The server version is 5.7.44; the minimum is 8.0.']],
  ])('of version %s', async (version, findings) => {
    expect(await findingsOf(versionCheck, { database: database([{ version }]) })).toEqual(findings);
  });

  it('whose account may not change tables', async () => {
    const grant = { grants: 'GRANT SELECT, INSERT, UPDATE, DELETE, CREATE ON `fabula`.* TO `a`@`%`' };
    const facts = { database: database([{ name: 'fabula', role: null }], [grant]) };
    expect(await findingsOf(databaseRightsCheck, facts)).toEqual([
      'database.rights-to-migrate: The account is missing ALTER, DROP, INDEX.',
    ]);
  });

  it.each([
    ['119', []],
    ['120', ['database.connections: 120 of 150 connections are in use.']],
  ])('with %s of 150 connections in use', async (used, findings) => {
    const facts = {
      database: database([{ Variable_name: 'Threads_connected', Value: used }]),
      databaseSettings: async () => mapOf({ max_connections: '150' }),
    };
    expect(await findingsOf(connectionCheck, facts)).toEqual(findings);
  });

  it('of which one host of the list does not reply', async () => {
    const databaseUrl = 'mysql://u:p@127.0.0.1:1,127.0.0.1:2/fabula';
    const found = await findingsOf(databaseHostsCheck, { config: { databaseUrl } });
    expect(found).toEqual([
      expect.stringMatching(/^database\.host: 127\.0\.0\.1:1 is unavailable: .*ECONNREFUSED/),
      expect.stringMatching(/^database\.host: 127\.0\.0\.1:2 is unavailable: .*ECONNREFUSED/),
    ]);
    const alone = { config: { databaseUrl: 'mysql://u:p@127.0.0.1:1/fabula' } };
    expect(await findingsOf(databaseHostsCheck, alone)).toEqual([]);
  });

  it('with a table of which most is free', async () => {
    const free = { name: 'deliveries', freeBytes: 3 * 1024 ** 3, usedBytes: 1024 ** 3 };
    expect(await findingsOf(deadSpaceCheck, { database: database([free]) })).toEqual([
      'database.dead-space: deliveries: 3072 MiB unused, 1024 MiB used.',
    ]);
    expect(await findingsOf(deadSpaceCheck, { database: database([]) })).toEqual([]);
  });

  it.each([
    [{ seconds: 3_600, waiting: 99_999, place: '/archive' }, []],
    [
      { seconds: 3_601, waiting: 2, place: '' },
      ['work.archive-lag: The archive is 3601 s behind; 2 runs are waiting to be archived.'],
    ],
    [
      { seconds: 0, waiting: 100_000, place: '/archive' },
      ['work.archive-lag: The archive is 0 s behind; 100000 runs are waiting to be archived.'],
    ],
    [
      { seconds: 0, waiting: 0, place: '/other' },
      ['work.archive-place: The existing archive is not at ARCHIVE_TO.'],
    ],
  ])('with an archive: %j', async ({ seconds, waiting, place }, findings) => {
    const progress = { place, afterRunId: 7 };
    const facts = (archiveTo: string | undefined) => ({
      config: { archiveTo, archiveAfterHours: 24 },
      database: database([{ waiting }], [progress], [{ seconds }], [progress]),
    });
    expect(await findingsOf(archiveCheck, facts('/archive'))).toEqual(findings);
    expect(await findingsOf(archiveCheck, facts(undefined))).toEqual([]);
  });

  it('with dead letters', async () => {
    expect(await deadLettersOf(0)).toEqual([]);
    expect(await deadLettersOf(7)).toEqual(['work.dead-letters: There are 7 dead letters.']);
    expect(await deadLettersOf(10_000)).toEqual(['work.dead-letters: There are 10000 or more dead letters.']);
  });
});

const queuesWith = (queue: Partial<QueueFacts>): Facts => ({
  config: { actionDeadlineSeconds: 90 },
  queueFacts: async () => [
    {
      queue: 'agents',
      waiting: 0,
      failed: 0,
      workers: 1,
      paused: null,
      oldestMs: 0,
      runningMs: [],
      ...queue,
    },
  ],
});

describe('the queues', () => {
  it.each([
    [{}, []],
    [{ waiting: 4, oldestMs: 60_000 }, []],
    [{ waiting: 4, oldestMs: 61_000 }, ['work.waiting: agents: 4 jobs are waiting, the oldest for 61 s.']],
    [
      { waiting: 4, oldestMs: 61_000, paused: { since: new Date('2026-11-28T10:00:00Z'), by: 'ada' } },
      [
        'work.paused: agents is paused, since 2026-11-28T10:00:00Z, by ada: 4 jobs are waiting, the oldest for 61 s.',
      ],
    ],
    [
      { workers: 0, paused: { since: null, by: null } },
      ['work.paused: agents is paused, at an unknown time: no jobs are waiting.'],
    ],
    [{ runningMs: [150_000] }, []],
    [{ runningMs: [1, 151_000] }, ['work.running-long: agents: 1 jobs have been running for up to 151 s.']],
    [{ workers: 0, waiting: 2 }, ['work.no-worker: No worker serves agents (2 wait).']],
  ])('with %j', async (queue, findings) => {
    expect(await findingsOf(queueCheck, queuesWith(queue))).toEqual(findings);
  });
});

/** The processes that these connections belong to, each `[name, idle seconds]`, beside one that is none of them. */
const processesWith = (connections: [string, number][]): Facts => ({
  processes: () => {
    const lines = [['fabula:trigger', 0] as const, ...connections].map(
      ([name, idle], id) => `id=${id} name=${name} age=1 idle=${idle} db=0\n`,
    );
    return readProcesses({ client: async () => lines.join('') } as unknown as RedisClient, 'fabula');
  },
});
const sign = (own: string, idle: number): [string, number] => [
  `fabula:process:${productVersion()}::${own}`,
  idle,
];
const settingOf = (parts: PartCounts): [string, number] => [processName('fabula', parts), 0];

describe('live processes', () => {
  it.each([
    [[], []],
    [[{}, { trigger: 1 }], []],
    [[{ 'http-request': 4 }, { 'http-request': 4 }], []],
    [
      [
        { email: 2, 'http-request': 4 },
        { 'http-request': 4, trigger: 1, email: 2 },
      ],
      [],
    ],
    [
      [{ 'http-request': 4, email: 2 }, {}, { 'http-request': 2 }, {}],
      [
        'work.queue-parts: Processes use different values of QUEUE_PARTS: 1 with http-request=4,email=2; 2 with one part each; 1 with http-request=2.',
      ],
    ],
  ])('with the parts of queues %j', async (settings: PartCounts[], findings) => {
    expect(await findingsOf(processCheck, processesWith(settings.map(settingOf)))).toEqual(findings);
  });

  it.each<[string, [string, number][], string[]]>([
    ['signs of a moment ago', [sign('all:web-1:12:3', 29), sign('web:web-1:13:0', 2)], []],
    ['a command that is connected', [[processName('fabula'), 500]], []],
    [
      'a process that stands still',
      [sign('trigger:web-1:12:3', 45), sign('all:web-1:13:0', 1)],
      [
        'work.silent-process: The process "trigger" (web-1, pid 12) has not responded for 45 s. It was running 3 jobs.',
      ],
    ],
    [
      'a process that goes on with one master of a cluster',
      [sign('all:a:1:1', 45), sign('all:a:1:1', 4)],
      [],
    ],
  ])('I21: with %s', async (_what, connections, findings) => {
    expect(await findingsOf(processCheck, processesWith(connections))).toEqual(findings);
  });
});

const spoolWith = (queue: Partial<QueueFacts>, heldBytes: number): Facts => ({
  queueFacts: async () => [{ queue: 'webhook-events', waiting: 0, failed: 0, oldestMs: 0, ...queue }],
  spoolLevel: async () => ({ heldBytes, limitBytes: 100 }),
});

describe('the spool', () => {
  it.each([
    [{ waiting: 9, oldestMs: 5_000 }, 79, []],
    // The size is an upper bound: with nothing in it, it was drained a moment ago.
    [{}, 100, []],
    [{ waiting: 9 }, 80, ['spool.full: The spool holds at most 80 of 100 bytes.']],
    [{ failed: 2 }, 10, ['spool.failed: 2 spooled requests failed.']],
  ])('with %j and %d bytes', async (queue, heldBytes, findings) => {
    expect(await findingsOf(spoolCheck, spoolWith(queue, heldBytes))).toEqual(findings);
  });
});

describe('the settings', () => {
  const CONFIG = {
    trustedProxies: [],
    adminUser: 'a',
    adminPassword: 'b',
    httpTimeoutMs: 1,
    httpTimeoutMaxMs: 1,
    actionDeadlineSeconds: 1,
    mailFrom: 'a@b.example',
    outboundAllow: [],
    outboundAllowHosts: [],
    outboundDeny: [],
    publicUrl: 'https://fabula.example',
    databaseTls: {},
    redisUrl: 'redis://localhost',
    redisTlsRejectUnauthorized: true,
    encryptionKey: 'k',
  };
  const both = { maxConnections: 100, maxConnectionsPerAddress: 100 };

  it.each([
    [{}, []],
    [both, ['configuration.connections: MAX_CONNECTIONS_PER_ADDRESS is 100, MAX_CONNECTIONS 100.']],
    [{ ...both, maxConnectionsPerAddress: 99 }, []],
    [{ publicUrl: 'http://127.0.0.1:3000' }, []],
    [{ publicUrl: 'http://fabula.example' }, ['configuration.plain-http: PUBLIC_URL begins with http://.']],
    [
      { adminOrigin: 'http://admin.example' },
      ['configuration.plain-console: ADMIN_ORIGIN begins with http://.'],
    ],
    [
      { databaseTls: { rejectUnauthorized: false } },
      ['configuration.unverified-tls: The TLS certificate of the database is not verified.'],
    ],
    [
      { redisUrl: 'rediss+cluster://a,b', redisTlsRejectUnauthorized: false },
      ['configuration.unverified-tls: REDIS_TLS_REJECT_UNAUTHORIZED is false.'],
    ],
  ])('%j', async (config, findings) => {
    expect(await findingsOf(settingCheck, { config: { ...CONFIG, ...config } })).toEqual(findings);
  });
});

const secretsOf = (databaseUrl: string, redisUrl: string) =>
  findingsOf(secretCheck, { config: { databaseUrl, redisUrl } });

it('stores on other machines without a password', async () => {
  expect(await secretsOf('mysql://u:p@db.example/f', 'redis://:p@redis.example')).toEqual([]);
  expect(await secretsOf('mysql://u@127.0.0.1/f', 'redis://localhost')).toEqual([]);
  const without = await secretsOf('mysql://u@db.example/f', 'redis://redis.example');
  expect(without.map((each) => each.split(':')[0])).toEqual([
    'configuration.no-password',
    'configuration.no-password',
  ]);
});

describe('the data folder', () => {
  const GIB = 1024 ** 3;
  it.each([
    [{ bavail: 10, blocks: 100 }, 0],
    [{ bavail: 4, blocks: 100 }, 1],
    [{ bavail: 0.5, blocks: 1 }, 1],
  ])('with a disk of %j GiB', async ({ bavail, blocks }, count) => {
    jest.spyOn(files, 'statfs').mockResolvedValueOnce({ bavail, blocks, bsize: GIB } as never);
    const found = await findingsOf(diskCheck, { config: { dataDir: os.tmpdir() } });
    expect(found.map((each) => each.split(':')[0])).toEqual(
      Array.from({ length: count }, () => 'disk.space'),
    );
  });
});
