import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runFabula } from '../../src/operate/cli/run-fabula.js';
import { readConfig } from '../../src/config/config.js';
import { startScreen } from '../../src/operate/cli/start/start-screen.js';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const READY = `require('http').createServer((_, answer) => answer.end()).listen(process.env.PORT, '127.0.0.1')`;
const SECRETS = ['key-of-the-owner', 'board-password', 'demo-secret'];

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'fabula-screen-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const node = (code: string) => ({ command: process.execPath, args: ['-e', code] });

/** All that one start prints until it is up. */
async function printed({ show }: { show?: boolean } = {}): Promise<string> {
  const lines: string[] = [];
  const asked = new AbortController();
  const say = (line: string) => {
    lines.push(line);
    if (line.includes('Fabula is running')) asked.abort();
  };
  await runFabula({
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(await findFreePort()),
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: stores.redisUrl,
      ADMIN_USER: 'admin',
      ADMIN_PASSWORD: 'board-password',
    },
    say,
    stop: { asked: asked.signal, hurried: new AbortController().signal },
    ...(show !== undefined && { show }),
    parts: {
      migrate: node(''),
      web: node(READY),
      worker: node('setInterval(() => {}, 1000)'),
      seed: async (config) => ({
        base_url: `http://127.0.0.1:${config.port}`,
        tenant_id: 1,
        team_id: 1,
        user_email: 'admin@fabula.local',
        api_key: 'key-of-the-owner',
        admin_user: 'admin',
        admin_password: config.adminPassword!,
        demo_webhook_url: 'http://127.0.0.1/webhook/demo/demo-secret',
        console_url: 'http://127.0.0.1:3001/console/',
        console_link: 'http://127.0.0.1:3001/console/?link=once',
      }),
    },
  });
  return lines.join('\n');
}
const shownIn = (text: string) => SECRETS.filter((secret) => text.includes(secret));

test('secrets are on the screen of the first start alone, unless they are asked for', async () => {
  expect(shownIn(await printed())).toEqual(SECRETS);
  const later = await printed();
  expect(shownIn(later)).toEqual([]);
  expect(later).toContain(path.join(dataDir, 'credentials.json'));
  expect(later).toContain('--show');
  expect(shownIn(await printed({ show: true }))).toEqual(SECRETS);
  const credentials = await readFile(path.join(dataDir, 'credentials.json'), 'utf8');
  expect(JSON.parse(credentials)).toMatchObject({
    api_key: 'key-of-the-owner',
    admin_password: 'board-password',
  });
});

test('the screen without secrets still says where everything is', () => {
  const config = readConfig({ DATABASE_URL: 'mysql://db/x', REDIS_URL: 'redis://cache', DATA_DIR: dataDir });
  const seeded = {
    base_url: 'http://here',
    api_key: 'k',
    admin_user: 'admin',
    admin_password: 'p',
    console_link: 'http://there/console/?link=once',
  };
  const screen = startScreen(config, seeded as never, { secrets: false });
  for (const part of [
    'http://here',
    'http://there/console/?link=once',
    '/admin/queues',
    path.join(dataDir, 'mail'),
    path.join(dataDir, 'logs'),
  ]) {
    expect(screen).toContain(part);
  }
});
