import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { createServer } from '../../src/platform/http/server/create-server.js';
import { type JsonObject, jsonTextOf, type JsonValue } from '../../src/platform/json.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import type { AgentNode, StoryGraph } from '../../src/stories/graph/story-graph.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import { THREAD_FILE } from '../../src/app/thread-file.js';
import { createThreadPool } from '../../src/platform/threads/thread-pool.js';
import { createWebhookRouter, type WebhookRouterDeps } from '../../src/web/webhooks/webhook-router.js';

export const SECRET = 'open sesame';

/** One thread takes half a second of processor time to start from the sources: the tests of a file share them. */
const threads = createThreadPool({ file: THREAD_FILE });
afterAll(() => threads.close());

const languages = { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };

export interface TestWebhooks {
  url: string;
  /** The runs that were started, oldest first. */
  started: RunStart[];
  warnings: unknown[];
  close(): Promise<void>;
}

export interface TestWebhooksOptions {
  story?: Partial<StoryGraph>;
  agent?: Partial<AgentNode>;
  options?: JsonObject;
  resources?: Record<string, JsonValue>;
  deps?: Partial<Omit<WebhookRouterDeps, 'config'>>;
  config?: Partial<WebhookRouterDeps['config']>;
  trustProxy?: boolean;
}

/** One webhook at `/webhook/hook` behind a real server; runs are recorded instead of stored. */
export async function startWebhooks(options: TestWebhooksOptions = {}): Promise<TestWebhooks> {
  const started: RunStart[] = [];
  const warnings: unknown[] = [];
  const logger = createSilentLogger();
  logger.warn = ((...entry: unknown[]) => (warnings.push(entry), logger)) as typeof logger.warn;
  const found = buildWebhook(options);
  const router = createWebhookRouter({
    graphs: { findWebhook: async (path) => (path === 'hook' ? found : undefined) },
    runs: {
      start: async (run) => ({
        eventId: started.push({ ...run, payload: JSON.parse(jsonTextOf(run.payload)) as JsonValue }),
      }),
    },
    newRunGuid: randomUUID,
    values: {
      load: async () => ({
        resources: new Map(Object.entries(options.resources ?? {})),
        credentials: new Map(),
        stories: new Map(),
      }),
      slugOf: async () => undefined,
    },
    languages,
    threads,
    waiter: {
      expect: () => ({ wait: async () => ({ kind: 'timeout' }), cancel: () => undefined }),
      close: async () => undefined,
    },
    limits: { check: () => undefined },
    slots: { acquire: async () => ({ kind: 'unavailable' }) },
    logger,
    ...options.deps,
    config: {
      publicUrl: undefined,
      bodyLimitBytes: 1024 * 1024,
      webhookSignatureToleranceSeconds: 300,
      responseWaitMs: 5000,
      ...options.config,
    },
  });
  const app = express();
  app.set('trust proxy', options.trustProxy ?? false);
  app.use('/webhook', router);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, started, warnings, close };
}

function buildWebhook(options: TestWebhooksOptions): { story: StoryGraph; agent: AgentNode } {
  const agent: AgentNode = {
    id: 7,
    guid: 'a'.repeat(32),
    type: 'Agents::WebhookAgent',
    name: 'Receive Alert',
    slug: 'receive_alert',
    disabled: false,
    options: { path: 'hook', secret: SECRET, ...options.options },
    receivers: [],
    ...options.agent,
  };
  const story: StoryGraph = {
    id: 3,
    tenantId: 1,
    teamId: 2,
    name: 'Story',
    access: null,
    sharedTeamSlugs: new Set(),
    guid: 'b'.repeat(32),
    disabled: false,
    priority: false,
    schemaVersion: 3,
    language: 'liquid',
    synchronousWebhooksEnabled: false,
    responseEntryGuids: undefined,
    responseExitGuids: new Set(),
    sendToStoryEnabled: undefined,
    entryGuid: undefined,
    exitGuids: new Set(),
    version: 1,
    agents: new Map([[agent.id, agent]]),
    ...options.story,
  };
  return { story, agent };
}
