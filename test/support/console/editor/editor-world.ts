import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../../../src/platform/json.js';
import type { TestFabula } from '../../fabula.js';
import { startHttpTarget } from '../../http-target.js';
import { call } from '../../run-api.js';
import { storyOf } from '../../stories.js';
import type { TestStores } from '../../stores.js';
import { largeStory } from '../large-story.js';
import { send } from '../send.js';
import { triage } from '../triage-story.js';
import { fieldsStory } from './fields-story.js';

const README = path.resolve(__dirname, '../../../../docs/build/examples/alert-story.json');
const { data: ALERT } = JSON.parse(readFileSync(README, 'utf8')) as { data: JsonObject };

/** A story that is edited. */
export interface EditedStory {
  id: number;
  /** The guids of its actions, or of those of its draft, by name. */
  guids: Record<string, string>;
  /** A draft of it; undefined: it has none. */
  draft?: number;
}

/** The stories that states of the editor are shown with. No state changes them. */
export interface EditorWorld {
  /** README's first story, which ran, and its draft. */
  readme: EditedStory;
  /** A story with branches, notes, failures and many runs. */
  triage: EditedStory;
  /** A story with an action for each kind of fields. */
  fields: EditedStory;
  /** 78 actions. */
  large: EditedStory;
  empty: EditedStory;
  locked: EditedStory;
}

const CALLS = 6;

/** Returns a story as it is now, by the names of its actions. */
export async function readEdited(fabula: TestFabula, id: number, draft?: number): Promise<EditedStory> {
  const { body } = await call(fabula, `GET /api/v1/stories/${draft ?? id}/graph`);
  const { agents } = body as { agents: { name: string; guid: string }[] };
  const guids = Object.fromEntries(agents.map(({ name, guid }) => [name, guid]));
  return draft === undefined ? { id, guids } : { id, guids, draft };
}

/** Makes the stories, runs and people that the editor is looked at with. */
export async function buildEditorWorld(stores: TestStores, fabula: TestFabula): Promise<EditorWorld> {
  const { user, team } = fabula.account;
  await stores.sql("UPDATE users SET first_name = 'Ada', last_name = 'Lovelace' WHERE id = ?", [user.id]);
  await stores.sql("UPDATE teams SET name = 'Security' WHERE id = ?", [team.id]);
  const target = await startHttpTarget({
    rules: {
      ...Object.fromEntries(
        Array.from({ length: CALLS }, (_, n) => [
          `/hosts/Host%20${n}`,
          { body: { owner: 'Grace Hopper', patches: 'current', tickets: [] } },
        ]),
      ),
      '/tickets': { body: { id: 4711, state: 'open' } },
    },
  });
  stores.onClose(() => target.close());
  await send(fabula, 'POST /api/v1/global_resources', {
    name: 'Blocked domains',
    team_id: team.id,
    value: { domains: ['evil.example', 'bad.example'] },
  });
  const credential = { mode: 'TEXT', team_id: team.id, value: 's3cret-of-tickets' };
  await send(fabula, 'POST /api/v1/user_credentials', { ...credential, name: 'Tickets' });

  const readme = await fabula.importStory(ALERT);
  const hosts = ['web-1', 'db-2'];
  await fabula.fire('alerts/open-sesame', { severity: 'high', title: 'Ransomware note found', hosts });
  const triaged = await fabula.importStory(triage(target.url));
  const fields = await fabula.importStory(fieldsStory(target.url));
  await fabula.fire(fields.webhooks['Receive'] ?? '', {
    severity: 'high',
    title: 'Ransomware note found',
    source: 'edr',
    hosts,
  });
  // It calls the triage, whose newest run is a call of its webhook, the sample of its states.
  await fabula.settled(60_000);
  for (let n = 0; n < CALLS; n += 1) {
    const body = { n, severity: n % 3 === 2 ? 'high' : 'low', name: `Host ${n}` };
    await fabula.fire(triaged.webhooks['Receive alert'] ?? '', body);
  }
  await fabula.settled(60_000);

  const draftOf = async (id: number) =>
    (await send(fabula, `POST /api/v1/stories/${id}/drafts`, { name: 'Draft of Ada Lovelace' })).id;
  const locked = await fabula.importStory(
    storyOf({ Expiry: ['Webhook', {}], Renew: ['EventTransformation', { mode: 'message_only' }] }, [
      'Expiry > Renew',
    ]),
    { new_name: 'Rotate certificates' },
  );
  await send(fabula, `PUT /api/v1/stories/${locked.id}`, { locked: true });
  const large = await fabula.importStory(largeStory());
  const empty = await send(fabula, 'POST /api/v1/stories', { name: 'Weekly report', team_id: team.id });
  return {
    readme: await readEdited(fabula, readme.id, await draftOf(readme.id)),
    triage: await readEdited(fabula, triaged.id, await draftOf(triaged.id)),
    fields: await readEdited(fabula, fields.id),
    large: await readEdited(fabula, large.id),
    empty: await readEdited(fabula, empty.id),
    locked: await readEdited(fabula, locked.id),
  };
}
