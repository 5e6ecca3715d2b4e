import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../src/embedded/free-port.js';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '..', '..');
const NOBODY = Number(spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout);
const isRoot = process.getuid?.() === 0;
/** Whether another user can read this checkout at all: where CI has it in the home of root, none can. */
const canRead =
  isRoot &&
  spawnSync(process.execPath, ['-e', "require('./package.json')"], {
    cwd: ROOT,
    uid: NOBODY,
    gid: NOBODY,
  }).status === 0;
const ifRoot = isRoot ? test : test.skip;
const ifRootAndRead = canRead ? test : test.skip;

interface Outcome {
  uid: number;
  owners: number[];
  files: number[];
  said: string[];
  failed?: string;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-root-'));
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What becomes of a start by root. */
async function start(dataDir: string, env: Record<string, string> = {}): Promise<Outcome> {
  const args = ['--import', 'tsx', path.join(ROOT, 'test', 'support', 'leave-root.ts')];
  const own = {
    PATH: process.env['PATH']!,
    HOME: '/',
    DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
  };
  const ran = await run(process.execPath, args, { cwd: ROOT, env: { ...own, ...env } }).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(ran.stdout.trim().split('\n').at(-1)!) as Outcome;
}

describe('attack 14 a start as root', () => {
  ifRootAndRead('goes on as another user, with the stores and their files, again and again', async () => {
    const dataDir = path.join(folder, 'data');
    // Data of an older start, by root.
    const before = await start(dataDir, { FABULA_USER: 'root' });
    expect(before).toMatchObject({ uid: 0, owners: [0, 0], said: [] });
    for (let again = 0; again < 2; again += 1) {
      const outcome = await start(dataDir);
      expect(outcome).toMatchObject({ uid: NOBODY, owners: [NOBODY, NOBODY] });
      expect(new Set(outcome.files)).toEqual(new Set([NOBODY]));
      expect(outcome.said).toEqual([expect.stringContaining('now runs as nobody')]);
    }
  });

  ifRoot('stays root with a warning where the data folder cannot be reached', async () => {
    const closed = path.join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const outcome = await start(path.join(closed, 'data'));
    expect(outcome).toMatchObject({ uid: 0, owners: [0, 0] });
    expect(outcome.said).toEqual([expect.stringMatching(/^WARNING: started as root.*nobody cannot run it/)]);
  });

  ifRoot('gives nothing away that is not its own', async () => {
    const shared = path.join(folder, 'shared');
    await mkdir(shared);
    await writeFile(path.join(shared, 'payroll.txt'), 'x');
    const outcome = await start(shared);
    expect(outcome).toMatchObject({ uid: 0, files: [0, 0, 0, 0] });
    expect(outcome.said).toEqual([expect.stringContaining('payroll.txt')]);
  });

  ifRoot('is refused where FABULA_USER is no user', async () => {
    const outcome = await start(path.join(folder, 'data'), { FABULA_USER: 'no-such-user' });
    expect(outcome.failed).toContain('FABULA_USER');
  });
});
