import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import type { Report } from '../../src/operate/doctor/report.js';
import { SPOOL_QUEUE } from '../../src/engine/dispatch/jobs.js';
import { processName } from '../../src/engine/dispatch/figures/live-processes.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { type PrivateStores, startPrivateStores } from '../support/private-stores.js';
import { runCli } from '../support/run-cli.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { useStores } from '../support/stores.js';
import { queueOf } from '../support/queue-named.js';

const stores = useStores();
const MIB = 1024 * 1024;
const MOST_TRIES = 5;
const PASSWORD = 'correct-horse-battery-staple';

let own: PrivateStores;
let fabula: TestFabula;
let folder = '';
let healthy: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  own = await startPrivateStores(stores, { database: true, redis: true, rights: 'all' });
  // Stores of tests are faster than safe ones.
  await setGlobal('innodb_flush_log_at_trx_commit', 1);
  folder = await mkdtemp(path.join(tmpdir(), 'fabula-doctor-'));
  stores.onClose(() => rm(folder, { recursive: true, force: true }));
  const mail = await startSmtpServer();
  stores.onClose(() => mail.close());
  fabula = await startFabula(own);
  healthy = {
    PATH: process.env['PATH'],
    DATABASE_URL: own.databaseUrl,
    REDIS_URL: own.redisUrl,
    QUEUE_PREFIX: fabula.config.queuePrefix,
    PUBLIC_URL: fabula.url,
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    ADMIN_USER: 'operator',
    ADMIN_PASSWORD: PASSWORD,
    DATA_DIR: folder,
    SMTP_URL: mail.url,
    MAIL_FROM: 'fabula@example.com',
  };
});

/** A connection to Redis as a worker process of this installation has it. */
function connectAs(connectionName: string) {
  const target = { redisUrl: own.redisUrl, redisTlsRejectUnauthorized: true, connectionName };
  return createRedis(target, 'worker', stores.logger);
}

function setGlobal(name: string, value: string | number): Promise<unknown> {
  return own.db.read((session) => session.run(`SET GLOBAL ${name} = ${value}`));
}

async function examine(env: NodeJS.ProcessEnv = {}): Promise<{ code: number; report: Report; out: string }> {
  const { code, out, err } = await runCli(['doctor', '--json'], { env: { ...healthy, ...env } });
  expect(err).toBe('');
  return { code, report: JSON.parse(out) as Report, out };
}

/** The facts of each finding of this kind. */
async function factsOf(id: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const { report } = await examine(env);
  return report.findings.filter((each) => each.id === id).map(({ found }) => found);
}

/** Examines until the report is as wanted, a few times at most; returns the last one. */
async function untilLookedAt(
  isWanted: (report: Report) => boolean,
  env: NodeJS.ProcessEnv = {},
): Promise<Report> {
  for (let tries = 1; ; tries += 1) {
    const { report } = await examine(env);
    if (tries === MOST_TRIES || isWanted(report)) return report;
  }
}

/** A free disk is nothing that a test can promise. */
const ANYWHERE = new Set(['disk.space']);

const badOnes = ({ findings }: Report) =>
  findings.filter(({ severity, id }) => severity !== 'note' && !ANYWHERE.has(id));
const idsOf = ({ findings }: Report) => findings.map(({ id }) => id);

describe('a healthy installation', () => {
  it('has no errors and no warnings', async () => {
    // On a busy machine a check may reach its time limit; what stays is a fault.
    const report = await untilLookedAt((found) => badOnes(found).length === 0);
    expect(badOnes(report)).toEqual([]);
    expect(report.checks).toBeGreaterThan(25);
    expect(report.findings.map(({ id }) => id)).toContain('redis.fsync');
  });

  it('leaves nothing behind in Redis and in the data folder', async () => {
    const before = await readdir(healthy['DATA_DIR'] ?? '');
    let known: string[] = [];
    // On a busy machine a check may reach its time limit: the keys that it leaves expire.
    await eventually(async () => {
      known = await doctorKeys();
      return badOnes((await examine()).report).length === 0;
    }, 60_000);
    expect(await readdir(healthy['DATA_DIR'] ?? '')).toEqual(before);
    expect((await doctorKeys()).filter((key) => !known.includes(key))).toEqual([]);
  });

  it('is told in sentences, without --json', async () => {
    const { out } = await runCli(['doctor'], { env: healthy });
    expect(out).toContain(
      'Redis\n  note     redis.fsync\n           Redis writes to disk once a second, not with each change (appendfsync everysec).\n',
    );
    expect(out).toMatch(/\d+ checks of Fabula \d+\.\d+\.\d+: 0 errors, \d warnings?, \d notes?\.\n$/);
  });
});

/** The keys that an examination leaves in Redis. */
function doctorKeys(): Promise<string[]> {
  return own.redis.keys('*:doctor:*');
}

describe('broken set-ups of the database', () => {
  it.each([
    ['database.flush', 'innodb_flush_log_at_trx_commit', [2, 1], 'innodb_flush_log_at_trx_commit is 2.'],
    ['database.packet', 'max_allowed_packet', [4 * MIB, 64 * MIB], 'is 4194304 bytes'],
    ['database.packet-small', 'max_allowed_packet', [16 * MIB, 64 * MIB], 'is 16777216 bytes'],
    ['database.read-only', 'read_only', [1, 0], 'read_only is on.'],
    ['database.connections', 'max_connections', [10, 300], 'of 10 connections are in use'],
  ] as const)('%s', async (id, variable, [bad, good], found) => {
    await setGlobal(variable, bad);
    try {
      // On a busy machine a check may reach its time limit; then it has found nothing yet.
      const facts = await eventually(async () => {
        const told = await factsOf(id);
        return told.length > 0 && told;
      }, 60_000);
      expect(facts).toEqual([expect.stringContaining(found)]);
    } finally {
      await setGlobal(variable, good);
    }
    expect(await factsOf(id)).toEqual([]);
  });

  it('an account that may only read', async () => {
    await own.sql("CREATE USER 'reader'@'%' IDENTIFIED BY 'geheim'");
    await own.sql("GRANT SELECT ON `fabula`.* TO 'reader'@'%'");
    const url = new URL(own.databaseUrl);
    [url.username, url.password] = ['reader', 'geheim'];
    const { report, code } = await examine({ DATABASE_URL: url.href });
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        id: 'database.rights',
        found: 'The account is missing INSERT, UPDATE, DELETE.',
      }),
    );
    expect(code).toBe(2);
  });

  it('a migration that has not run', async () => {
    const [last] = await own.db.read((session) =>
      session.rows<{ id: number; name: string }>('SELECT id, name FROM migrations ORDER BY id DESC LIMIT 1'),
    );
    await own.sql('UPDATE migrations SET name = ? WHERE id = ?', ['20991231000000_of_the_future', last!.id]);
    try {
      const { report } = await examine();
      const facts = new Map(report.findings.map(({ id, found }) => [id, found]));
      expect(facts.get('database.migrations-pending')).toBe(`1 migrations are pending: ${last!.name}.`);
      expect(facts.get('database.migrations-newer')).toContain('of_the_future');
    } finally {
      await own.sql('UPDATE migrations SET name = ? WHERE id = ?', [last!.name, last!.id]);
    }
  });

  it('a database of another character set', async () => {
    await own.sql('ALTER DATABASE CHARACTER SET latin1');
    try {
      expect(await factsOf('database.character-set')).toEqual(['The database character set is latin1.']);
    } finally {
      await own.sql('ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci');
    }
  });

  it('a wrong password is one finding, and the other checks go on', async () => {
    const url = new URL(own.databaseUrl);
    url.password = 'wrong-password-of-a-test';
    const { report, out } = await examine({ DATABASE_URL: url.href });
    const errors = report.findings.filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([
      expect.objectContaining({
        id: 'database.unreachable',
        found: expect.stringMatching(/Access denied.*\d+ checks were skipped\.$/),
      }),
    ]);
    expect(report.findings.map(({ id }) => id)).toContain('redis.fsync');
    expect(out).not.toContain('wrong-password-of-a-test');
  });
});

describe('broken set-ups of Redis', () => {
  it('a policy that evicts', async () => {
    await own.redis.config('SET', 'maxmemory', String(64 * 1024 * 1024));
    await own.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      expect(await factsOf('redis.eviction')).toEqual([
        'maxmemory-policy is allkeys-lru, maxmemory is 67108864.',
      ]);
      await own.redis.config('SET', 'maxmemory', '0');
      expect(await factsOf('redis.eviction-later')).toHaveLength(1);
    } finally {
      await own.redis.config('SET', 'maxmemory', '0');
      await own.redis.config('SET', 'maxmemory-policy', 'noeviction');
    }
  });

  it('no append-only file', async () => {
    await own.redis.config('SET', 'appendonly', 'no');
    try {
      const { report, code } = await examine();
      expect(report.findings).toContainEqual(
        expect.objectContaining({ id: 'redis.persistence', severity: 'warning', found: 'appendonly is no.' }),
      );
      expect(code).toBe(1);
    } finally {
      await own.redis.config('SET', 'appendonly', 'yes');
    }
  });

  it.each([
    ['redis.rights', ['-eval'], 'EVAL (command)'],
    ['redis.rights', ['resetchannels'], 'PUBLISH (channel)'],
    ['redis.no-info', ['-info'], 'is not allowed to run INFO'],
  ])('%s: a user with %s', async (id, rights, found) => {
    const name = `limited${rights.join('').replaceAll(/[^a-z]/g, '')}`;
    await own.redis.acl('SETUSER', name, 'reset', 'on', '>geheim', '~*', '&*', '+@all', ...rights);
    const url = new URL(own.redisUrl);
    [url.username, url.password] = [name, 'geheim'];
    expect(await factsOf(id, { REDIS_URL: url.href })).toEqual([expect.stringContaining(found)]);
    await own.redis.acl('DELUSER', name);
  });

  it('is none with the rights that the page on Redis names', async () => {
    const page = await readFile('docs/operate/redis.md', 'utf8');
    const rights = /`ACL SETUSER fabula on >… ([^`]+)` \(`fabula` is/.exec(page)?.[1] ?? '';
    const prefix = String(healthy['QUEUE_PREFIX']);
    const given = rights.replaceAll('fabula', prefix).split(' ');
    expect(given).toHaveLength(8);
    await own.redis.acl('SETUSER', 'as-told', 'reset', 'on', '>geheim', ...given);
    const url = new URL(own.redisUrl);
    [url.username, url.password] = ['as-told', 'geheim'];
    expect(await factsOf('redis.rights', { REDIS_URL: url.href })).toEqual([]);
    expect(await factsOf('redis.unreachable', { REDIS_URL: url.href })).toEqual([]);
    await own.redis.acl('DELUSER', 'as-told');
  });

  it('a user without the keys of the queues', async () => {
    await own.redis.acl('SETUSER', 'elsewhere', 'reset', 'on', '>geheim', '~other*', '&*', '+@all');
    const url = new URL(own.redisUrl);
    [url.username, url.password] = ['elsewhere', 'geheim'];
    expect(await factsOf('redis.rights', { REDIS_URL: url.href })).toEqual([
      expect.stringContaining('SET (key)'),
    ]);
  });

  it('a port without a server', async () => {
    const facts = await factsOf('redis.unreachable', { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(facts).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });
});

describe('broken work', () => {
  it('requests that wait in the spool', async () => {
    const spool = queueOf(fabula, SPOOL_QUEUE, own);
    await spool.pause();
    await spool.add('waits', {}, { timestamp: Date.now() - 3_600_000 });
    try {
      const { report } = await examine();
      const facts = new Map(report.findings.map(({ id, found }) => [id, found]));
      expect(facts.get('spool.waiting')).toMatch(
        /^1 request waiting, the oldest for 36\d\d s; at most \d+ of/,
      );
      expect(facts.get('work.paused')).toMatch(
        /^webhook-events is paused, at an unknown time: 1 job is waiting, the oldest for 36\d\d s\.$/,
      );
    } finally {
      await spool.drain();
      await spool.resume();
    }
  });

  it('a process of another version', async () => {
    const connectionName = `${fabula.config.queuePrefix}:process:0.0.1`;
    const old = connectAs(connectionName);
    try {
      await eventually(async () => String(await old.client('LIST')).includes(connectionName));
      expect(await factsOf('work.versions')).toEqual([expect.stringContaining('1 of 0.0.1')]);
    } finally {
      old.disconnect();
    }
  });

  it('processes with different parts of queues', async () => {
    const connectionName = processName(fabula.config.queuePrefix, { 'http-request': 4 });
    const other = connectAs(connectionName);
    try {
      await eventually(async () => String(await other.client('LIST')).includes(connectionName));
      const [found, ...more] = await factsOf('work.queue-parts');
      expect(found).toMatch(/: (?=.*\b1 with http-request=4\b)(?=.*\d with one part each\b)/);
      expect(more).toEqual([]);
      expect(await factsOf('work.versions')).toEqual([]);
    } finally {
      other.disconnect();
    }
  });

  it('queues without a worker', async () => {
    const [found = ''] = await factsOf('work.no-worker', { QUEUE_PREFIX: 'nobody-works-here' });
    expect(found).toContain('http-request');
  });
});

describe('broken configurations', () => {
  it.each([
    [
      'configuration.unknown-variable',
      { OUTBOUND_ALOW: 'x', SMPT_URL: 'x' },
      /OUTBOUND_ALOW \(OUTBOUND_ALLOW\?\), SMPT_URL \(SMTP_URL\?\)/,
    ],
    [
      'configuration.weak-secret',
      { ENCRYPTION_KEY: 'ab'.repeat(32) },
      /ENCRYPTION_KEY has 1 different bytes/,
    ],
    ['configuration.weak-secret', { ADMIN_PASSWORD: 'password1234' }, /ADMIN_PASSWORD/],
    ['configuration.board-half', { ADMIN_PASSWORD: '' }, /ADMIN_PASSWORD is not set/],
    ['configuration.timeouts', { ACTION_DEADLINE_SECONDS: '30' }, /HTTP_TIMEOUT_MAX_SECONDS is 60/],
    [
      'configuration.two-addresses',
      { JAWSDB_URL: 'mysql://a:b@other/c' },
      /DATABASE_URL and JAWSDB_URL differ/,
    ],
    ['configuration.proxy-ignored', { HTTPS_PROXY: 'http://proxy:3128' }, /HTTPS_PROXY is set/],
    ['configuration.sender', { MAIL_FROM: '' }, /fabula@localhost/],
    ['configuration.no-encryption-key', { ENCRYPTION_KEY: '' }, /ENCRYPTION_KEY is not set/],
    ['configuration.no-public-url', { PUBLIC_URL: '' }, /PUBLIC_URL is not set/],
    ['configuration.no-admin-origin', { TRUSTED_PROXIES: '127.0.0.1' }, /ADMIN_ORIGIN is not/],
    [
      'configuration.outbound',
      { OUTBOUND_ALLOW: '10.0.0.0/8', OUTBOUND_DENY: '10.0.0.0/8' },
      /10\.0\.0\.0\/8/,
    ],
    ['outbound.mail-server', { SMTP_URL: 'smtp://127.0.0.1:1' }, /ECONNREFUSED/],
    ['outbound.mail-files', { SMTP_URL: '' }, /SMTP_URL is not set/],
    ['outbound.proxy', { OUTBOUND_PROXY: 'http://127.0.0.1:1' }, /ECONNREFUSED/],
    [
      'outbound.dns',
      { OUTBOUND_PROXY: 'http://proxy.invalid:3128' },
      /OUTBOUND_PROXY: proxy\.invalid does not resolve/,
    ],
  ])('%s', async (id, env, found) => {
    expect(await factsOf(id, env)).toEqual([expect.stringMatching(found)]);
  });

  it('names every variable that is wrong, and looks at the rest of the environment', async () => {
    const { code, report } = await examine({ PORT: 'many', LOG_LEVEL: 'loud', QUOTA_EVENTS: '5' });
    expect(code).toBe(2);
    expect(report.findings.map(({ id }) => id)).toEqual([
      'configuration.invalid',
      'configuration.invalid',
      'configuration.unknown-variable',
    ]);
  });

  it('takes secrets from files, and names one that cannot be read', async () => {
    const file = path.join(folder, 'a-key');
    await writeFile(file, String(healthy['ENCRYPTION_KEY']));
    const given = await examine({ ENCRYPTION_KEY: '', ENCRYPTION_KEY_FILE: file });
    const ids = given.report.findings.map(({ id }) => id);
    expect(ids.filter((id) => id.startsWith('configuration.'))).toEqual([]);
    const { report } = await examine({ ENCRYPTION_KEY: '', ENCRYPTION_KEY_FILE: path.join(folder, 'none') });
    expect(report.findings).toEqual([
      expect.objectContaining({ id: 'configuration.invalid', found: expect.stringContaining('ENOENT') }),
    ]);
  });

  it('a folder that cannot be written', async () => {
    const file = path.join(folder, 'a-file');
    await writeFile(file, '');
    expect(await factsOf('disk.unwritable', { DATA_DIR: path.join(file, 'data') })).toEqual([
      expect.stringContaining('is not writable (ENOTDIR)'),
    ]);
  });

  it('a mail server that refuses the login', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, callback) => callback(new Error('no such user')),
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    try {
      const report = await untilLookedAt((found) => idsOf(found).includes('outbound.mail-login'), {
        SMTP_URL: `smtp://me:very-secret-word@127.0.0.1:${port}`,
      });
      expect(idsOf(report)).toContain('outbound.mail-login');
      expect(JSON.stringify(report)).not.toContain('very-secret-word');
    } finally {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  });

  it('a public address without a server', async () => {
    const port = await findFreePort([]);
    const facts = await factsOf('outbound.public-url', { PUBLIC_URL: `http://127.0.0.1:${port}` });
    expect(facts).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });

  it('a public address that belongs to another server', async () => {
    const other = http.createServer((_request, response) => response.end('hello'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const facts = await factsOf('outbound.public-url-other', { PUBLIC_URL: `http://127.0.0.1:${port}` });
      expect(facts).toEqual([expect.stringContaining('returned 200')]);
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });
});

it('shows no secret of the configuration', async () => {
  const { out } = await examine({ OUTBOUND_PROXY: 'http://me:proxy-word@127.0.0.1:1' });
  const secrets = [
    new URL(own.databaseUrl).password,
    new URL(own.redisUrl).password,
    String(healthy['ENCRYPTION_KEY']),
    PASSWORD,
    'proxy-word',
  ];
  expect(secrets.filter((secret) => out.includes(secret))).toEqual([]);
});
