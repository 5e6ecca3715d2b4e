import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const ENTRY_POINT = `import { enter, ensurePackages } from './bin/bootstrap.mjs';
await enter(async () => (await ensurePackages(() => undefined), 0));`;

let checkout: string;
beforeEach(async () => {
  checkout = await mkdtemp(path.join(os.tmpdir(), 'fabula-checkout-'));
  await cp(path.join(ROOT, 'bin'), path.join(checkout, 'bin'), { recursive: true });
  // Without sources it would be a release, which installs nothing.
  await mkdir(path.join(checkout, 'src'));
  await writeFile(path.join(checkout, 'start.mjs'), ENTRY_POINT);
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

const write = (file: string, value: unknown) => writeFile(path.join(checkout, file), JSON.stringify(value));

/** Installs the packages of that checkout as a start does. */
function install(): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    // The certificates of a machine whose way to the registry has its own authority.
    const { PATH, NODE_EXTRA_CA_CERTS } = process.env;
    const env = { PATH, NODE_EXTRA_CA_CERTS, HOME: checkout };
    const child = spawn(process.execPath, ['start.mjs'], { cwd: checkout, env });
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (said += chunk));
    child.on('close', (code) => resolve({ code, said }));
  });
}

test('a lock file that does not fit ends the start: nothing is installed that it does not name', async () => {
  const lock = {
    name: 'x',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': { name: 'x', version: '1.0.0' } },
  };
  await write('package.json', { name: 'x', version: '1.0.0', dependencies: { uuid: '11.1.1' } });
  await write('package-lock.json', lock);
  const { code, said } = await install();
  expect(code).toBe(1);
  expect(said).toContain('package-lock.json does not match package.json');
  expect(said).toContain('nothing was installed');
  expect(said).toContain('npm install --ignore-scripts');
  expect(existsSync(path.join(checkout, 'node_modules', 'uuid'))).toBe(false);
  expect(JSON.parse(await readFile(path.join(checkout, 'package-lock.json'), 'utf8'))).toEqual(lock);
});

test('no script of a package is run at a start', async () => {
  const script = `require('fs').writeFileSync(${JSON.stringify(path.join(checkout, 'ran'))}, '')`;
  await write('hook.json', {});
  await write('package.json', {
    name: 'x',
    version: '1.0.0',
    scripts: { install: `node -e "${script.replaceAll('"', "'")}"`, prepare: 'node -e "process.exit(3)"' },
  });
  await write('package-lock.json', {
    name: 'x',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': { name: 'x', version: '1.0.0', hasInstallScript: true } },
  });
  await install();
  expect(existsSync(path.join(checkout, 'ran'))).toBe(false);
  const options = await readFile(path.join(ROOT, '.npmrc'), 'utf8');
  expect(options).toMatch(/^ignore-scripts=true$/m);
});
