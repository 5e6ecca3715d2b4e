import { retryTransient } from '../../src/platform/mysql/connections/retry-transient.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import type { World } from './world.js';

let made = 0;

/** Imports another story beside the one under load; its webhook is the agent `Hook`. */
export async function storyBeside(
  world: World,
  { agents, links }: { agents: Record<string, ShortAgent>; links: string[] },
) {
  made += 1;
  const data = storyOf({ Hook: ['Webhook', { include_headers: false }], ...agents }, links, {
    name: `Beside ${made}`,
    guid: made.toString(16).padStart(32, 'b'),
  });
  const { id, webhooks } = await world.client.importStory(withOwnGuids(data, made));
  const address = webhooks['Hook'] ?? '';
  return {
    id,
    /** Path and secret of the webhook. */
    address,
    /** Calls the webhook until it is accepted; gives the run's guid. */
    async fire(body: JsonValue, init: RequestInit = {}): Promise<string> {
      const response = await world.client.fire(address, body, init);
      if (!response.ok)
        throw new Error(`The webhook responded with ${response.status} ${await response.text()}`);
      return response.headers.get('x-service-story-run') ?? '';
    },
  };
}

/** Two imports must not bring the same agents. */
function withOwnGuids(data: JsonObject, salt: number): JsonObject {
  const agents = (data['agents'] as JsonObject[]).map((agent, index) => ({
    ...agent,
    guid: `${salt}a${index}`.padStart(32, 'c'),
  }));
  return { ...data, agents };
}

/** An event as it is stored. */
export interface StoredPayload {
  payload: JsonValue;
  createdAt: Date;
}

/** Events of one agent of the story, oldest first. */
export async function eventsOf(world: World, storyId: number, agent: string): Promise<StoredPayload[]> {
  const rows = await retryTransient(() =>
    world.stores.db.read((session) =>
      session.rows<{ payload: string; createdAt: Date }>(
        `SELECT e.payload, e.created_at AS createdAt FROM events e JOIN agents a ON a.id = e.agent_id
         WHERE e.story_id = ? AND a.name = ? ORDER BY e.id`,
        [storyId, agent],
      ),
    ),
  );
  return rows.map(({ payload, createdAt }) => ({ payload: JSON.parse(payload) as JsonValue, createdAt }));
}

export async function countEvents(world: World, storyId: number, agent: string): Promise<number> {
  return (await eventsOf(world, storyId, agent)).length;
}
