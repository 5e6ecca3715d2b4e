import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApp } from '../../src/app/app.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { createServer } from '../../src/platform/http/create-server.js';
import { ROUTES } from '../../src/app/routes.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import { QUEUES, type QueueName } from '../../src/engine/dispatch/jobs.js';
import { heardOf } from '../../src/platform/redis/redis.js';
import { createWorkerServices, type WorkerServices } from '../../src/app/worker-services.js';
import { createWebServices, type WebServices } from '../../src/app/web-services.js';
import { createQueueWorkers } from '../../workers/queue-workers.js';
import { serve } from './app.js';
import { type Account, buildAccount } from './builders.js';
import { eventually } from './eventually.js';
import type { TestStores } from './stores.js';

/** An event as it is stored, payload and lineage parsed. */
export interface StoredRow {
  id: number;
  agent: string;
  payload: JsonValue;
  lineage: Record<string, number>;
}

export interface ImportedStory {
  id: number;
  name: string;
  /** Path and secret of its webhooks, by action name. */
  webhooks: Record<string, string>;
}

/** The whole of Fabula in this process: the web application, and workers unless told otherwise. */
export type TestFabula = Awaited<ReturnType<typeof startFabula>>;

/** The environment of a Fabula process on the test file's stores. */
export function fabulaEnvironment(stores: TestStores, overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    QUEUE_PREFIX: stores.queuePrefix,
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
    ENCRYPTION_KEY: 'ab'.repeat(32),
    ...overrides,
  };
}

export interface FabulaOptions {
  env?: NodeJS.ProcessEnv;
  /** Whose jobs are worked on; all unless given. */
  queues?: readonly QueueName[];
  /** Whether the relay runs; it does unless false. */
  relay?: boolean;
  /** Instead of the network. */
  http?: HttpClient;
}

/** Actions that take longer when a test ends are handed back. */
const STOP_LIMIT_MS = 15_000;
const REDIS_WAIT_MS = 10_000;
/** Each start has its own corner of Redis. */
let started = 0;

/** Starts it on the test file's stores; it stops with them, or by `close`. */
export async function startFabula(stores: TestStores, options: FabulaOptions = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'fabula-'));
  started += 1;
  const env = { DATA_DIR: dataDir, QUEUE_PREFIX: `${stores.queuePrefix}-${started}`, ...options.env };
  const config = readConfig(fabulaEnvironment(stores, env));
  const account = await buildAccount(stores.db, { owner: true });
  const web = await startWeb(config, stores);
  const workers = startWorkers(config, stores, options);
  // As processes do: jobs that are added before that are left to the relay, which looks for them half a minute later.
  await Promise.all(
    [web.services.core.redis, workers.services.redis].map((redis) => heardOf(redis, REDIS_WAIT_MS)),
  );

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await workers.close();
      await web.close();
      rmSync(dataDir, { recursive: true, force: true });
    })();
    return closing;
  };
  stores.onClose(close);

  return {
    config,
    account,
    url: web.url,
    /** Where the board is. */
    adminUrl: web.adminUrl,
    web: web.services,
    workers: workers.services,
    close,
    ...clientOf({ url: web.url, account, stores }),
    /** The same for another account, such as one of another tenant. */
    as: (other: Account) => clientOf({ url: web.url, account: other, stores }),
  };
}

async function startWeb(config: Config, stores: TestStores) {
  const services: WebServices = createWebServices(config, stores.logger, { isShuttingDown: () => false });
  const server = createServer(createApp({ ...services.app, routes: ROUTES }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const board = services.admin === undefined ? undefined : await serve(services.admin);
  return {
    services,
    adminUrl: board?.url ?? '',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await board?.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await services.close();
    },
  };
}

function startWorkers(config: Config, stores: TestStores, options: FabulaOptions) {
  const services: WorkerServices = createWorkerServices(config, stores.logger, options.http);
  const stopping = new AbortController();
  const workers = createQueueWorkers(options.queues ?? QUEUES, services);
  const relay = options.relay === false ? Promise.resolve() : services.relay.run(stopping.signal);
  return {
    services,
    async close() {
      stopping.abort();
      await Promise.all([relay, workers.close(STOP_LIMIT_MS)]);
      await services.close();
    },
  };
}

/** What a test does with a running Fabula, over HTTP where a user would, and looks up in the database. */
export function clientOf(deps: { url: string; account: Account; stores: Pick<TestStores, 'db'> }) {
  const { url, account, stores } = deps;
  const api = (method: string, route: string, body?: unknown) =>
    fetch(`${url}${route}`, {
      method,
      headers: { 'X-User-Token': account.key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  return {
    api,

    async importStory(data: JsonObject, overrides: JsonObject = {}): Promise<ImportedStory> {
      const body = { new_name: data['name'] ?? 'Story', team_id: account.team.id, data, ...overrides };
      // As clients do: on a busy machine the database may be too slow for a moment.
      const answer = await eventually(async () => {
        const given = await api('POST', '/api/v1/stories/import', body);
        return given.status !== 503 && given;
      }, 60_000);
      const story = (await answer.json()) as { id: number; name: string };
      if (answer.status !== 200) throw new Error(`import: ${answer.status} ${JSON.stringify(story)}`);
      return { id: story.id, name: story.name, webhooks: await webhooksOf(story.id, stores) };
    },

    /** Calls a webhook; `address` is `path/secret`. */
    fire(address: string, body: unknown = {}, init: RequestInit = {}) {
      return fetch(`${url}/webhook/${address}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...init,
      });
    },

    /** Waits until no delivery is left but dead letters. */
    settled: (timeoutMs = 20_000) =>
      eventually(async () => {
        const rows = await stores.db.read((session) =>
          session.rows<{ open: number }>("SELECT COUNT(*) AS open FROM deliveries WHERE state <> 'failed'"),
        );
        return rows[0]?.open === 0;
      }, timeoutMs),

    events: (storyRunGuid?: string) => eventsOf(stores, storyRunGuid),
    deadLetters: () =>
      stores.db.read((session) =>
        session.rows<{ id: number; error: string; attempts: number }>(
          "SELECT id, error, attempts FROM deliveries WHERE state = 'failed' ORDER BY id",
        ),
      ),
    logs: () =>
      stores.db.read((session) =>
        session.rows<{ agent: string; level: number; message: string }>(
          `SELECT a.name AS agent, l.level, l.message FROM agent_logs l JOIN agents a ON a.id = l.agent_id
           ORDER BY l.id`,
        ),
      ),
  };
}

async function webhooksOf(storyId: number, stores: Pick<TestStores, 'db'>): Promise<Record<string, string>> {
  const rows = await stores.db.read((session) =>
    session.rows<{ name: string; path: string; options: string }>(
      'SELECT name, webhook_path AS path, options FROM agents WHERE story_id = ? AND webhook_path IS NOT NULL',
      [storyId],
    ),
  );
  return Object.fromEntries(
    rows.map(({ name, path, options }) => [
      name,
      `${path}/${(JSON.parse(options) as { secret: string }).secret}`,
    ]),
  );
}

async function eventsOf(stores: Pick<TestStores, 'db'>, storyRunGuid?: string): Promise<StoredRow[]> {
  const rows = await stores.db.read((session) =>
    session.rows<{ id: number; agent: string; payload: string; lineage: string }>(
      `SELECT e.id, a.name AS agent, e.payload, e.lineage FROM events e JOIN agents a ON a.id = e.agent_id
       WHERE ? IS NULL OR e.story_run_guid = ? ORDER BY e.id`,
      [storyRunGuid ?? null, storyRunGuid ?? null],
    ),
  );
  return rows.map((row) => ({
    ...row,
    payload: JSON.parse(row.payload) as JsonValue,
    lineage: JSON.parse(row.lineage) as Record<string, number>,
  }));
}
