import path from 'node:path';
import type { JsonObject } from '../../../src/platform/json.js';
import { buildAccount } from '../../support/builders.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import { exportsIn } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

/** One webhook request, and what an action that reads it must emit. */
interface FieldStory {
  /** The entry of docs/understand/field.md. */
  entry: string;
  schema_version: number;
  payload: JsonObject;
  /** The bytes of the request. */
  body: string;
  /** The event's JSON text, digit for digit and in this order. */
  right: string;
}

const FIELD_STORIES = exportsIn(path.resolve(__dirname, '../../field')).map(([file, text]) => {
  const story = JSON.parse(text) as FieldStory;
  return [`${story.entry}: ${file.replace(/\.json$/, '')}`, story] as const;
});

const stores = useStores();
let fabula: TestFabula;

beforeAll(async () => {
  fabula = await startFabula(stores);
});

/** The story with a webhook, and an action `Out` that emits the payload. */
function exportOf({ schema_version, payload }: FieldStory): JsonObject {
  return {
    schema_version,
    name: 'Field',
    guid: 'f'.repeat(32),
    agents: [
      {
        type: 'Agents::WebhookAgent',
        name: 'Hook',
        guid: '1'.repeat(32),
        options: { path: 'field', secret: 's', verbs: 'post', include_headers: false },
      },
      {
        type: 'Agents::EventTransformationAgent',
        name: 'Out',
        guid: '2'.repeat(32),
        options: { mode: 'message_only', payload },
      },
    ],
    links: [{ source: 0, receiver: 1 }],
  };
}

function payloadsOf(agent: string): Promise<{ payload: string }[]> {
  const sql = 'SELECT e.payload FROM events e JOIN agents a ON a.id = e.agent_id WHERE a.name = ?';
  return stores.db.read((session) => session.rows<{ payload: string }>(sql, [agent]));
}

test.each(FIELD_STORIES)('%s', async (_, story) => {
  // The tables are emptied after each test: each has an account of its own.
  const client = fabula.as(await buildAccount(stores.db, { owner: true }));
  const { id, webhooks } = await client.importStory(exportOf(story));
  const response = await client.fire(webhooks['Hook'] ?? '', undefined, { body: story.body });
  await client.settled();
  const came = { deadLetters: await client.deadLetters(), events: await payloadsOf('Out') };
  // Through the API, so that the webhook of the next test is known anew.
  expect((await client.api('DELETE', `/api/v1/stories/${id}`)).status).toBe(204);
  expect(response.status).toBe(201);
  expect(came).toEqual({ deadLetters: [], events: [{ payload: story.right }] });
});
