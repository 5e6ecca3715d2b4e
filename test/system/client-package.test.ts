import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildAccount } from '../support/builders.js';
import { useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');
const TOOLS = path.join(ROOT, 'node_modules/.bin');
const CLIENT = path.join(ROOT, 'clients/typescript');
const LIMIT_MS = 120_000;

const stores = useStores();
const api = useManageApi(stores, { queues: [], relay: false });
let folder: string;
let user: string;

/** Runs a program in the project of a user, who has nothing but the package. */
async function inProject(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: user, env: { ...process.env, ...env }, timeout: LIMIT_MS };
  const { stdout } = await run(command, args, options).catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`);
  });
  return stdout;
}

async function parse(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
}

const isSource = (file: string) => !file.endsWith('dist') && !file.endsWith('.tgz');

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fabula-client-'));
  const copy = path.join(folder, 'clients/typescript');
  user = path.join(folder, 'user');
  await mkdir(user, { recursive: true });
  await cp(CLIENT, copy, { recursive: true, filter: isSource });
  await cp(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
  const env = { ...process.env, PATH: `${TOOLS}${path.delimiter}${process.env['PATH'] ?? ''}` };
  // `npm test` hands its own settings on, and those of the checkout run no scripts.
  await run('npm', ['pack', '--ignore-scripts=false'], { cwd: copy, env, timeout: LIMIT_MS });
  const file = (await readdir(copy)).find((name) => name.endsWith('.tgz')) ?? '';
  await writeFile(path.join(user, 'package.json'), '{ "type": "module", "private": true }');
  await inProject('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(copy, file)]);
}, LIMIT_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Compiles a file of the user strictly, against the types of the package and of Node. */
async function compile(name: string, source: string): Promise<void> {
  await writeFile(path.join(user, `${name}.ts`), source);
  await writeFile(
    path.join(user, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'nodenext',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        types: ['node'],
        typeRoots: [path.join(ROOT, 'node_modules/@types')],
      },
      files: [`${name}.ts`],
    }),
  );
  await inProject(path.join(TOOLS, 'tsc'), ['-p', '.']);
}

async function examples(): Promise<string> {
  const readme = await readFile(path.join(CLIENT, 'README.md'), 'utf8');
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code).join('\n');
}

describe('the package of the client', () => {
  it('A19 clients: has the version of the product, and no dependencies', async () => {
    const own = await parse(path.join(user, 'node_modules/@fabula/client/package.json'));
    expect(own['version']).toBe((await parse(path.join(ROOT, 'package.json')))['version']);
    expect(Object.keys(own).filter((key) => /dependencies$/i.test(key))).toEqual([]);
  });

  it('A19 clients: brings what is needed to run it and its types, and nothing else', async () => {
    const inside = path.join(user, 'node_modules/@fabula/client');
    expect((await readdir(inside)).toSorted()).toEqual(['README.md', 'dist', 'package.json']);
    const files = await readdir(path.join(inside, 'dist'));
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'client.js', 'client.d.ts', 'api.d.ts']));
    expect(files.filter((name) => !/\.js$|\.d\.ts$|^LICENSE$/.test(name))).toEqual([]);
  });

  it('A19 clients: is imported by plain Node', async () => {
    const source = `import { createClient } from '@fabula/client';
      console.log(typeof createClient({ url: 'http://127.0.0.1' }).stories.runs.start);`;
    expect(await inProject(process.execPath, ['--input-type=module', '-e', source])).toBe('function\n');
  });

  it('A19 clients: has types that refuse what the server refuses', async () => {
    await compile(
      'types',
      `import { type ActiveStory, createClient, type Input, type PageMeta } from '@fabula/client';
      const fabula = createClient({ url: '' });
      export const page: { stories: ActiveStory[]; meta: PageMeta } = await fabula.stories.list();
      export const body: Input<'stories.update'> = { id: 1, keep_events_for: 3600 };
      // @ts-expect-error: five seconds are none of the values
      await fabula.stories.update({ id: 1, keep_events_for: 5 });
      // @ts-expect-error: the id is missing
      await fabula.stories.graph.get();
      // @ts-expect-error: an event is no list
      fabula.events.get.all;
      for await (const story of fabula.stories.all()) { const name: string = story.name; console.log(name); }
      const { data, response } = await fabula.stories.get({ id: 1 }, { maxRetries: 0 }).withResponse();
      console.log(data.name.length, response.headers.get('etag'));`,
    );
  });

  it('A19 clients: has a page whose examples compile, and run one after the other', async () => {
    const account = await buildAccount(stores.db, { owner: true });
    const body = { new_name: 'Triage', team_id: account.team.id, data: smallExport() };
    expect((await api.call(account.key, 'POST /api/v1/stories/import', body)).status).toBe(200);
    await compile('examples', await examples());
    const env = { FABULA_URL: api.fabula().url, FABULA_KEY: account.key };
    const told = await inProject(process.execPath, ['examples.js'], env);
    expect(told).toContain('my-own-1');
    expect(told).toContain('resync');
  });
});
