import { type Account, buildAccount } from './builders.js';
import { type FabulaOptions, startFabula, type TestFabula } from './fabula.js';
import type { TestStores } from './stores.js';

/** A Fabula that outlives a test. In each test its account is an Owner of a new tenant. */
export type Shared<Fabula extends TestFabula, Options> = Fabula & {
  /** Has it run with these options: starts it, or starts it anew if it runs with others. */
  runWith(options: Options): Promise<void>;
};
export type SharedFabula = Shared<TestFabula, FabulaOptions>;

/** Starts a Fabula on the test file's stores. */
export type StartFabula<Fabula, Options> = (stores: TestStores, options: Options) => Promise<Fabula>;

/**
 * Starts Fabula once for the test file, or for the `describe` that calls this: before each test it runs with these options. It
 * forgets the stories that a test has imported. Use it inside hooks and tests only. `options` may be a function.
 */
export function useFabula(
  stores: TestStores,
  options: FabulaOptions | (() => FabulaOptions) = {},
): SharedFabula {
  return runBeforeEach(shareFabula(stores), options);
}

/** The same for tests with options of their own: it runs when a test has called `runWith`. */
export function shareFabula(stores: TestStores): SharedFabula {
  return shareStarted(stores, startFabula);
}

/** Has a shared Fabula run with these options before each test. */
export function runBeforeEach<Fabula extends TestFabula, Options extends FabulaOptions>(
  fabula: Shared<Fabula, Options>,
  options: Options | (() => Options),
): Shared<Fabula, Options> {
  beforeEach(() => fabula.runWith(typeof options === 'function' ? options() : options));
  return fabula;
}

/** Shares a Fabula that `start` starts. */
export function shareStarted<Fabula extends TestFabula, Options extends FabulaOptions>(
  stores: TestStores,
  start: StartFabula<Fabula, Options>,
): Shared<Fabula, Options> {
  let running: { fabula: Fabula; options: Options } | undefined;
  let account: Account | undefined;
  let shared: Shared<Fabula, Options> | undefined;
  const imported = new Set<number>();

  const close = async () => {
    const ending = running;
    running = undefined;
    await ending?.fabula.close();
  };
  async function runWith(options: Options): Promise<void> {
    if (running !== undefined && !areSame(running.options, options)) await close();
    running ??= { fabula: await start(stores, options), options };
    account ??= await buildAccount(stores.db, { owner: true });
    const { fabula } = running;
    const as = (user: Account) => rememberingImports(fabula.as(user), imported);
    shared = { ...fabula, ...as(account), account, as, close, runWith };
  }
  const open = () => {
    if (shared === undefined) throw new Error('Fabula runs inside tests only, and when it was started');
    return shared;
  };

  afterEach(async () => {
    // Their rows are gone: others may have the paths of their webhooks.
    if (imported.size > 0) await running?.fabula.forget([...imported]);
    imported.clear();
    account = undefined;
    shared = undefined;
  });
  afterAll(close);

  const early: Partial<SharedFabula> = { close, runWith };
  return new Proxy({} as Shared<Fabula, Options>, {
    get: (_target, name) => (Reflect.get(early, name) ?? Reflect.get(open(), name)) as unknown,
  });
}

/** Functions, such as a substitute for the network, cannot be compared. */
function areSame(one: FabulaOptions, other: FabulaOptions): boolean {
  if ('http' in one || 'http' in other) return one === other;
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
