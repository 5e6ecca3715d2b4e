import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../src/operate/embedded/free-port.js';

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

/** The account that stands for a user of our own: tests create none on this machine. */
const DAEMON = Number(spawnSync('id', ['-u', 'daemon'], { encoding: 'utf8' }).stdout);

/**
 * Writes programs that stand before those of this machine: `id` knows a user `fabula` once `useradd` has created it, which it
 * can if `canCreate`.
 */
async function writeTools(canCreate: boolean): Promise<string> {
  const tools = path.join(folder, 'tools');
  const made = path.join(folder, 'made');
  await mkdir(tools, { recursive: true });
  const real = spawnSync('sh', ['-c', 'command -v id'], { encoding: 'utf8' }).stdout.trim();
  const id = `if [ "$2" != fabula ]; then exec ${real} "$@"; fi; [ -e ${made} ] && exec ${real} "$1" daemon; exit 1`;
  const programs = {
    id,
    useradd: canCreate ? `echo "$@" >> ${made}` : 'exit 1',
    addgroup: 'exit 1',
    adduser: 'exit 1',
  };
  for (const [name, script] of Object.entries(programs))
    await writeFile(path.join(tools, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return tools;
}

/** The outcome of a start by root. */
async function start(
  dataDir: string,
  env: Record<string, string> = {},
  { canCreate = true } = {},
): Promise<Outcome> {
  const args = ['--import', 'tsx', path.join(ROOT, 'test', 'support', 'leave-root.ts')];
  const own = {
    PATH: `${await writeTools(canCreate)}:${process.env['PATH']}`,
    HOME: '/',
    DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
  };
  const ran = await run(process.execPath, args, { cwd: ROOT, env: { ...own, ...env } }).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(ran.stdout.trim().split('\n').at(-1)!) as Outcome;
}

describe('a start as root', () => {
  ifRootAndRead('goes on as another user, with the stores and their files, again and again', async () => {
    const dataDir = path.join(folder, 'data');
    // Data of an older start, by root.
    const before = await start(dataDir, { FABULA_USER: 'root' });
    expect(before).toMatchObject({ uid: 0, owners: [0, 0], said: [] });
    for (let again = 0; again < 2; again += 1) {
      const outcome = await start(dataDir, { FABULA_USER: 'nobody' });
      expect(outcome).toMatchObject({ uid: NOBODY, owners: [NOBODY, NOBODY] });
      expect(new Set(outcome.files)).toEqual(new Set([NOBODY]));
      expect(outcome.said).toEqual([expect.stringContaining('now run as nobody')]);
    }
  });

  ifRootAndRead(
    'S16: creates a system user of its own, which becomes the owner of what nobody had',
    async () => {
      const dataDir = path.join(folder, 'data');
      const before = await start(dataDir, {}, { canCreate: false });
      expect(before).toMatchObject({ uid: NOBODY, owners: [NOBODY, NOBODY] });
      const created = await start(dataDir);
      expect(created).toMatchObject({ uid: DAEMON, owners: [DAEMON, DAEMON] });
      expect(new Set(created.files)).toEqual(new Set([DAEMON]));
      expect(created.said).toEqual([
        expect.stringContaining('Created the dedicated system user fabula'),
        expect.stringContaining('now run as fabula'),
      ]);
      expect((await start(dataDir)).said).toEqual([expect.stringContaining('now run as fabula')]);
      const made = await readFile(path.join(folder, 'made'), 'utf8');
      expect(made).toBe('--system --user-group --no-create-home --shell /usr/sbin/nologin fabula\n');
    },
  );

  ifRootAndRead('S16: warns at each start where everything runs as a user that others share', async () => {
    const dataDir = path.join(folder, 'data');
    for (let again = 0; again < 2; again += 1) {
      const { uid, said } = await start(dataDir, {}, { canCreate: false });
      expect(uid).toBe(NOBODY);
      expect(said).toEqual([
        expect.stringContaining('now run as nobody'),
        expect.stringMatching(/^WARNING: other services may also run as nobody/),
      ]);
    }
  });

  ifRoot('stays root with a warning where the data folder cannot be reached', async () => {
    const closed = path.join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const outcome = await start(path.join(closed, 'data'));
    expect(outcome).toMatchObject({ uid: 0, owners: [0, 0] });
    expect(outcome.said).toEqual([
      expect.stringMatching(/^WARNING: started as root.*nobody lacks permissions to run Fabula/),
    ]);
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
