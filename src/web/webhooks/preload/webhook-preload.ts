import { createBatchLoader } from '../../../platform/mysql/statements/batch-loader.js';
import type { Database } from '../../../platform/mysql/database.js';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import { loopUntil } from '../../../platform/runtime/background-loop.js';
import {
  type AgentNode,
  findWebhookGraphs,
  listWebhooks,
  type LoadedGraph,
  type StoryGraph,
} from '../../../stories/face.js';
import { createWebhookCache, type CacheBounds } from './webhook-cache.js';

/** Changes are announced and reloaded at once; passes catch the announcements that were lost. */
const PASS_EVERY_MS = 30_000;
const PAUSE_AFTER_ERROR_MS = 1_000;
/** Webhooks that one statement reads. */
const PAGE = 200;
/** Their memory was measured (docs/operate/spool.md). */
const BOUNDS: CacheBounds = { webhooks: 20_000, bytes: 128 * 1024 * 1024 };

/** Caches the webhooks of all stories, for the time when MySQL is unreachable (rule 18). */
export interface WebhookPreload {
  /** Returns the webhook as it was in MySQL at most `staleMs` ago; undefined if it is not known. */
  find(path: string): { story: StoryGraph; agent: AgentNode } | undefined;
  /** Reloads a changed story soon. */
  look(storyId: number): void;
  /** Whether the first pass has cached all webhooks, or as many as the bounds allow. */
  isLoaded(): boolean;
  /** Whether the last pass cached every webhook. */
  hasAll(): boolean;
  /** Reads all webhooks once. */
  pass(): Promise<void>;
  /** Repeats the pass until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface WebhookPreloadDeps {
  database: Pick<Database, 'read'>;
  logger: Logger;
  /** Maximum age of an entry while MySQL is unreachable (rule 18). */
  staleMs: number;
  bounds?: CacheBounds;
}

/** Loads nothing before the first pass. */
export function createWebhookPreload({
  database,
  logger,
  staleMs,
  bounds = BOUNDS,
}: WebhookPreloadDeps): WebhookPreload {
  const shelf = createWebhookCache(bounds);
  let toldOfBound = false;
  let loaded = false;
  let whole = false;

  const load = async (storyIds: number[]): Promise<boolean> => {
    const askedAt = performance.now();
    const found = await database.read((session) => findWebhookGraphs(session, storyIds));
    return storyIds.map((id) => place(id, found.get(id), askedAt)).every(Boolean);
  };

  const place = (storyId: number, found: LoadedGraph | undefined, askedAt: number): boolean => {
    if (found !== undefined && found.webhookPaths.size > 0) return shelf.put(found, askedAt);
    shelf.remove(storyId);
    return true;
  };

  const pass = async (signal?: AbortSignal): Promise<void> => {
    const began = performance.now();
    let fits = true;
    for await (const { webhooks, askedAt } of pages(database)) {
      if (signal?.aborted === true) return;
      const unknown = webhooks.filter(({ storyId, version }) => !shelf.confirm(storyId, version, askedAt));
      // Once the cache is full, only the stories in it are kept up to date.
      if (unknown.length > 0 && fits) fits = await load([...new Set(unknown.map(({ storyId }) => storyId))]);
    }
    shelf.dropOlderThan(began);
    loaded = true;
    whole = fits;
    if (!fits) tellOfBound();
  };

  const tellOfBound = () => {
    if (!toldOfBound) logger.warn('too many webhooks to cache them all', { kept: shelf.count() });
    toldOfBound = true;
  };

  const reload = createBatchLoader<number, true>(async (storyIds) => {
    await load(storyIds);
    return new Map();
  });

  return {
    find: (path) => shelf.find(path, performance.now() - staleMs),
    look(storyId) {
      reload(storyId).catch((error: unknown) =>
        logger.debug('could not reload a story; the next pass will retry', {
          story_id: storyId,
          error: messageOf(error),
        }),
      );
    },
    isLoaded: () => loaded,
    hasAll: () => whole,
    pass: () => pass(),
    run: (until) =>
      loopUntil(until, {
        pass: async (signal) => {
          await pass(signal);
          return PASS_EVERY_MS;
        },
        restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
        failure: 'could not preload webhooks',
        logger,
      }),
  };
}

/** All webhooks, page by page. */
async function* pages(database: Pick<Database, 'read'>) {
  let after = '';
  for (let last = false; !last; ) {
    const position = { after, limit: PAGE };
    const askedAt = performance.now();
    const webhooks = await database.read((session) => listWebhooks(session, position));
    yield { webhooks, askedAt };
    after = webhooks.at(-1)?.path ?? after;
    last = webhooks.length < PAGE;
  }
}
