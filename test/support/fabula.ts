import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Account, buildAccount } from './builders.js';
import { clientOf } from './fabula-client.js';
import { fabulaEnvironment } from './fabula-environment.js';
import { callProduct } from './product/call-product.js';
import { INNER, type Inner } from './product/inner.js';
import type { StartOptions } from './product/door.js';
import type { TestStores } from './stores.js';

/**
 * The whole of Fabula, as it is built, in the test product of this Jest worker: the web application, and workers unless told
 * otherwise. Tests that look inside it start `startFabulaHere` instead.
 */
export type TestFabula = Awaited<ReturnType<typeof openFabula>>;

export interface FabulaOptions extends Omit<StartOptions, 'env'> {
  env?: NodeJS.ProcessEnv;
}

/** Dependencies of a Fabula, beside the options. */
export type Start<Options extends FabulaOptions, Running extends Started> = (
  options: Omit<Options, 'env'> & { env: NodeJS.ProcessEnv },
) => Promise<Running>;

/** A Fabula that runs, in whichever process. */
export interface Started {
  url: string;
  /** The board's address; empty without `ADMIN_PORT`. */
  adminUrl: string;
  inner: Inner;
  /** Makes it forget these stories, which were deleted behind its back. */
  forget(storyIds: readonly number[]): unknown;
  close(): Promise<void>;
}

/** Each start has its own corner of Redis. */
let started = 0;

/** Starts it on the test file's stores; it stops with them, or by `close`. */
export async function startFabula(stores: TestStores, options: FabulaOptions = {}): Promise<TestFabula> {
  return openFabula(stores, options, startInProduct);
}

async function startInProduct(options: StartOptions): Promise<Started> {
  const { id, url, adminUrl } = await callProduct('start', options);
  return {
    url,
    adminUrl,
    inner: innerBehind(id),
    forget: (storyIds) => callProduct('forget', { id, storyIds: [...storyIds] }),
    close: () => callProduct('stop', id),
  };
}

function innerBehind(id: number): Inner {
  const doing =
    (name: keyof Inner) =>
    (...given: unknown[]) => {
      // JSON would make null of it, which is no argument left out.
      const input = given.filter((value) => value !== undefined);
      return callProduct('inner', { id, name, input });
    };
  return Object.fromEntries(INNER.map((name) => [name, doing(name)])) as unknown as Inner;
}

/** Starts Fabula by `start` on the test file's stores, with an account that is an Owner of a new tenant. */
export async function openFabula<Options extends FabulaOptions, Running extends Started>(
  stores: TestStores,
  options: Options,
  start: Start<Options, Running>,
) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'fabula-'));
  started += 1;
  const given = { DATA_DIR: dataDir, QUEUE_PREFIX: `${stores.queuePrefix}-${started}`, ...options.env };
  const env = fabulaEnvironment(stores, given);
  const account = await buildAccount(stores.db, { owner: true });
  const running = await start({ ...options, env });

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= running.close().then(() => rmSync(dataDir, { recursive: true, force: true }));
    return closing;
  };
  stores.onClose(close);

  const { url, adminUrl, inner } = running;
  return {
    config: { queuePrefix: given.QUEUE_PREFIX, dataDir: given.DATA_DIR },
    account,
    url,
    /** The board's address. */
    adminUrl,
    /** Calls of tests inside it. */
    inner,
    forget: (storyIds: readonly number[]) => running.forget(storyIds),
    close,
    ...clientOf({ url, account, stores }),
    /** The same for another account, such as one of another tenant. */
    as: (other: Account) => clientOf({ url, account: other, stores }),
  };
}
