import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { writePrivateJson } from '../../src/operate/embedded/private-file.js';
import { markOf } from '../../src/operate/embedded/process-identity.js';
import { CHAIN } from '../support/chain-story.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';
import { runCli } from '../support/run-cli.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

/** The messages that the process has written at `debug`, but for a line that is not whole yet. */
function debugged(fabula: FabulaProcess): unknown[] {
  const lines = fabula
    .output()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'));
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return entries.filter(({ level }) => level === 'debug').map(({ message }) => message);
}

test('web and worker log each call and each job after SIGUSR2, and not before', async () => {
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const { webhooks } = await fabula.importStory(CHAIN);
  const port = await findFreePort();
  const { queuePrefix, dataDir } = fabula.config;
  const env = { PORT: String(port), QUEUE_PREFIX: queuePrefix, DATA_DIR: dataDir, LOG_LEVEL: 'info' };
  const start = (file: string) => {
    const started = startProcess(file, fabulaEnvironment(stores, env));
    stores.onClose(() => started.stop('SIGKILL'));
    return started;
  };
  const call = async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/webhook/${webhooks['Receive']}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"number":1}',
    });
    expect(status).toBe(201);
    await fabula.settled();
  };
  const [web, worker] = [start('web'), start('workers/all')];
  await Promise.all([web.said('web is listening'), worker.said('worker is running')]);
  await call();
  expect([debugged(web), debugged(worker)]).toEqual([[], []]);

  for (const { pid } of [web, worker]) process.kill(pid, 'SIGUSR2');
  await Promise.all([web, worker].map((each) => each.said('everything is logged for fifteen minutes')));
  await call();
  await eventually(() => debugged(web).includes('request') && debugged(worker).includes('job'), 60_000);
});

/** A process that stands for an `npm start`: it says that it runs, and ends with code 7 when it gets SIGUSR2. */
const START =
  "process.on('SIGUSR2', () => process.exit(7)); setInterval(() => {}, 1000); console.log('runs')";

test('"fabula debug" sends SIGUSR2 to the npm start that runs on DATA_DIR', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-debug-'));
  stores.onClose(() => rm(folder, { recursive: true }));
  const debug = () => runCli(['debug', '--json'], { env: { DATA_DIR: folder } });
  expect(await debug()).toMatchObject({ code: 1, err: expect.stringContaining('no "npm start" is running') });

  const start = spawn(process.execPath, ['-e', START], { stdio: ['ignore', 'pipe', 'inherit'] });
  stores.onClose(() => void start.kill('SIGKILL'));
  await once(start.stdout, 'data');
  const note = { process: await markOf(start.pid!), sealed: '' };
  writePrivateJson(path.join(folder, 'run', 'start.json'), note);
  const ended = once(start, 'exit');
  const { code, out } = await debug();
  expect([code, JSON.parse(out)]).toEqual([0, { pid: start.pid, logs: path.join(folder, 'logs') }]);
  expect(await ended).toEqual([7, null]);
  expect(await debug()).toMatchObject({ code: 1 });
});
