import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Report } from '../../src/operate/doctor/report.js';
import { runFabula } from '../../src/operate/cli/run-fabula.js';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { builtFile } from '../support/processes.js';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { startSmtpServer } from '../support/smtp-server.js';

const SERVERS = path.join(__dirname, '../../.cache/servers');
const PAGE = path.join(__dirname, '../../docs/operate/backup-and-restore.md');

/** A web process in miniature: ready at once. */
const WEB = `
  require('node:http').createServer((request, response) => response.end())
    .listen(Number(process.env.PORT), process.env.HOST);
  process.on('disconnect', () => process.exit(0));
  process.on('SIGTERM', () => process.exit(0));`;
const WORKER = "setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(0));";
const node = (...args: string[]) => ({ command: process.execPath, args });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-embedded-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function newDataDir(name: string): Promise<string> {
  const dataDir = path.join(folder, name);
  await mkdir(dataDir, { mode: 0o700 });
  if (existsSync(SERVERS)) await symlink(SERVERS, path.join(dataDir, 'servers'));
  return dataDir;
}

/** Runs `npm start` on a data folder until `body` is done. Its web and worker do nothing. */
async function running(dataDir: string, env: NodeJS.ProcessEnv, body: () => Promise<void>): Promise<void> {
  const lines: string[] = [];
  const asked = new AbortController();
  const ended = runFabula({
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(await findFreePort()), ...env },
    say: (line) => lines.push(line),
    stop: { asked: asked.signal, hurried: new AbortController().signal },
    parts: {
      migrate: node(builtFile('cli'), 'migrate'),
      web: node('-e', WEB),
      worker: node('-e', WORKER),
      seed: async (config) => (await import('../../src/operate/cli/seed/seed.js')).seed(config),
    },
    serversDir: SERVERS,
  });
  const isUp = eventually(() => lines.some((line) => line.includes('Fabula is running')), 120_000);
  await Promise.race([isUp, ended]);
  try {
    await body();
  } finally {
    asked.abort();
    await ended;
  }
}

const fabula = (dataDir: string, ...args: string[]) =>
  runCli(args, { env: { PATH: process.env['PATH'], DATA_DIR: dataDir } });

/** The commands of a section of the page, with this folder. */
async function commandsOf(heading: string, backup: string): Promise<string[][]> {
  const [, section = ''] = (await readFile(PAGE, 'utf8')).split(`\n### ${heading}\n`);
  const lines = [...section.split('\n## ')[0]!.matchAll(/^ *npm run -s fabula -- ([^#\n]+)/gm)];
  return lines.map(([, command = '']) =>
    command
      .trim()
      .split(/\s+/)
      .map((word) => (word === 'FOLDER' ? backup : word)),
  );
}

it('I7, I17: commands beside npm start see its settings, and its back-up is restored as the page says', async () => {
  const mail = await startSmtpServer();
  const dataDir = await newDataDir('data');
  const backup = path.join(folder, 'backup');
  const [take = [], again = [], elsewhere = []] = await commandsOf(
    'With `npm start` and its own stores',
    backup,
  );
  expect([take[0], again[0], elsewhere[0]]).toEqual(['backup', 'restore', 'restore']);
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'fabula@example.com', QUEUE_PREFIX: 'own-prefix' };
  const misspelt = { ADMIN_PASWORD: 'not-for-anybody' };
  await running(dataDir, { ...settings, ...misspelt }, async () => {
    const doctor = await fabula(dataDir, 'doctor', '--json');
    const report = JSON.parse(doctor.out) as Report;
    expect(report.findings.map(({ id }) => id)).not.toContain('outbound.mail-files');
    expect(report.findings.map(({ id }) => id)).not.toContain('outbound.mail-server');
    const record = await readFile(path.join(dataDir, 'run', 'start.json'), 'utf8');
    expect(record).not.toContain(mail.url);
    expect(doctor.out).toContain('ADMIN_PASWORD (ADMIN_PASSWORD?)');
    expect(doctor.out).not.toContain('not-for-anybody');
    const own = { env: { PATH: process.env['PATH'], DATA_DIR: dataDir, SMTP_URL: 'smtp://127.0.0.1:1' } };
    const given = await runCli(['doctor', '--json'], own);
    expect(given.out).toContain('outbound.mail-server');
    expect(await fabula(dataDir, ...take)).toMatchObject({ code: 0 });
  });
  await mail.close();
  expect(existsSync(path.join(dataDir, 'run', 'start.json'))).toBe(false);

  const refused = await fabula(dataDir, 'restore', backup);
  expect(refused.err).toContain('the database is not empty');
  expect(await fabula(dataDir, ...again)).toMatchObject({ code: 0 });
  expect((await fabula(dataDir, 'tenant', 'list')).err).toContain('npm start');

  const other = await newDataDir('other');
  await cp(path.join(dataDir, 'secrets.json'), path.join(other, 'secrets.json'));
  expect(await fabula(other, ...elsewhere)).toMatchObject({ code: 0 });
  for (const restored of [dataDir, other]) {
    await running(restored, {}, async () => {
      expect((await fabula(restored, 'story', 'list')).out).toContain('Demo: greet somebody');
    });
  }
}, 600_000);
