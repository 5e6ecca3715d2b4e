import type { Bench, Subject } from './measure.js';
import { exitEvents, waitForExits } from './runs.js';
import { alertBody } from './two-templates.js';

const CALL_EVERY_MS = 100;

/** A story that is called now and then. */
export type Quiet = Pick<Subject, 'webhookUrl' | 'exitAgentId'> & { schema: string };

/** How long each run of the quiet story took that began while `work` was going on, in ms. */
export async function timesOf(bench: Bench, quiet: Quiet, work: () => Promise<void>): Promise<number[]> {
  const before = await exitEvents(bench.stores, quiet);
  const sentAt = await callSteadily(quiet, work());
  await waitForExits(bench.stores, quiet, before + sentAt.size);
  const rows = await bench.stores.rows<{ guid: string; at: string }>(
    `SELECT story_run_guid AS guid, UNIX_TIMESTAMP(created_at) * 1000 AS at FROM ${quiet.schema}.events WHERE agent_id = ?`,
    [quiet.exitAgentId],
  );
  return rows.flatMap(({ guid, at }) => {
    const sent = sentAt.get(guid);
    return sent === undefined ? [] : [Number(at) - sent];
  });
}

/** Calls the story every tenth of a second; gives when each run's call was sent, by the machine's clock. */
async function callSteadily({ webhookUrl }: Quiet, work: Promise<void>): Promise<Map<string, number>> {
  const sentAt = new Map<string, number>();
  const calls: Promise<void>[] = [];
  const timer = setInterval(() => calls.push(callOne(webhookUrl, sentAt)), CALL_EVERY_MS);
  await work.finally(() => clearInterval(timer));
  await Promise.all(calls);
  return sentAt;
}

async function callOne(url: string, sentAt: Map<string, number>): Promise<void> {
  const sent = Date.now();
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: alertBody() });
  await response.body?.cancel();
  const guid = response.headers.get('x-service-story-run');
  if (response.status !== 201 || guid === null)
    throw new Error(`The quiet webhook answered ${response.status}`);
  sentAt.set(guid, sent);
}
