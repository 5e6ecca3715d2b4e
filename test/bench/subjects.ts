import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { clientOf } from '../support/fabula-client.js';
import { type BenchProcess, startBenchProcess } from './bench-process.js';
import { type BenchStores, FLOOR_SCHEMA } from './bench-stores.js';
import { TRIGGER } from './floor/story.js';
import type { FloorOptions, Product, ProductOptions, Subject } from './measure.js';

const QUEUE_PREFIX = 'bench';
const READY_LIMIT_MS = 30_000;
const ALL_WORKERS = 'workers/all.js';

export interface SubjectDeps {
  stores: BenchStores;
  /** The folder of the build. */
  folder: string;
  /** The folder for each process's profile (`--cpu-prof`); none unless given. */
  profiles: string | undefined;
  /** The stores are another subject's too: they are not emptied. */
  areInUse?: boolean;
  /** Each of two builds that run at once has its own. */
  queuePrefix?: string;
}

/** Runs the floor for as long as `work` lasts. */
export function withFloor<T>(
  deps: SubjectDeps,
  work: (floor: Subject) => Promise<T>,
  { awaited = false, elements = 0 }: FloorOptions = {},
): Promise<T> {
  return withProcesses('floor', deps, async (start) => {
    const port = await findFreePort();
    const env = {
      DATABASE_URL: deps.stores.floorUrl,
      REDIS_URL: deps.stores.redisUrl,
      PORT: String(port),
      AWAITED: awaited ? '1' : '0',
      ELEMENTS: String(elements),
    };
    const options = { env, ready: 'floor is ready' };
    const web = await start('test/bench/floor/web.js', options);
    const file = elements === 0 ? 'worker' : 'elements';
    const worker = await start(`test/bench/floor/${file}.js`, options);
    return work({
      webhookUrl: `http://127.0.0.1:${port}/webhook/bench/s3cret`,
      schema: FLOOR_SCHEMA,
      exitAgentId: TRIGGER.agentId,
      processes: new Map([
        ['web', web],
        ['worker', worker],
      ]),
    });
  });
}

/** Runs the product for as long as `work` lasts, its story imported through the API. */
export function withProduct<T>(
  deps: SubjectDeps,
  options: ProductOptions,
  work: (product: Product) => Promise<T>,
): Promise<T> {
  return withProcesses('product', deps, async (start, dataDir) => {
    const { stores, queuePrefix = QUEUE_PREFIX } = deps;
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { ...environment(stores, port, dataDir), QUEUE_PREFIX: queuePrefix, ...options.env };
    const processes = new Map<string, BenchProcess>();
    const startOne = async (name: string, file: string, ready: string): Promise<BenchProcess> => {
      const started = await start(file, { env, ready });
      processes.set(processes.has(name) ? `${name} ${processes.size}` : name, started);
      return started;
    };
    await startOne('web', 'web.js', 'web is listening');
    await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, READY_LIMIT_MS);
    const { importStory, key } = await createImporter(stores, url);
    const story =
      options.story === undefined
        ? { webhookUrl: url, exitAgentId: 0 }
        : await importStory(options.story, options.exit ?? '');
    const startWorker = (file: string) => startOne(file, file, 'worker is running');
    for (const file of options.workers ?? [ALL_WORKERS]) await startWorker(file);
    const newTenant = async () => (await createImporter(stores, url)).importStory;
    return work({
      ...story,
      url,
      key,
      schema: stores.schema,
      processes,
      startWorker,
      importStory,
      newTenant,
    });
  });
}

type Start = (
  file: string,
  options: { env: NodeJS.ProcessEnv; ready: string; args?: string[] },
) => Promise<BenchProcess>;

/** Empties the stores, unless they are in use, and ends what `work` has started. */
async function withProcesses<T>(
  side: string,
  { stores, folder, profiles, areInUse = false }: SubjectDeps,
  work: (start: Start, dataDir: string) => Promise<T>,
): Promise<T> {
  if (!areInUse) await stores.renew();
  // With the build, so that it goes with it when the bench is stopped in the middle.
  const dataDir = await mkdtemp(path.join(folder, 'data-'));
  const started: BenchProcess[] = [];
  const start: Start = async (file, { env, ready }) => {
    const name = `${side}-${path.basename(file, '.js')}-${started.length}`;
    const profile =
      profiles === undefined
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`];
    const one = await startBenchProcess({
      args: [...profile, path.join(folder, file)],
      env,
      ready,
      logFile: path.join(dataDir, `${name}.log`),
    });
    started.push(one);
    return one;
  };
  try {
    return await work(start, dataDir);
  } finally {
    await Promise.all(started.map((one) => one.stop(profiles === undefined ? 'SIGKILL' : 'SIGTERM')));
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** All other settings have the defaults of an operator. */
function environment({ databaseUrl, redisUrl }: BenchStores, port: number, dataDir: string) {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    OUTBOUND_ALLOW: '127.0.0.0/8',
    // Counted, as where the limits are the usual ones, and never reached.
    WEBHOOK_RATE_LIMIT_PER_MINUTE: '1000000000',
    WEBHOOK_TENANT_RATE_LIMIT_PER_MINUTE: '1000000000',
    DATA_DIR: dataDir,
    ENCRYPTION_KEY: 'ab'.repeat(32),
    NODE_ENV: 'production',
  };
}

/** Imports stories through the API, all for one tenant, whose key it returns. */
async function createImporter(
  stores: BenchStores,
  url: string,
): Promise<Pick<Product, 'importStory' | 'key'>> {
  const account = await buildAccount(stores.db, { owner: true });
  const client = clientOf({
    url,
    account,
    stores,
  });
  const importStory: Product['importStory'] = async (story, exit) => {
    const { id, webhooks } = await client.importStory(story);
    const [exitAgent] = await stores.rows<{ id: number }>(
      `SELECT id FROM ${stores.schema}.agents WHERE story_id = ? AND name = ?`,
      [id, exit],
    );
    const [address] = Object.values(webhooks);
    if (exitAgent === undefined || address === undefined)
      throw new Error('The story lacks its webhook or exit');
    return { webhookUrl: `${url}/webhook/${address}`, exitAgentId: exitAgent.id };
  };
  return { importStory, key: account.key };
}
