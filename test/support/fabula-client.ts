import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import type { Account } from './builders.js';
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

/** Calls a running Fabula for a test as a user does, over HTTP, and reads from its database what came of it. */
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
      // The import is sent again after a 503, as clients do: on a busy machine the database may be too slow for a moment.
      const response = await eventually(async () => {
        const given = await api('POST', '/api/v1/stories/import', body);
        return given.status !== 503 && given;
      }, 60_000);
      const story = (await response.json()) as { id: number; name: string };
      if (response.status !== 200) throw new Error(`import: ${response.status} ${JSON.stringify(story)}`);
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
