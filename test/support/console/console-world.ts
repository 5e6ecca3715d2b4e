import type { JsonObject } from '../../../src/platform/json.js';
import type { TestFabula } from '../fabula.js';
import type { ImportedStory } from '../fabula-client.js';
import { type HttpTarget, startHttpTarget } from '../http-target.js';
import { createStatisticsCounter } from '../../../src/observe/statistics/count/statistics-counter.js';
import { storyOf } from '../stories.js';
import { buildCaseWorld, type CaseWorld } from './case-world.js';
import { buildPeopleWorld, type PeopleWorld } from './people-world.js';
import { buildRecordWorld, type RecordWorld } from './record-world.js';
import { buildScheduleWorld, buildWaits } from './schedule-world.js';
import type { TestStores } from '../stores.js';
import { triage } from './triage-story.js';

/** A story of the world: where it is, how often its webhook is called, and what is special about it. */
interface Told {
  name: string;
  folder?: string;
  tags?: string[];
  calls: number;
  settings?: JsonObject;
  /** Some stories ask a server of this world. */
  data: JsonObject | ((hostsUrl: string) => JsonObject);
}

/** The stories, records, cases and people that pages and pictures show. */
export interface ConsoleWorld {
  stories: Map<string, ImportedStory>;
  records: RecordWorld;
  cases: CaseWorld;
  people: PeopleWorld;
}

/** The most calls that a story gets. */
const MOST_CALLS = 24;
const REFUSED = 'http://127.0.0.1:9/v3/indicators';

const hook: [string, JsonObject] = ['Webhook', {}];
const says = (payload: JsonObject): [string, JsonObject] => [
  'EventTransformation',
  { mode: 'message_only', payload },
];
const asks = (url: string): [string, JsonObject] => [
  'HTTPRequest',
  { url, method: 'get', retry_on_status: [] },
];

function chain(name: string, steps: Record<string, [string, JsonObject]>): JsonObject {
  const all = { [`${name} received`]: hook, ...steps };
  return storyOf(all, [Object.keys(all).join(' > ')], { name });
}

const STORIES: Told[] = [
  {
    name: 'Alert triage',
    folder: 'Detection',
    tags: ['soc', 'tier 1'],
    calls: MOST_CALLS,
    settings: { priority: true },
    data: triage,
  },
  {
    name: 'Phishing report',
    folder: 'Mail',
    tags: ['soc'],
    calls: 9,
    data: chain('Mail', {
      'Read headers': says({ from: '<<mail_received.body.from>>' }),
      'Ask the sandbox': asks(REFUSED),
    }),
  },
  {
    name: 'Enrich indicators of compromise with all sources and page through the answers of each of them',
    folder: 'Detection',
    tags: ['soc', 'enrichment'],
    calls: 14,
    data: chain('Indicator', { 'Split into kinds': says({ kind: 'ip' }), Collect: says({ done: true }) }),
  },
  {
    name: 'New joiner',
    folder: 'People',
    tags: ['it'],
    calls: 6,
    data: chain('Joiner', {
      'Make the account': says({ account: '<<joiner_received.body.name>>' }),
      Welcome: says({ sent: true }),
    }),
  },
  {
    name: 'Leaver',
    folder: 'People',
    tags: ['it'],
    calls: 3,
    data: chain('Leaver', { 'Close the account': asks(REFUSED) }),
  },
  {
    name: 'Rotate certificates',
    tags: ['it'],
    calls: 0,
    settings: { locked: true },
    data: chain('Expiry', { Renew: says({ ok: 1 }) }),
  },
  { name: 'Weekly report', calls: 2, data: chain('Week', { Summarise: says({ lines: 12 }) }) },
  {
    name: 'Old ticket sync',
    calls: 0,
    settings: { disabled: true },
    data: chain('Ticket', { Sync: says({ synced: true }) }),
  },
];

/** Fills a running Fabula with stories, folders, tags, runs and failures as a team has them after a day. */
export async function buildConsoleWorld(stores: TestStores, fabula: TestFabula): Promise<ConsoleWorld> {
  await stores.sql("UPDATE users SET first_name = 'Ada', last_name = 'Lovelace' WHERE id = ?", [
    fabula.account.user.id,
  ]);
  await stores.sql("UPDATE teams SET name = 'Security' WHERE id = ?", [fabula.account.team.id]);
  const folders = await makeFolders(fabula);
  const hosts = await startHosts();
  stores.onClose(() => hosts.close());
  const stories = new Map<string, ImportedStory>();
  for (const { name, folder, tags = [], settings = {}, data } of STORIES) {
    const place = folder === undefined ? {} : { folder_id: folders.get(folder) ?? null };
    const story = await fabula.importStory(typeof data === 'function' ? data(hosts.url) : data, {
      new_name: name,
      ...place,
    });
    const { status } = await fabula.api('PUT', `/api/v1/stories/${story.id}`, {
      add_tag_names: tags,
      ...settings,
    });
    if (status !== 200) throw new Error(`${name}: ${status}`);
    stories.set(name, story);
  }
  await callWebhooks(fabula, stories);
  await fabula.settled(60_000);
  await spreadOverDay(stores);
  await buildScheduleWorld(stores, fabula);
  await buildWaits(stores, stories.get('New joiner')?.id ?? 0);
  const records = await buildRecordWorld(stores, fabula);
  const cases = await buildCaseWorld(stores, fabula, records.recordIds.slice(0, 2));
  return { stories, records, cases, people: await buildPeopleWorld(fabula) };
}

/** Starts the server that knows the hosts which alerts name. */
function startHosts(): Promise<HttpTarget> {
  const paths = Array.from({ length: MOST_CALLS }, (_, n) => `/hosts/Host%20${n}`);
  const response = { body: { owner: 'Grace Hopper', patches: 'current', tickets: [] } };
  return startHttpTarget({ rules: Object.fromEntries(paths.map((path) => [path, response])) });
}

async function callWebhooks(fabula: TestFabula, stories: ReadonlyMap<string, ImportedStory>) {
  for (const { name, calls } of STORIES) {
    const [address] = Object.values(stories.get(name)?.webhooks ?? {});
    if (address === undefined) throw new Error(`${name} has no webhook`);
    for (let n = 0; n < calls; n += 1) {
      const body = {
        n,
        severity: n % 3 === 0 ? 'high' : 'low',
        name: `Host ${n}`,
        from: `ada${n}@example.com`,
      };
      await fabula.fire(address, body);
    }
  }
}

/** Half of the runs were in the last hour, the others in the day before. */
const ago = (guid: string) =>
  `INTERVAL IF(CRC32(${guid}) % 2, CRC32(${guid}) % 55, 60 * (CRC32(${guid}) % 23)) MINUTE`;

/** Puts each run some time back, and counts them all. */
async function spreadOverDay(stores: TestStores): Promise<void> {
  await stores.sql(`UPDATE story_runs SET created_at = created_at - ${ago('guid')}`);
  await stores.sql(`UPDATE events SET created_at = created_at - ${ago('story_run_guid')}`);
  await stores.sql(
    `UPDATE events SET request = JSON_SET(request, '$.sent_at', DATE_FORMAT(created_at, '%Y-%m-%dT%H:%i:%s.000Z'))
     WHERE request IS NOT NULL`,
  );
  await stores.sql(
    `UPDATE deliveries SET created_at = created_at - ${ago('story_run_guid')}, failed_at = failed_at - ${ago('story_run_guid')}`,
  );
  const counter = { database: stores.db, keptDays: 90, holdBackSeconds: 0, logger: stores.logger };
  await createStatisticsCounter(counter).tick();
}

async function makeFolders(fabula: TestFabula): Promise<Map<string, number>> {
  const made = new Map<string, number>();
  const make = async (name: string, parent?: string) => {
    const body = {
      name,
      team_id: fabula.account.team.id,
      content_type: 'STORY',
      ...(parent !== undefined && { parent_folder_id: made.get(parent) ?? null }),
    };
    const response = await fabula.api('POST', '/api/v1/folders', body);
    made.set(name, ((await response.json()) as { id: number }).id);
  };
  await make('Security');
  await make('Detection', 'Security');
  await make('Mail', 'Security');
  await make('People');
  return made;
}
