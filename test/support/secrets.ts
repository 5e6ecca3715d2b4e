import type { JsonObject } from '../../src/platform/json.js';
import type { TestFabula } from './fabula.js';
import { agentIds, call, runsOf } from './run-api.js';
import type { TestStores } from './stores.js';

const TABLES = ['events', 'agent_logs', 'deliveries', 'story_runs', 'implode_items', 'prompts', 'records'];

/** All that stories store, as text. */
export async function everythingStored(stores: TestStores): Promise<string> {
  return stores.db.read(async (session) => {
    const rows: object[] = [];
    for (const table of TABLES) rows.push(...(await session.rows<object>(`SELECT * FROM ${table}`)));
    return rows.flatMap((row) => Object.values(row).map(String)).join('\n');
  });
}

/** All that the API shows of a story's runs, as text: events with and without their past, logs, requests, dead letters. */
export async function everythingShown(fabula: TestFabula, storyId: number): Promise<string> {
  const parts: unknown[] = [];
  for (const { guid } of await runsOf(fabula, storyId)) {
    const run = (await call(fabula, `GET /api/v1/stories/${storyId}/runs/${guid}`)).body as JsonObject;
    parts.push(run);
    for (const { id } of run['events'] as { id: number }[]) {
      parts.push((await call(fabula, `GET /api/v1/events/${id}`)).body);
      parts.push((await call(fabula, `GET /api/v1/events/${id}/request`)).body);
    }
  }
  for (const id of Object.values(await agentIds(fabula, storyId))) {
    const { action_logs: lines } = (await call(fabula, `GET /api/v1/actions/${id}/logs`)).body;
    parts.push(lines);
    for (const line of lines as { id: number }[]) {
      parts.push((await call(fabula, `GET /api/v1/actions/${id}/logs/${line.id}/request`)).body);
    }
  }
  parts.push((await call(fabula, `GET /api/v1/dead_letters?story_id=${storyId}`)).body);
  return JSON.stringify(parts);
}

/** Returns the traces of a secret in a text: itself, and forms that a reader decodes without effort. */
export function leaksOf(secret: string, text: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  const forms = [
    secret,
    secret.toUpperCase(),
    secret.toLowerCase(),
    Array.from(secret).toReversed().join(''),
    secret.slice(0, Math.ceil(secret.length / 2)),
    secret.slice(Math.ceil(secret.length / 2)),
    Array.from(secret).join('","'),
    Buffer.from(secret).toString('hex'),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(base64).toString('base64'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
  return [...new Set(forms)].filter((form) => form.length >= 4 && text.includes(form));
}
