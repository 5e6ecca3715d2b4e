import type { JsonObject } from '../../src/platform/json.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { readStorySettings } from '../../src/stories/settings/story-settings.js';
import { buildAccount } from '../support/builders.js';
import { places, type Parsed, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const PATH = '/api/v1/stories';

async function withStory(overrides: Parameters<typeof smallExport>[0] = {}) {
  const account = await buildAccount(stores.db);
  const body = { new_name: 'Triage', data: smallExport(overrides), team_id: account.team.id };
  const { body: story } = await api.call(account.key, `POST ${PATH}/import`, body);
  const path = `${PATH}/${story.id}`;
  const { agents } = (await api.call(account.key, `GET ${path}/agents`)).body;
  return { account, key: account.key, path, agents: agents as Parsed[] };
}

const exported = async (key: string, path: string) => (await api.call(key, `GET ${path}/export`)).body;

describe('the settings of a story', () => {
  it('are changed, and are in the export that an import takes', async () => {
    const { key, path, agents } = await withStory();
    const [webhook, second, third] = agents;
    const change = {
      locked: true,
      change_control_enabled: true,
      tags: ['a', 'b'],
      send_to_story_access_source: 'STS_AND_WORKBENCH',
      send_to_story_access: 'SPECIFIC_TEAMS',
      shared_team_slugs: ['soc', 'it'],
      send_to_story_skill_use_requires_confirmation: false,
      entry_action_id: second.id,
      exit_action_ids: [third.id],
      webhook_api_enabled: true,
      api_entry_action_id: webhook.id,
      api_exit_action_ids: [second.id, third.id],
      recipients: ['soc@example.test'],
      monitor_failures: true,
    };
    const { entry_action_id, exit_action_ids, ...shown } = change;
    const { body } = await api.call(key, `PUT ${path}`, change);
    const expected = {
      ...shown,
      send_to_story_enabled: true,
      entry_agent_id: entry_action_id,
      exit_agents: exit_action_ids,
      synchronous_webhooks_enabled: true,
      api_entry_action_ids: [webhook.id],
    };
    expect(body).toMatchObject(expected);
    expect((await api.call(key, `GET ${path}`)).body).toMatchObject(expected);
    const data = await exported(key, path);
    expect(data).toMatchObject({
      send_to_story_enabled: true,
      send_to_story_access: 'specific_teams',
      entry_agent_guid: second.guid,
      exit_agent_guids: [third.guid],
      exit_agent_guid: third.guid,
      api_entry_action_guids: [webhook.guid],
      api_exit_action_guids: [second.guid, third.guid],
      synchronous_webhooks_enabled: true,
      tags: ['a', 'b'],
    });
    const again = (await api.call(key, `POST ${PATH}/import`, { new_name: 'Again', data })).body;
    const ids = { entry_agent_id: 0, exit_agents: 0, api_entry_action_id: 0, api_entry_action_ids: 0 };
    const own = { id: 0, guid: 0, name: 0, slug: 0, created_at: 0, updated_at: 0, edited_at: 0 };
    const here = { locked: false, change_control_enabled: false, warnings: 0, api_exit_action_ids: 0 };
    expect({ ...again, ...ids, ...own, ...here }).toEqual({ ...body, ...ids, ...own, ...here });
    expect(again.exit_agents).toHaveLength(1);
    expect(again.api_exit_action_ids).toHaveLength(2);
  });

  it('have older names', async () => {
    const { key, path, agents } = await withStory();
    const [, second, third] = agents;
    const put = async (body: object) => (await api.call(key, `PUT ${path}`, body)).body;
    expect(await put({ send_to_story_enabled: true, entry_agent_id: second.id })).toMatchObject({
      send_to_story_access_source: 'STS',
      send_to_story_access: 'TEAM',
      entry_agent_id: second.id,
    });
    expect(await put({ exit_agent_ids: [third.id] })).toMatchObject({ exit_agents: [third.id] });
    expect(await put({ exit_agents: [second.id] })).toMatchObject({ exit_agents: [second.id] });
    expect(await put({ send_to_story_enabled: false, exit_agents: [], entry_agent_id: null })).toMatchObject({
      send_to_story_enabled: false,
      send_to_story_access_source: 'OFF',
      exit_agents: [],
      entry_agent_id: null,
    });
    expect(await exported(key, path)).toMatchObject({ exit_agent_guids: [], exit_agent_guid: null });
  });

  it('take a whole story back as it was given, and change nothing', async () => {
    const { key, path } = await withStory({ tags: ['a'], send_to_story_access_source: 0 });
    const before = (await api.call(key, `GET ${path}?include_live_activity=true`)).body;
    const data = await exported(key, path);
    const after = await api.call(key, `PUT ${path}`, { ...before, draft_id: null, diagram_layout: '{}' });
    expect(after.status).toBe(200);
    const plain = (await api.call(key, `GET ${path}`)).body;
    expect({ ...before, ...plain, updated_at: 0 }).toEqual({ ...before, updated_at: 0 });
    expect({ ...(await exported(key, path)), exported_at: 0 }).toEqual({ ...data, exported_at: 0 });
  });

  it('add and remove tags', async () => {
    const { key, path } = await withStory({ tags: ['a', 'b'] });
    const put = async (body: object) => (await api.call(key, `PUT ${path}`, body)).body.tags as string[];
    expect(await put({ add_tag_names: ['c', 'a'], remove_tag_names: ['b', 'x'] })).toEqual(['a', 'c']);
    expect(await put({ tags: ['d'], add_tag_names: 'e' })).toEqual(['d', 'e']);
    expect(await put({ name: 'Other' })).toEqual(['d', 'e']);
    expect(await put({ tags: [] })).toEqual([]);
  });

  it('keep the times of edits apart from those of settings', async () => {
    const { key, path, agents } = await withStory();
    await stores.sql('UPDATE stories SET edited_at = NOW(3) - INTERVAL 1 HOUR');
    const before = (await api.call(key, `PUT ${path}`, { tags: ['a'] })).body.edited_at as string;
    expect(Date.parse(before)).toBeLessThan(Date.now() - 3_000_000);
    await api.call(key, `PUT /api/v1/agents/${agents[0].id}`, { name: 'Other' });
    const after = (await api.call(key, `GET ${path}`)).body.edited_at as string;
    expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
  });

  it('are what an import has of them, without values of other kinds', async () => {
    const values = {
      tags: ['a', '', 5, '\ud800'],
      recipients: 'x',
      monitor_failures: true,
      exit_agent_guids: [],
    };
    await withStory({ ...values, exit_agent_guid: '2'.repeat(32), send_to_story_access: 'team' });
    await withStory({ send_to_story_enabled: null, tags: null, entry_agent_guid: 'x'.repeat(300) });
    const rows = await stores.db.read((session) =>
      session.rows<{ settings: string }>('SELECT settings FROM stories ORDER BY id'),
    );
    const [first, second] = rows.map(({ settings }) => readStorySettings(parseJson(settings) as JsonObject));
    expect(first).toMatchObject({ tags: ['a'], recipients: [], sendToStoryEnabled: false });
    expect(second).toMatchObject({ sendToStoryEnabled: true, entryGuid: undefined });
  });

  it('are refused with all that is wrong in them', async () => {
    const { key, path, agents } = await withStory();
    const { agents: foreign } = await withStory({
      agents: [agent('Agents::TriggerAgent', '1', { rules: [] })],
      links: [],
    });
    const id = foreign[0].id as number;
    const response = await api.call(key, `PUT ${path}`, {
      entry_action_id: id,
      exit_agent_ids: [agents[0].id, id],
      api_exit_action_ids: [0],
      send_to_story_access: 'ALL',
      tags: ['a,b'],
      recipients: ['nobody'],
      nme: 1,
    });
    expect([response.status, places(response).map(String).toSorted()]).toEqual([
      422,
      [
        'api_exit_action_ids[0]',
        'entry_action_id',
        'exit_agent_ids',
        'nme',
        'recipients[0]',
        'send_to_story_access',
        'tags[0]',
      ],
    ]);
    const one = await api.call(key, `PUT ${path}`, { entry_action_id: id });
    expect([one.status, places(one)]).toEqual([422, ['entry_action_id']]);
    expect((await api.call(key, `GET ${path}`)).body.entry_agent_id).toBe(agents[0].id);
  });

  it('protect the actions of a locked story', async () => {
    const { key, path, agents } = await withStory();
    const rename = () => api.call(key, `PUT /api/v1/agents/${agents[0].id}`, { name: 'Other' });
    await api.call(key, `PUT ${path}`, { locked: true });
    expect((await rename()).status).toBe(409);
    expect((await api.call(key, `PUT ${path}`, { description: 'still free' })).status).toBe(200);
    await api.call(key, `PUT ${path}`, { locked: false });
    expect((await rename()).status).toBe(200);
  });
});
