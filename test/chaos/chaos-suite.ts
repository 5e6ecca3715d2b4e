import { createHash } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { buildProduct } from './build.js';
import { type ChaosStores, startChaosStores } from './chaos-stores.js';
import { type Account, takeAccount } from './check.js';
import { deadLetterReasons, readProgress } from './check-store.js';
import { type Load, startLoad } from './load.js';
import { createRandomness } from './randomness.js';
import type { Scenario } from './scenario.js';
import { leftInRedis, settle } from './settle.js';
import { startTimeLine, type TimeLine } from './time-line.js';
import type { Topology } from './topology.js';
import { openWorld, type World } from './world.js';

/** Calls answered before the fault begins, so that it meets work under way. */
const WARM_CALLS = 50;
const WARM_LIMIT_MS = 60_000;
/** The load goes on after the fault: the system has to be whole again, not only what it had. */
const AFTERWARDS_MS = 3_000;
const READY_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 10_000;

/** One line of the table. */
export interface Result extends Partial<Account> {
  scenario: string;
  sentence: string;
  /** The load's real rate. */
  callsPerSecond?: number;
  /** From the end of the load, which goes on after the fault, until no work was open. */
  recoveredInMs?: number;
  /** How many processes ended: killed, or by themselves. */
  ends?: number;
  /** That something could not be tried here. */
  remark?: string;
  lastWords?: string[];
  /** Empty: everything held. */
  failures: string[];
}

export interface SuiteOptions {
  scenarios: readonly Scenario[];
  short: boolean;
  seed: number;
  /** How the stores stand; default: one of each. */
  topology?: Topology;
  /** Webhook calls a second. */
  rate: number;
  /** The folder in which the stores' servers are searched for. */
  searchPath: string;
  /**
   * For the short form in `npm test`: all workers are one process, and work that a lost job has left behind is looked
   * for at once, not after a minute.
   */
  small?: boolean;
  /** A folder for what waited in each scenario, second by second, and what each process said; default: not written. */
  logs?: string | undefined;
  /** Ends the suite before its time; everything it started is stopped. */
  signal?: AbortSignal;
  /** Hears of each scenario as it ends. */
  onResult?(result: Result): void;
}

/** Results of all scenarios, and the database they ran on. */
export interface SuiteResult {
  database: string;
  results: Result[];
}

/** Runs the scenarios one after the other, each with all processes started anew on emptied stores. */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const build = await buildProduct();
  try {
    const stores = await startChaosStores(options.searchPath, options.topology);
    try {
      const results: Result[] = [];
      for (const scenario of options.scenarios) {
        options.signal?.throwIfAborted();
        const result = await runScenario(scenario, { stores, folder: build.folder, options });
        results.push(result);
        options.onResult?.(result);
      }
      return { database: await stores.version(), results };
    } finally {
      await stores.close();
    }
  } finally {
    await build.remove();
  }
}

interface Stage {
  stores: ChaosStores;
  folder: string;
  options: SuiteOptions;
}

async function runScenario(scenario: Scenario, stage: Stage): Promise<Result> {
  const { name, sentence } = scenario;
  try {
    const world = await openWorld(stage.stores, scenario, {
      folder: stage.folder,
      together: stage.options.small ?? false,
    });
    const over = new AbortController();
    try {
      const { logs, signal } = stage.options;
      const timeLine = startTimeLine(world, logs === undefined ? undefined : path.join(logs, name));
      const played = play(scenario, { world, timeLine }, stage.options).finally(() => timeLine.close());
      return { scenario: name, sentence, ...(await Promise.race([played, abortOf(signal, over.signal)])) };
    } finally {
      over.abort();
      await world.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { scenario: name, sentence, failures: [`the scenario itself failed: ${reason}`] };
  }
}

/** Rejects when the signal does; waits for ever otherwise. Stops listening when the scenario is `over`. */
function abortOf(signal: AbortSignal | undefined, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stopped = () => reject(new Error('The suite was stopped'));
    signal?.addEventListener('abort', stopped, { once: true, signal: over });
  });
}

async function play(
  scenario: Scenario,
  { world, timeLine }: { world: World; timeLine: TimeLine },
  { short, seed, rate, small }: SuiteOptions,
): Promise<Omit<Result, 'scenario' | 'sentence'>> {
  const load = startLoad(world.webhookUrl, rate);
  world.load = load;
  try {
    await eventually(() => load.accepted() >= WARM_CALLS, WARM_LIMIT_MS);
    // Each scenario has its own sequence, whichever others run.
    const random = createRandomness(seed + hash(scenario.name));
    timeLine.note('the fault begins');
    const check = await scenario.hurt(world, { short, random });
    timeLine.note('the fault is over');
    await eventually(() => isReady(world), READY_LIMIT_MS).catch(async (error: unknown) => {
      throw new Error(await readinessReport(world), { cause: error });
    });
    await sleep(AFTERWARDS_MS);
    timeLine.note('the load ends');
    return await toOutcome(world, load, { check, hurry: small ?? false });
  } finally {
    load.abort();
  }
}

/** Whether the web process is there, and says that both stores are. */
async function isReady({ url }: World): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}

/** The web process's own report, to find out why it is not ready. */
async function readinessReport({ url, group }: World): Promise<string> {
  const said = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).then(
    (response) => response.text(),
    (error: unknown) => String(error),
  );
  return `never ready again: ${said}\n${group.outputOf('web').slice(-2_000)}`;
}

async function toOutcome(
  world: World,
  load: Load,
  { check, hurry }: { check: (() => Promise<string[]>) | undefined; hurry: boolean },
): Promise<Omit<Result, 'scenario' | 'sentence'>> {
  const ledger = await load.stop();
  const stopped = Date.now();
  const stuck = await settle(world, { hurry });
  const recoveredInMs = Date.now() - stopped;
  const account = await takeAccount(world, ledger);
  const failures = [
    ...(stuck === undefined ? [] : [stuck]),
    ...(account.lost > 0 ? [`${account.lost} lost`] : []),
    ...(account.doubled > 0 ? [`${account.doubled} doubled`] : []),
    ...account.broken,
    ...(await leftBehind(world)),
    ...((await check?.()) ?? []),
  ];
  return {
    ...account,
    callsPerSecond: Math.round(account.calls / ledger.seconds),
    recoveredInMs,
    ends: world.group.ends(),
    ...(world.remark === undefined ? {} : { remark: world.remark }),
    lastWords: failures.length === 0 ? [] : world.group.lastWords().slice(-5),
    failures,
  };
}

async function leftBehind(world: World): Promise<string[]> {
  const { db } = world.stores;
  const { imploding, deadLetters } = await readProgress(db);
  const failures = await leftInRedis(world);
  if (imploding > 0) failures.push(`${imploding} elements wait to be joined for ever`);
  if (deadLetters !== world.expectedDeadLetters) {
    const reasons = (await deadLetterReasons(db)).join('; ');
    failures.push(`${deadLetters} dead letters instead of ${world.expectedDeadLetters}: ${reasons}`);
  }
  return failures;
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE();
}
