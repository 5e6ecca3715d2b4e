import { type Account, buildAccount } from './builders.js';
import { type FabulaOptions, startFabula, type TestFabula } from './fabula.js';
import type { TestStores } from './stores.js';

/** A Fabula that outlives a test. In each test its account is an Owner of a new tenant. */
export interface SharedFabula extends TestFabula {
  /** Has it run with these options: starts it, or starts it anew if it runs with others. */
  runWith(options: FabulaOptions): Promise<void>;
}

/**
 * Starts Fabula once for the test file, or for the `describe` that calls this: before each test it runs with these options. It
 * forgets the stories that a test has imported. Use it inside hooks and tests only. `options` may be a function.
 */
export function useFabula(
  stores: TestStores,
  options: FabulaOptions | (() => FabulaOptions) = {},
): SharedFabula {
  const fabula = shareFabula(stores);
  beforeEach(() => fabula.runWith(typeof options === 'function' ? options() : options));
  return fabula;
}

/** The same for tests with options of their own: it runs when a test has called `runWith`. */
export function shareFabula(stores: TestStores): SharedFabula {
  let running: { fabula: TestFabula; options: FabulaOptions } | undefined;
  let account: Account | undefined;
  let shared: SharedFabula | undefined;
  const imported = new Set<number>();

  const close = async () => {
    const ending = running;
    running = undefined;
    await ending?.fabula.close();
  };
  async function runWith(options: FabulaOptions): Promise<void> {
    if (running !== undefined && !areSame(running.options, options)) await close();
    running ??= { fabula: await startFabula(stores, options), options };
    account ??= await buildAccount(stores.db, { owner: true });
    const { fabula } = running;
    const as = (user: Account) => rememberingImports(fabula.as(user), imported);
    shared = { ...fabula, ...as(account), account, as, close, runWith };
  }
  const open = () => {
    if (shared === undefined) throw new Error('Fabula runs inside tests only, and when it was started');
    return shared;
  };

  afterEach(() => {
    if (running !== undefined) forget(running.fabula, imported);
    imported.clear();
    account = undefined;
    shared = undefined;
  });
  afterAll(close);

  const early: Partial<SharedFabula> = { close, runWith };
  return new Proxy({} as SharedFabula, {
    get: (_target, name) => (Reflect.get(early, name) ?? Reflect.get(open(), name)) as unknown,
  });
}

/** What answers in place of the network cannot be compared. */
function areSame(one: FabulaOptions, other: FabulaOptions): boolean {
  if (one.http !== undefined || other.http !== undefined) return one === other;
  return JSON.stringify(one) === JSON.stringify(other);
}

function rememberingImports(client: ReturnType<TestFabula['as']>, imported: Set<number>): typeof client {
  return {
    ...client,
    async importStory(data, overrides) {
      const story = await client.importStory(data, overrides);
      imported.add(story.id);
      return story;
    },
  };
}

/** Tells a Fabula that stories are gone, which their rows are: others may have the paths of their webhooks. */
function forget({ web, workers }: TestFabula, storyIds: ReadonlySet<number>): void {
  for (const { graphs } of [web.core, workers]) {
    for (const id of storyIds) graphs.invalidate(id);
  }
}
