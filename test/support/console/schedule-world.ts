import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import type { TestFabula } from '../fabula.js';
import { type ShortAgent, storyOf } from '../stories.js';
import type { TestStores } from '../stores.js';

const ZONE = 'Europe/Vienna';

const at = (schedule: JsonValue, rest: JsonObject = {}): ShortAgent => [
  'EventTransformation',
  { mode: 'message_only', payload: { on: 'time' } },
  { schedule, ...rest },
];

/** Stories by name, with what is special about them. */
const STORIES: [name: string, agents: Record<string, ShortAgent>, settings: JsonObject][] = [
  [
    'Daily report',
    {
      'Every weekday at nine': at({ cron: '0 9 * * 1-5', timezone: ZONE }),
      'Close the day': at({ cron: '45 17 * * *', timezone: 'America/New_York' }),
      'Old summary': at({ cron: '30 9 * * *', timezone: ZONE }, { disabled: true }),
    },
    {},
  ],
  ['Mailbox of the abuse desk', { 'Look for new mails': at({ cron: '*/5 * * * *' }) }, {}],
  ['Certificates', { 'Look at all hosts': at({ cron: '15 3 * * 2', timezone: ZONE }) }, { locked: true }],
  ['Purge of old tickets', { 'Each night': at({ cron: '0 2 * * *' }) }, { disabled: true }],
  ['Backup of the wiki', { 'Every six hours': at({ cron: '20 */6 * * *' }) }, {}],
];

/** Gives a running Fabula stories that start by themselves, of which two have run. */
export async function buildScheduleWorld(stores: TestStores, fabula: TestFabula): Promise<void> {
  for (const [name, agents, settings] of STORIES) {
    const { id } = await fabula.importStory(storyOf(agents, [], { name }), { new_name: name });
    const { status } = await fabula.api('PUT', `/api/v1/stories/${id}`, settings);
    if (status !== 200) throw new Error(`${name}: ${status}`);
  }
  await stores.sql(
    `UPDATE schedules p SET last_at = NOW(3) - INTERVAL 40 MINUTE,
       last_run_guid = (SELECT MAX(guid) FROM story_runs) WHERE p.timezone = ?`,
    [ZONE],
  );
}

/** Lets deliveries of a story wait in a queue for each reason, as on a busy day. */
export async function buildWaits(stores: TestStores, storyId: number): Promise<void> {
  const waits: [queue: string, state: string, attempts: number, error: string | null, count: number][] = [
    ['http-request', 'held', 0, null, 38],
    ['http-request', 'waiting', 2, 'HTTP 503', 4],
    ['event-transformation', 'waiting', 0, null, 12],
    ['event-transformation', 'parked', 0, null, 3],
  ];
  for (const [queue, state, attempts, error, count] of waits) {
    await stores.sql(
      `INSERT INTO deliveries
         (story_run_guid, story_id, agent_id, event_id, queue, depth, state, attempts, error, due_at)
       SELECT UUID(), ?, (SELECT MIN(id) FROM agents WHERE story_id = ?), 1, ?, 1, ?, ?, ?,
              NOW(3) + INTERVAL 1 HOUR
       FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) seq`,
      [
        storyId,
        storyId,
        queue,
        state,
        attempts,
        error,
        JSON.stringify(Array.from({ length: count }, (_, n) => n)),
      ],
    );
  }
}
