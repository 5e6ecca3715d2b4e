import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const tested = JSON.parse(textOf('bin/tested-nodes.json')) as Record<string, { version: string }>;
const majors = Object.keys(tested);

let checkout: string;
beforeEach(async () => {
  checkout = await mkdtemp(path.join(os.tmpdir(), 'fabula-nodes-'));
  await cp(path.join(ROOT, 'bin'), path.join(checkout, 'bin'), { recursive: true });
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

interface Circumstances {
  registry?: string;
  arch?: string;
}

/** Runs `npm run test:node` in a checkout without packages, on a linux-x64 system unless told otherwise. */
function testNode(args: string[], { registry = 'http://127.0.0.1:1', arch = 'x64' }: Circumstances = {}) {
  const system = { platform: 'linux', arch };
  const script = `for (const [key, value] of Object.entries(${JSON.stringify(system)})) Object.defineProperty(process, key, { value });`;
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(script)}`, 'bin/test-node.mjs', ...args],
    {
      cwd: checkout,
      env: {
        PATH: process.env['PATH'],
        HOME: checkout,
        npm_config_registry: registry,
        npm_config_fetch_retries: '0',
      },
    },
  );
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  return new Promise<{ code: number | null; said: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, said })),
  );
}

test('package.json, the README and the page of the start name the tested versions of Node, and no others', () => {
  const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
  expect(engines.node.split(' || ').map((range) => /^\^(\d+)\./.exec(range)?.[1])).toEqual(majors);
  const sentence = `Node ${majors.slice(0, -1).join(', ')} or ${majors.at(-1)}`;
  for (const file of ['README.md', 'CONTRIBUTING.md', 'docs/operate/start-up.md']) {
    expect(textOf(file)).toContain(sentence);
  }
  const versions = Object.values(tested).map(({ version }) => version);
  expect(textOf('docs/operate/start-up.md')).toContain(versions.join(', '));
});

test('without a registry the tests with another Node are skipped where that is allowed, and fail elsewhere', async () => {
  const allowed = await testNode(['newest', '--if-available']);
  expect(allowed.said).toMatch(/Skipped: the tests with Node \d+\. The npm registry cannot be reached/);
  expect(allowed.code).toBe(0);
  const demanded = await testNode(['newest']);
  expect(demanded.said).toContain('The npm registry cannot be reached');
  expect(demanded.code).toBe(1);
});

test('a package with another digest fails, also where a missing registry is allowed', async () => {
  const registry = http.createServer((_request, response) => response.end('not the package'));
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = registry.address() as AddressInfo;
    const { code, said } = await testNode(['newest', '--if-available'], {
      registry: `http://127.0.0.1:${port}`,
    });
    expect(said).toContain('EINTEGRITY');
    expect(code).toBe(1);
    expect(existsSync(path.join(checkout, '.cache/node', majors.at(-1)!, 'installed'))).toBe(false);
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
});

test('on other systems than linux-x64 an error says what to do instead', async () => {
  const demanded = await testNode(['newest'], { arch: 'arm64' });
  expect(demanded.said).toContain('on linux-x64 only; this is linux-arm64');
  expect(demanded.code).toBe(1);
  const allowed = await testNode(['newest', '--if-available'], { arch: 'arm64' });
  expect(allowed.said).toMatch(/^Skipped: .*linux-x64 only/);
  expect(allowed.code).toBe(0);
});

test.each([[[]], [['18']], [['24', '--force']]])(
  'arguments %j are refused with the versions',
  async (args) => {
    const { code, said } = await testNode(args);
    expect(said).toMatch(/20.*22.*24.*26/);
    expect(code).toBe(1);
  },
);
