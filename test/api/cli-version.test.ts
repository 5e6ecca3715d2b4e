import { execFileSync } from 'node:child_process';
import { MIGRATIONS } from '../../migrations/index.js';
import { productVersion } from '../../src/platform/outbound/product-version.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { runCli } from '../support/run-cli.js';
import { createEmptyDatabase, useStores } from '../support/stores.js';

const stores = useStores();
const newest = Object.keys(MIGRATIONS).toSorted().at(-1)!;

interface Full {
  version: string;
  commit: string;
  node: string;
  platform: string;
  packages: Record<string, string>;
  schema: {
    newest: string;
    pending: string[] | null;
    of_newer_version: string[] | null;
    problem: string | null;
  };
}

async function full(env: NodeJS.ProcessEnv): Promise<Full> {
  const { code, out, err } = await runCli(['version', '--full', '--json'], { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Full;
}

test('`version` prints the version alone, and needs no database', async () => {
  const { code, out } = await runCli(['version'], { env: {} });
  expect({ code, out }).toEqual({ code: 0, out: `${productVersion()}\n` });
});

test('`version --full` tells commit, Node, packages, and that the schema is up to date', async () => {
  const facts = await full(fabulaEnvironment(stores));
  const manifest = JSON.parse(execFileSync('cat', ['package.json'], { encoding: 'utf8' })) as {
    devDependencies: Record<string, string>;
  };
  expect(facts).toMatchObject({
    version: productVersion(),
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    schema: { newest, pending: [], of_newer_version: [], problem: null },
  });
  expect(Object.keys(facts.packages)).toEqual(expect.arrayContaining(['bullmq', 'ioredis', 'mysql2']));
  for (const [name, version] of Object.entries(facts.packages))
    expect([name, version]).toEqual([name, manifest.devDependencies[name]]);
});

test('`version --full` names the migrations that the database lacks', async () => {
  const { url, drop } = await createEmptyDatabase();
  try {
    const env = fabulaEnvironment(stores, { DATABASE_URL: url });
    expect((await full(env)).schema.pending).toEqual(Object.keys(MIGRATIONS));
    const { out } = await runCli(['version', '--full'], { env });
    expect(out).toContain(`schema    ${newest}; ${Object.keys(MIGRATIONS).length} migrations are pending`);
  } finally {
    await drop();
  }
});

test('`version --full` tells the rest without a database', async () => {
  const { schema, node } = await full({ DATABASE_URL: 'mysql://user:hidden@127.0.0.1:1/none' });
  expect(node).toBe(process.versions.node);
  expect(schema).toMatchObject({ newest, pending: null, of_newer_version: null });
  expect(schema.problem).toContain('the database is unreachable');
  expect(schema.problem).not.toContain('hidden');
});
