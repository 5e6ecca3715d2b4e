import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { eventually } from '../support/eventually.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';
import { useStores } from '../support/stores.js';

const CHECKOUT = path.resolve(__dirname, '../..');
const COPIED = ['src', 'workers', 'migrations', 'bin', 'package.json', 'package-lock.json'];
const HEALTH = 'src/platform/http/server/health-router.ts';
const ANSWER = "res.json({ status: 'ok' })";

const stores = useStores();
let copy: string;
let started: FabulaProcess[];

beforeEach(() => {
  started = [];
  copy = mkdtempSync(path.join(tmpdir(), 'fabula-dev-'));
  for (const name of COPIED) cpSync(path.join(CHECKOUT, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(CHECKOUT, 'node_modules'), path.join(copy, 'node_modules'));
});

afterEach(async () => {
  await Promise.all(started.map((dev) => dev.stop('SIGTERM')));
  rmSync(copy, { recursive: true, force: true });
});

/** Starts `npm run dev` of the copy, on the stores of this test. */
async function startDev() {
  const port = String(await findFreePort());
  const env = fabulaEnvironment(stores, {
    DATA_DIR: path.join(copy, '.data'),
    PORT: port,
    HOST: '127.0.0.1',
    // As root it would become a user who cannot read the copy.
    FABULA_USER: 'root',
  });
  const dev = startProcess(path.join(copy, 'bin/dev.mjs'), env);
  started.push(dev);
  const health = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    return response?.text();
  };
  await dev.said('Fabula is running', 100_000);
  return { dev, health };
}

/** Saves the file that answers `GET /healthz`, with this statement as its response. */
function saveResponse(statement: string): void {
  const original = readFileSync(path.join(CHECKOUT, HEALTH), 'utf8');
  expect(original).toContain(ANSWER);
  writeFileSync(path.join(copy, HEALTH), original.replace(ANSWER, statement));
}

const processesOfCopy = () =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(copy));

test('npm run dev makes a change live, shows a syntax error and goes on after the next save', async () => {
  const { dev, health } = await startDev();
  expect(await health()).toBe('{"status":"ok"}');

  saveResponse("res.json({ status: 'changed' })");
  await eventually(async () => (await health()) === '{"status":"changed"}', 60_000);

  saveResponse('res.json({ status: ');
  await dev.said(`${HEALTH} cannot be compiled`);
  expect(await health()).toBe('{"status":"changed"}');

  saveResponse("res.json({ status: 'mended' })");
  await eventually(async () => (await health()) === '{"status":"mended"}', 60_000);

  expect(processesOfCopy().length).toBeGreaterThanOrEqual(4);
  expect(await dev.stop('SIGINT')).toBe(0);
  expect(dev.output()).toContain('Stopped.');
  expect(processesOfCopy()).toEqual([]);
});

test('npm run dev goes on after a change with which the web process cannot start', async () => {
  const { dev, health } = await startDev();

  saveResponse(
    "res.json({ status: 'ok' });\n  });\n  throw new Error('not like this');\n  router.get('/none', (_req: Request, res: Response) => {\n    res.json({})",
  );
  await dev.said('Error: not like this');

  saveResponse("res.json({ status: 'mended' })");
  await eventually(async () => (await health()) === '{"status":"mended"}', 60_000);
  expect(await dev.stop('SIGTERM')).toBe(0);
  expect(processesOfCopy()).toEqual([]);
});
