import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { worthShowing } from '../../src/operate/cli/start/processes/child-log.js';
import { type CliRunOptions, runFabula } from '../../src/operate/cli/run-fabula.js';
import { createStartBackoff } from '../../src/operate/cli/start/processes/start-backoff.js';
import { planStart } from '../../src/operate/cli/start/start-environment.js';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { takeRunLock } from '../../src/operate/embedded/run-lock.js';

const SERVERS = path.join(__dirname, '../../.cache/servers');
const QUICK = { firstMs: 20, maxMs: 40, goodRunMs: 60_000, quickDeaths: 3 };

/** A web process in miniature: ready at once, writes down when it ends. */
const WEB = `
  const fs = require('node:fs');
  const note = (line) => fs.appendFileSync(process.env.NOTES, line + '\\n');
  require('node:http').createServer((request, response) => {
    response.statusCode = request.url === '/readyz' ? 200 : 404;
    response.end();
  }).listen(Number(process.env.PORT), process.env.HOST);
  console.error('a plain line on standard error');
  console.log(JSON.stringify({ level: 'warn', message: 'web warns' }));
  console.log(JSON.stringify({ level: 'info', message: 'web informs' }));
  process.on('SIGUSR2', () => note('web debug'));
  process.on('SIGTERM', () => { note('web down'); process.exit(0); });
  process.on('disconnect', () => process.exit(0));
  note('web up');`;
const WORKER = `
  const fs = require('node:fs');
  const net = require('node:net');
  const note = (line) => fs.appendFileSync(process.env.NOTES, line + '\\n');
  setInterval(() => {}, 1000);
  process.on('SIGUSR2', () => note('worker debug'));
  process.on('disconnect', () => process.exit(0));
  process.on('SIGTERM', () => {
    const redis = net.connect(Number(new URL(process.env.REDIS_URL).port || 1), '127.0.0.1');
    redis.on('connect', () => { note('worker down, store up'); process.exit(0); });
    redis.on('error', () => { note('worker down, store gone'); process.exit(0); });
  });
  note('worker up ' + process.pid);`;
/** Dies as soon as the other one is up, which then can say that it was stopped. */
const DYING = `
  const fs = require('node:fs');
  const look = () => {
    if (!fs.existsSync(process.env.NOTES) || !fs.readFileSync(process.env.NOTES, 'utf8').includes('web up')) return;
    console.error('cannot work');
    process.exit(7);
  };
  setInterval(look, 10);`;

let dataDir: string;
let lines: string[];
let asked: AbortController;
let hurried: AbortController;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'fabula-start-'));
  lines = [];
  asked = new AbortController();
  hurried = new AbortController();
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const node = (script: string) => ({ command: process.execPath, args: ['-e', script] });
const notes = () => readFile(path.join(dataDir, 'notes'), 'utf8').catch(() => '');

/** How often a web process came up. */
async function webStarts(): Promise<number> {
  return (await notes()).split('\n').filter((note) => note === 'web up').length;
}

/** The worker that came up last. */
async function workerPid(): Promise<number> {
  const line = (await notes()).split('\n').findLast((note) => note.startsWith('worker up'));
  return Number(line?.split(' ')[2]);
}

async function options(overrides: Partial<CliRunOptions['parts']> = {}, env: NodeJS.ProcessEnv = {}) {
  const given: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    NOTES: path.join(dataDir, 'notes'),
    DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
    DATABASE_URL: 'mysql://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    ...env,
  };
  const run: CliRunOptions = {
    env: given,
    say: (line) => lines.push(line),
    stop: { asked: asked.signal, hurried: hurried.signal },
    parts: {
      migrate: node(''),
      web: node(WEB),
      worker: node(WORKER),
      seed: async (config) => ({
        base_url: `http://${config.host}:${config.port}`,
        tenant_id: 1,
        team_id: 2,
        user_email: 'owner@example.com',
        api_key: 'key-1',
        admin_user: config.adminUser!,
        admin_password: config.adminPassword!,
        demo_webhook_url: 'http://127.0.0.1/webhook/demo/secret',
        console_url: 'http://127.0.0.1:3001/console/',
        console_link: 'http://127.0.0.1:3001/console/?link=once',
      }),
      ...overrides,
    },
    backoff: QUICK,
    serversDir: SERVERS,
  };
  return run;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`The condition did not come true in 20 s:\n${lines.join('\n')}`);
    await pause(20);
  }
}

const screen = () => lines.find((line) => line.includes('Fabula is running'));

/** Runs until `body` is done, then stops it. */
async function running(run: CliRunOptions, body: () => Promise<void>): Promise<void> {
  const ended = runFabula(run);
  const failed = ended.then(
    () => undefined,
    (error: unknown) => error,
  );
  await Promise.race([until(() => screen() !== undefined), ended]);
  try {
    await body();
  } finally {
    asked.abort();
    await failed;
  }
  await ended;
}

describe('npm start', () => {
  it('shows one screen when it is ready, and keeps the credentials for this user only', async () => {
    await running(await options(), async () => {
      const file = path.join(dataDir, 'credentials.json');
      const credentials = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
      expect(Object.keys(credentials)).toEqual([
        'base_url',
        'tenant_id',
        'team_id',
        'user_email',
        'api_key',
        'admin_user',
        'admin_password',
        'console_url',
      ]);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(screen()).toContain('key-1');
      expect(screen()).toMatch(/Queues +http:\/\/127\.0\.0\.1:\d+\/admin\/queues /);
      expect(screen()).not.toContain(`${credentials.base_url}/admin/queues`);
      expect(screen()).toContain(credentials.admin_password);
      expect(screen()).toContain('http://127.0.0.1/webhook/demo/secret');
      expect(screen()).toMatch(/Console +http:\/\/127\.0\.0\.1:3001\/console\/\?link=once /);
      expect(screen()).toContain(path.join(dataDir, 'mail'));
    });
  });

  it('keeps what children print in files, and shows warnings and errors on the terminal', async () => {
    await running(await options(), async () => {
      await until(() => lines.includes('[web] a plain line on standard error'));
      expect(lines).toContain('[web] warn: web warns');
      expect(lines.join('\n')).not.toContain('web informs');
      expect(await readFile(path.join(dataDir, 'logs', 'web.log'), 'utf8')).toContain('web informs');
    });
  });

  it('hands SIGUSR2 on to web and workers while it runs', async () => {
    const before = process.listenerCount('SIGUSR2');
    await running(await options(), async () => {
      await until(async () => /web up[^]*worker up|worker up[^]*web up/.test(await notes()));
      process.emit('SIGUSR2', 'SIGUSR2');
      await until(async () => /web debug[^]*worker debug|worker debug[^]*web debug/.test(await notes()));
    });
    expect(process.listenerCount('SIGUSR2')).toBe(before);
  });

  it('stops web and workers before the stores', async () => {
    const run = await options({}, { REDIS_URL: '' });
    await running(run, () => until(async () => (await notes()).includes('worker up')));
    expect(await notes()).toContain('worker down, store up');
    expect(await notes()).toContain('web down');
    const stopping = lines.filter((line) => line.startsWith('Stop'));
    expect(stopping).toEqual(['Stopping web and workers …', 'Stopping the stores …', 'Stopped.']);
  });

  it('starts a child that dies again, and a store on its port', async () => {
    const run = await options({}, { REDIS_URL: '' });
    await running(run, async () => {
      await until(async () => (await notes()).includes('worker up'));
      const first = await workerPid();
      process.kill(first, 'SIGKILL');
      await until(async () => (await workerPid()) !== first);
      expect(lines).toContain('worker ended with SIGKILL; restarting in 0.02 s');

      const { pid } = JSON.parse(await readFile(path.join(dataDir, 'run', 'redis.pid.json'), 'utf8')) as {
        pid: number;
      };
      process.kill(pid, 'SIGKILL');
      await until(() => lines.includes('redis is running again'));
    });
    expect(await notes()).toContain('worker down, store up');
  });

  it('stops everything and says why when a child keeps dying', async () => {
    const run = await options({ worker: node(DYING) });
    await expect(runFabula(run)).rejects.toThrow(/worker keeps failing \(last: ended with code 7\)/);
    expect(lines).toContain('[worker] cannot work');
    expect(await notes()).toContain('web down');
    expect(lines.at(-1)).toBe('Stopped.');
  });

  it('keeps worker and stores when a web process that has worked keeps dying, and brings it back', async () => {
    const crash = "const crash = require('node:fs').existsSync(process.env.NOTES + '.crash');";
    const crashing = `setInterval(() => { ${crash} if (crash) process.abort(); }, 10); { ${crash} if (crash) process.exit(9); } ${WEB}`;
    const run = await options({ web: node(crashing) });
    await running(run, async () => {
      await until(async () => screen() !== undefined && (await notes()).includes('worker up'));
      const worker = await workerPid();
      const trigger = path.join(dataDir, 'notes.crash');
      await writeFile(trigger, '');
      await until(() =>
        lines.some((line) => /^web .*it keeps failing; other processes are unaffected/.test(line)),
      );
      await rm(trigger);
      const before = await webStarts();
      await until(async () => (await webStarts()) > before);
      expect(await workerPid()).toBe(worker);
      expect(lines.filter((line) => line.startsWith('worker '))).toEqual([]);
    });
  });

  it('ends by force what does not stop, at once when asked twice', async () => {
    const stubborn = `${WORKER} process.removeAllListeners('SIGTERM'); process.on('SIGTERM', () => {});`;
    const run = await options({ worker: node(stubborn) });
    const ended = runFabula(run);
    await until(async () => screen() !== undefined && (await notes()).includes('worker up'));
    asked.abort();
    await until(async () => (await notes()).includes('web down'));
    const hurriedAt = Date.now();
    hurried.abort();
    await ended;
    expect(Date.now() - hurriedAt).toBeLessThan(8_000); // a plain stop waits 9 s
  });

  it('refuses a port that is in use, before anything is started', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(runFabula(await options({}, { PORT: String(port) }))).rejects.toThrow(
      `port ${port} on 127.0.0.1 is already in use`,
    );
    other.close();
    expect(lines.join('\n')).not.toContain('Starting');
  });

  it('refuses a port of the board that is asked for and in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(runFabula(await options({}, { ADMIN_PORT: String(port) }))).rejects.toThrow(
      `port ${port} on 127.0.0.1 is already in use; set ADMIN_PORT to a free port`,
    );
    other.close();
  });

  it('refuses a data folder that another start works on', async () => {
    const release = await takeRunLock(path.join(dataDir, 'run', 'start.lock'));
    await expect(runFabula(await options())).rejects.toThrow(
      `Already running here as process ${process.pid}`,
    );
    release();
    await running(await options(), async () => undefined);
  });

  it('takes over the lock of a start that was killed', async () => {
    (await takeRunLock(path.join(dataDir, 'run', 'start.lock')))();
    for (const left of [JSON.stringify({ pid: process.pid, began: 'before' }), 'half a li']) {
      await writeFile(path.join(dataDir, 'run', 'start.lock'), left);
      const release = await takeRunLock(path.join(dataDir, 'run', 'start.lock'));
      release();
    }
  });

  it('shows the end of the output of a migration that fails', async () => {
    const run = await options({ migrate: node('console.error("no such table"); process.exit(1)') });
    await expect(runFabula(run)).rejects.toThrow(/ended with code 1:\nno such table/);
  });

  it('names every wrong variable', async () => {
    const run = await options({}, { PORT: 'x', LOG_LEVEL: 'loud' });
    await expect(runFabula(run)).rejects.toThrow(/PORT[^]*LOG_LEVEL/);
  });

  it('keeps generated secrets from start to start, and lets the user choose others', async () => {
    const passwords: string[] = [];
    const seedOf = (await options()).parts.seed;
    const seed: CliRunOptions['parts']['seed'] = async (config) => {
      passwords.push(`${config.adminUser} ${config.adminPassword} ${config.encryptionKey?.toString('hex')}`);
      return seedOf(config);
    };
    const own = { ADMIN_USER: 'me', ADMIN_PASSWORD: 'my own password', ENCRYPTION_KEY: 'ab'.repeat(32) };
    for (const env of [{}, {}, own]) {
      asked = new AbortController();
      lines = [];
      await running(await options({ seed }, env), async () => undefined);
    }
    expect(passwords[0]).toMatch(/^admin \S{16} [0-9a-f]{64}$/);
    expect(passwords[1]).toBe(passwords[0]);
    expect(passwords[2]).toBe(`me my own password ${own.ENCRYPTION_KEY}`);
    expect((await stat(path.join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('what npm start runs with', () => {
  it.each([
    [{}, true, true],
    [{ DATABASE_URL: 'mysql://h/d' }, false, true],
    [{ JAWSDB_URL: 'mysql://h/d', REDIS_TLS_URL: 'rediss://h' }, false, false],
    [{ CLEARDB_DATABASE_URL: 'mysql://h/d', REDIS_URL: '' }, false, true],
  ])('%j: embedded database %s, Redis %s', async (env, needDatabase, needRedis) => {
    expect(await planStart(env)).toMatchObject({ needDatabase, needRedis });
  });

  it('listens on the loopback address and port 3000 unless told otherwise', async () => {
    const { env } = await planStart({});
    expect(env).toMatchObject({ HOST: '127.0.0.1', PORT: '3000', NODE_ENV: 'production' });
    expect(path.isAbsolute(env.DATA_DIR!)).toBe(true);
    expect((await planStart({ HOST: '0.0.0.0', PORT: '8080' })).env).toMatchObject({
      HOST: '0.0.0.0',
      PORT: '8080',
    });
    expect(Number((await planStart({ PORT: '0' })).env.PORT)).toBeGreaterThan(0);
  });

  it('gives the board the next port, a free one where that is taken, and the one that is asked for', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const taken = (other.address() as AddressInfo).port;
    const { PORT, ADMIN_PORT } = (await planStart({ PORT: String(taken - 1) })).env;
    expect([PORT, Number(ADMIN_PORT) > 0, ADMIN_PORT === String(taken)]).toEqual([
      String(taken - 1),
      true,
      false,
    ]);
    other.close();
    await new Promise((resolve) => other.once('close', resolve));
    expect((await planStart({ PORT: String(taken - 1) })).env.ADMIN_PORT).toBe(String(taken));
    expect((await planStart({ ADMIN_PORT: '9' })).env.ADMIN_PORT).toBe('9');
    expect(Number((await planStart({ ADMIN_PORT: '0' })).env.ADMIN_PORT)).toBeGreaterThan(0);
    expect((await planStart({ ADMIN_ORIGIN: 'https://admin.example' })).env.ADMIN_PORT).toBeUndefined();
  });
});

describe('the wait before a restart', () => {
  it('doubles to its limit, ends after too many quick deaths, and begins anew after a good run', () => {
    const backoff = createStartBackoff({ firstMs: 500, maxMs: 3_000, goodRunMs: 60_000, quickDeaths: 5 });
    const waitMs = (ran: number) => backoff.next(ran).waitMs;
    expect([0, 0, 0, 0, 60_000, 0].map(waitMs)).toEqual([500, 1_000, 2_000, 3_000, 500, 1_000]);
    expect([0, 0, 0].map(waitMs)).toEqual([2_000, 3_000, 3_000]);
    expect(backoff.next(0)).toEqual({ waitMs: 3_000, keepsFailing: true });
  });
});

describe('what of a child is shown on the terminal', () => {
  it.each([
    ['{"level":"error","message":"broken"}', true, 'error: broken'],
    ['{"level":"warn","message":"careful"}', false, 'warn: careful'],
    ['{"level":"info","message":"fine"}', true, undefined],
    ['2026-11-25T22:00:00.123Z warn  [web/stores] careful use=x', false, 'warn: careful use=x'],
    ['2026-11-25T22:00:00.123Z info  [web] fine', true, undefined],
    ['plain text', true, 'plain text'],
    ['plain text', false, undefined],
    ['{"level":', true, '{"level":'],
    ['   ', true, undefined],
  ])('%s (plain shown: %s)', (line, showPlain, shown) => {
    expect(worthShowing(line, showPlain)).toBe(shown);
  });
});
