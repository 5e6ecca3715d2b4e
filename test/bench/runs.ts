import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf } from './bench-process.js';
import type { BenchStores } from './bench-stores.js';
import { callWebhook } from './load.js';
import type { Bench, Subject } from './measure.js';
import { quantile } from './figures.js';

const POLL_MS = 200;
const STILL_LIMIT_MS = 60_000;

export interface RunsOptions {
  connections: number;
  calls: number;
  /** Calls before those that count: code is compiled, caches are filled. */
  warm: number;
  body: string;
}

/** Results of a number of calls. */
export interface RunsResult {
  /** Accepted and completed, from the first call to the last exit event. */
  runsPerSecond: number;
  /** Calls answered. */
  callsPerSecond: number;
  /** Percentiles of the time until a response, in ms. */
  p50: number;
  p99: number;
  /** Processor time of each process, in ms a run. */
  cpuMs: Record<CpuUser, number>;
}

export const CPU_USERS = ['web', 'worker', 'database', 'redis'] as const;
export type CpuUser = (typeof CPU_USERS)[number];

/** Calls the subject's webhook, and waits until every run has its exit event. */
export async function measureRuns(
  { stores, folder }: Bench,
  subject: Subject,
  { connections, calls, warm, body }: RunsOptions,
): Promise<RunsResult> {
  const afterId = await lastEventId(stores, subject);
  const url = subject.webhookUrl;
  if (warm > 0) await callWebhook(folder, { url, connections, calls: warm, body });
  await waitForExits(stores, subject, warm, afterId);
  const cpuBefore = cpuMs(stores, subject);
  const load = await callWebhook(folder, { url, connections, calls, body });
  await waitForExits(stores, subject, warm + calls, afterId);
  const cpuAfter = cpuMs(stores, subject);
  const endedAtMs = await lastExitAtMs(stores, subject, afterId);
  return {
    runsPerSecond: (calls * 1000) / (endedAtMs - load.beganAtMs),
    callsPerSecond: calls / load.seconds,
    p50: quantile(load.timesMs, 0.5),
    p99: quantile(load.timesMs, 0.99),
    cpuMs: mapUsers((user) => (cpuAfter[user] - cpuBefore[user]) / calls),
  };
}

function cpuMs({ mysql, redisServer }: BenchStores, { processes }: Subject): Record<CpuUser, number> {
  const workers = [...processes].filter(([name]) => name !== 'web');
  return {
    web: processes.get('web')?.cpuMs() ?? 0,
    worker: workers.reduce((sum, [, worker]) => sum + worker.cpuMs(), 0),
    database: cpuMsOf(mysql.process.pid ?? 0),
    redis: cpuMsOf(redisServer.process.pid ?? 0),
  };
}

function mapUsers(figure: (user: CpuUser) => number): Record<CpuUser, number> {
  const entries = CPU_USERS.map((user) => [user, figure(user)] as const);
  return Object.fromEntries(entries) as Record<CpuUser, number>;
}

/** Returns the id of the last event: to count from there costs the same, whatever was there before. */
async function lastEventId(stores: BenchStores, { schema }: Subject): Promise<number> {
  const [row] = await stores.rows<{ id: number | null }>(`SELECT MAX(id) AS id FROM ${schema}.events`);
  return row?.id ?? 0;
}

/** How many runs have their exit event, of those stored after the event `afterId`. */
export async function exitEvents(
  stores: BenchStores,
  { schema, exitAgentId }: Pick<Subject, 'schema' | 'exitAgentId'>,
  afterId = 0,
): Promise<number> {
  const [row] = await stores.rows<{ events: number }>(
    `SELECT COUNT(*) AS events FROM ${schema}.events WHERE agent_id = ? AND id > ?`,
    [exitAgentId, afterId],
  );
  return row?.events ?? 0;
}

/**
 * Waits until so many runs have their exit event, stored after the event `afterId`.
 * @throws when there are more, or nothing moves any more.
 */
export async function waitForExits(
  stores: BenchStores,
  subject: Pick<Subject, 'schema' | 'exitAgentId'>,
  expected: number,
  afterId = 0,
): Promise<void> {
  let movedAt = Date.now();
  let last = -1;
  for (;;) {
    const now = await exitEvents(stores, subject, afterId);
    if (now === expected) return;
    if (now > expected) throw new Error(`${now} runs are through, of ${expected}`);
    if (now !== last) movedAt = Date.now();
    last = now;
    if (Date.now() - movedAt > STILL_LIMIT_MS)
      throw new Error(`Only ${now} of ${expected} runs came through`);
    await sleep(POLL_MS);
  }
}

/** When the last exit event was stored: exact, however seldom somebody looked. */
async function lastExitAtMs(
  stores: BenchStores,
  { schema, exitAgentId }: Subject,
  afterId: number,
): Promise<number> {
  const [row] = await stores.rows<{ at: string; runs: number; events: number }>(
    `SELECT UNIX_TIMESTAMP(MAX(created_at)) * 1000 AS at, COUNT(DISTINCT story_run_guid) AS runs, COUNT(*) AS events
     FROM ${schema}.events WHERE agent_id = ? AND id > ?`,
    [exitAgentId, afterId],
  );
  if (row === undefined || row.runs !== row.events) throw new Error('A run has two exit events');
  return Number(row.at);
}
