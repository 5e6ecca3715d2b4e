import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { eventually } from '../support/eventually.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';

const ROOT = path.resolve(__dirname, '../..');
const SIZE_MB = 420;
const LEFT_BYTES = 300_000;

let folder: string;
let disk: string;
let fabula: FabulaProcess | undefined;

const mount = (at: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', at], { stdio: 'ignore' }).status ===
  0;
const unmount = (at: string) => spawnSync('umount', [at], { stdio: 'ignore' }).status === 0;

/** A disk of its own needs the right to mount one. */
function mayMount(): boolean {
  const trial = mkdtempSync(path.join(os.tmpdir(), 'fabula-mount-'));
  const isMounted = mount(trial) && unmount(trial);
  rmSync(trial, { recursive: true, force: true });
  return isMounted;
}
const ifMayMount = mayMount() ? test : test.skip;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'fabula-full-'));
  disk = path.join(folder, 'disk');
  mkdirSync(disk);
  mount(disk);
});

afterEach(async () => {
  await fabula?.stop('SIGTERM');
  unmount(disk);
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file that leaves so many bytes free. */
function fill(name: string, leftBytes: number): void {
  const descriptor = openSync(path.join(disk, name), 'w');
  const chunk = Buffer.alloc(4 * 1024);
  const free = () => {
    const { bavail, bsize } = statfsSync(disk);
    return bavail * bsize;
  };
  while (free() >= leftBytes + chunk.length) writeSync(descriptor, chunk);
  closeSync(descriptor);
}

function post(hook: string): Promise<Response> {
  const body = JSON.stringify({ name: 'x'.repeat(20_000) });
  const headers = { 'content-type': 'application/json' };
  return fetch(hook, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) });
}

/** How many runs of the demo story have ended. */
async function endedRuns(api: string, key: string): Promise<number> {
  const response = await fetch(`${api}/api/v1/runs?status=completed&per_page=100`, {
    headers: { 'x-user-token': key },
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) return 0;
  const { story_runs } = (await response.json()) as { story_runs: unknown[] };
  return story_runs.length;
}

/** Calls the webhook until five calls in a row were refused. Returns how many were accepted. */
async function postUntilRefused(hook: string): Promise<number> {
  let accepted = 0;
  for (let refused = 0; refused < 5; ) {
    const response = await post(hook);
    if (response.status === 201) {
      accepted += 1;
      continue;
    }
    refused += 1;
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return accepted;
}

describe('a full disk', () => {
  ifMayMount(
    'I1: ends nothing: calls get 503 with Retry-After, and 201 again when there is room',
    async () => {
      const port = String(await findFreePort());
      const env = { DATA_DIR: path.join(disk, 'data'), PORT: port, FABULA_USER: 'root', HOME: folder };
      fabula = startProcess(path.join(ROOT, 'bin/start.mjs'), env);
      await fabula.said('Keys and passwords are only shown at the first start.');
      const output = fabula.output();
      const printed = (pattern: RegExp) => pattern.exec(output)?.[1] ?? '';
      const hook = printed(/'(http:\S+\/webhook\/[^\s']+)'/);
      const api = printed(/API +(http:\S+)/);
      const key = printed(/API key +(\S+)/);
      fill('most', LEFT_BYTES);
      const accepted = await postUntilRefused(hook);
      expect(accepted).toBeGreaterThan(0);
      fill('rest', 0);
      // Each failed request is logged, until the last block of the log is full.
      await eventually(async () => {
        await endedRuns(api, key);
        return fabula?.output().includes('cannot write the log file');
      });
      for (const name of ['most', 'rest']) rmSync(path.join(disk, name));
      await eventually(async () => (await post(hook)).status === 201);
      // Nothing that was accepted is lost: neither in the database nor in the spool.
      await eventually(async () => (await endedRuns(api, key)) === accepted + 1, 60_000);
    },
  );
});
