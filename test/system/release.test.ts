import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { productVersion } from '../../src/platform/outbound/product-version.js';
import { eventually } from '../support/eventually.js';

const CHECKOUT = path.resolve(__dirname, '../..');
/** MariaDB and Redis that were unpacked for this checkout, where the machine has none. */
const SERVERS = path.join(CHECKOUT, '.cache/servers');
const START_LIMIT_MS = 120_000;
const NAME = `fabula-${productVersion()}`;
const folder = mkdtempSync(path.join(tmpdir(), 'fabula-release-'));
const first = path.join(folder, 'first');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a release of a checkout, as it is. An installation would take the packages away from other tests. */
function release(checkout: string, out: string, umask: string): void {
  const command = `umask ${umask}; exec "${process.execPath}" bin/release.mjs --dirty --no-install --out "${out}"`;
  const env = { ...process.env, TZ: umask === '077' ? 'Asia/Tokyo' : 'UTC' };
  execFileSync('sh', ['-c', command], { cwd: checkout, env, stdio: 'pipe' });
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8' });

/** Another checkout of the same commit, with the same changes: other times, another folder. */
function otherCheckout(): string {
  const other = mkdtempSync(path.join(folder, 'other-checkout-'));
  git('clone', '--quiet', '--shared', CHECKOUT, other);
  const files = git('ls-files', '-z').split('\0').filter(Boolean);
  for (const file of files) cpSync(path.join(CHECKOUT, file), path.join(other, file));
  git('-C', other, 'add', '--all');
  symlinkSync(path.join(CHECKOUT, 'node_modules'), path.join(other, 'node_modules'));
  return other;
}

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const unpacked = (...names: string[]) => path.join(folder, NAME, ...names);

beforeAll(() => {
  release(CHECKOUT, first, '022');
  execFileSync('tar', ['xzf', path.join(first, `${NAME}.tgz`)], { cwd: folder });
});

test('two checkouts of a commit give a release of the same bytes', () => {
  const second = path.join(folder, 'second');
  release(otherCheckout(), second, '077');
  expect(readdirSync(second)).toEqual(['SHA256SUMS', `${NAME}.cdx.json`, `${NAME}.tgz`]);
  for (const name of readdirSync(second))
    expect([name, digestOf(path.join(second, name))]).toEqual([name, digestOf(path.join(first, name))]);
});

test('the checksums are those of the files', () => {
  const lines = readFileSync(path.join(first, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const expected = [`${NAME}.cdx.json`, `${NAME}.tgz`].map(
    (name) => `${digestOf(path.join(first, name))}  ${name}`,
  );
  expect(lines).toEqual(expected);
});

test('a release has the program and its documents, and neither sources, tests nor packages', () => {
  const names = readdirSync(unpacked());
  expect(names).toEqual(
    expect.arrayContaining(['dist', 'assets', 'docs', 'deploy', 'bin', 'Procfile', 'LICENSE']),
  );
  for (const name of ['src', 'test', 'node_modules', '.git', '.data', 'migrations', '.github'])
    expect(names).not.toContain(name);
  const procfile = readFileSync(unpacked('Procfile'), 'utf8');
  for (const [, script] of procfile.matchAll(/node (\S+)/g))
    expect(statSync(unpacked(script!)).isFile()).toBe(true);
  expect(statSync(unpacked('deploy/docker/make-secrets.sh')).mode & 0o777).toBe(0o755);
  expect(statSync(unpacked('README.md')).mode & 0o777).toBe(0o644);
});

test('a release knows its commit without git', () => {
  const script = unpacked('dist/cli.js');
  const args = [script, 'version', '--full', '--json'];
  const env = { PATH: '', DATA_DIR: path.join(folder, 'no-data') };
  const facts = JSON.parse(
    execFileSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' }),
  ) as object;
  expect(facts).toMatchObject({ version: productVersion(), commit: git('rev-parse', 'HEAD').trim() });
});

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as object;

interface Component {
  group?: string;
  name: string;
  version: string;
  hashes?: { alg: string }[];
  licenses?: unknown[];
}

test('the bill of materials names the packages inside the bundles, with digest and licence', () => {
  const bom = read(path.join(first, `${NAME}.cdx.json`)) as { components: Component[] };
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'fabula', version: productVersion(), type: 'application' } },
  });
  const built = read(unpacked('dist/packages.json')) as { name: string; version: string }[];
  const named = bom.components.map(({ group, name, version }) =>
    [...(group === undefined ? [] : [group]), `${name}@${version}`].join('/'),
  );
  expect(new Set(named)).toEqual(new Set(built.map(({ name, version }) => `${name}@${version}`)));
  expect(named).toEqual(
    expect.arrayContaining([expect.stringMatching(/^bullmq@/), expect.stringMatching(/^@bull-board\/ui@/)]),
  );
  for (const { name, hashes = [] } of bom.components)
    expect([name, hashes.map(({ alg }) => alg)]).toEqual([name, ['SHA-512']]);
});

test('the licence of each package inside the bundles is there', () => {
  const text = readFileSync(unpacked('dist/LICENCES.txt'), 'utf8');
  for (const { name, version } of read(unpacked('dist/packages.json')) as { name: string; version: string }[])
    expect(text).toContain(`${name} ${version} (`);
});

describe('installed from its package in an empty folder', () => {
  const empty = path.join(folder, 'empty');
  beforeAll(() => {
    mkdirSync(empty);
    // A start by root goes on as another user, who must be able to read it.
    for (const place of [folder, empty]) chmodSync(place, 0o755);
    execFileSync('npm', ['pack', '--silent', '--pack-destination', empty], {
      cwd: unpacked(),
      stdio: 'pipe',
    });
    const npm = ['install', '--no-audit', '--no-fund', '--offline', path.join(empty, `${NAME}.tgz`)];
    execFileSync('npm', npm, {
      cwd: empty,
      stdio: 'pipe',
      env: { ...process.env, npm_config_cache: path.join(empty, 'cache') },
    });
  });

  test('it is one package, and its command runs', () => {
    expect(readdirSync(path.join(empty, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'fabula',
    ]);
    const command = path.join(empty, 'node_modules/.bin/fabula');
    const output = execFileSync(command, ['version'], { cwd: empty, encoding: 'utf8' });
    expect(output).toContain(productVersion());
  });

  test('`npx fabula start` serves its demo story with stores of its own, until Ctrl-C', async () => {
    if (existsSync(SERVERS)) {
      mkdirSync(path.join(empty, '.data'));
      symlinkSync(SERVERS, path.join(empty, '.data', 'servers'));
    }
    const port = String(await findFreePort());
    const { PATH } = process.env;
    const child = spawn('npx', ['--offline', 'fabula', 'start'], {
      cwd: empty,
      env: { PATH, HOME: empty, PORT: port },
      detached: true,
    });
    const ended = once(child, 'exit');
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (printed += part));
    try {
      await eventually(
        () => printed.includes('Fabula is running') || child.exitCode !== null,
        START_LIMIT_MS,
      );
      expect(printed).toContain('Fabula is running');
      const file = path.join(empty, '.data', 'credentials.json');
      const { api_key: key } = JSON.parse(readFileSync(file, 'utf8')) as { api_key: string };
      const headers = { authorization: `Bearer ${key}` };
      const listed = await fetch(`http://127.0.0.1:${port}/api/v1/stories`, { headers });
      expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('"name"')]);
    } finally {
      process.kill(-child.pid!, 'SIGINT');
      await ended;
    }
    expect(existsSync(path.join(empty, '.data', 'run', 'stores.json'))).toBe(false);
  });
});
