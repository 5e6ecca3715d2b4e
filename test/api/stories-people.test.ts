import { buildAccount } from '../support/builders.js';
import { places, type Parsed, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const PATH = '/api/v1/stories';

async function withStory(overrides: Parameters<typeof smallExport>[0] = {}) {
  const account = await buildAccount(stores.db);
  const body = { new_name: 'Triage', data: smallExport(overrides), team_id: account.team.id };
  const { body: story } = await api.call(account.key, `POST ${PATH}/import`, body);
  return { account, key: account.key, id: story.id as number, path: `${PATH}/${story.id}` };
}

describe('the recipients of a story', () => {
  it('are added and removed one by one, whatever the case of letters', async () => {
    const { key, path } = await withStory({ recipients: ['', 'old@example.test'] });
    const added = await api.call(key, `POST ${path}/recipients`, { address: ' Soc@example.test' });
    expect(added.body.recipients).toEqual(['old@example.test', 'Soc@example.test']);
    const again = await api.call(key, `POST ${path}/recipients`, { address: 'soc@EXAMPLE.test' });
    expect([again.status, places(again)]).toEqual([409, ['address']]);
    expect(again.body.errors[0].message).toContain('already');
    const removed = await api.call(key, `DELETE ${path}/recipients`, { address: 'SOC@example.test' });
    expect(removed.body.recipients).toEqual(['old@example.test']);
    const gone = await api.call(key, `DELETE ${path}/recipients?address=soc@example.test`);
    expect(gone.status).toBe(404);
    expect((await api.call(key, `GET ${path}/export`)).body.recipients).toEqual(['old@example.test']);
  });

  it('are at most a hundred addresses', async () => {
    const { key, path } = await withStory();
    const recipients = Array.from({ length: 100 }, (_, index) => `a${index}@example.test`);
    expect((await api.call(key, `PUT ${path}`, { recipients })).status).toBe(200);
    const more = await api.call(key, `POST ${path}/recipients`, { address: 'b@example.test' });
    expect([more.status, places(more)]).toEqual([422, ['address']]);
    const no = await api.call(key, `POST ${path}/recipients`, { address: 'nobody', draft_id: 'x' });
    expect([no.status, places(no)]).toEqual([422, ['address', 'draft_id']]);
  });

  it('may be up to ten http or https addresses, with a secret that is never shown', async () => {
    const { key, id, path } = await withStory();
    const secrets = () =>
      stores.db.read((session) =>
        session.rows('SELECT * FROM story_recipient_secrets WHERE story_id = ?', [id]),
      );
    const long = `https://chat.example.test/hooks/${'x'.repeat(400)}`;
    const first = { address: long, secret: 'a-secret-of-sixteen' };
    const added = await api.call(key, `POST ${path}/recipients`, first);
    expect([added.status, added.body.recipients]).toEqual([200, [long]]);
    expect(JSON.stringify(added.body)).not.toContain('a-secret');
    expect((await api.call(key, `GET ${path}`)).body.recipients).toEqual([long]);
    expect(await secrets()).toHaveLength(1);
    const other = await api.call(key, `POST ${path}/recipients`, { address: long.replace(/x{9}$/, 'XXX') });
    expect(other.body.recipients).toHaveLength(2);
    for (let n = 0; n < 8; n += 1) {
      await api.call(key, `POST ${path}/recipients`, { address: `http://chat.example.test/${n}` });
    }
    const more = await api.call(key, `POST ${path}/recipients`, { address: 'http://chat.example.test/9' });
    expect([more.status, places(more)]).toEqual([422, ['address']]);
    expect((await api.call(key, `POST ${path}/recipients`, { address: 'soc@example.test' })).status).toBe(
      200,
    );
    expect((await api.call(key, `DELETE ${path}/recipients`, { address: long })).status).toBe(200);
    expect(await secrets()).toEqual([]);
  });

  it.each([
    [{ address: 'https://' }, ['address']],
    [{ address: 'ftp://files.example.test/x' }, ['address']],
    [{ address: 'soc@example.test', secret: 'a-secret-of-sixteen' }, ['secret']],
    [{ address: 'https://chat.example.test/', secret: 'short' }, ['secret']],
    [{ address: 'https://chat.example.test/', secret: 'a-secret-of-sixteen', draft_id: 1 }, [undefined]],
  ])('are refused: %j', async (body, details) => {
    const { key, path } = await withStory();
    const refused = await api.call(key, `POST ${path}/recipients`, body);
    expect([refused.status, places(refused)]).toEqual([422, details]);
  });

  it('of a draft become those of the story with its publication', async () => {
    const { key, path } = await withStory();
    const draft = (await api.call(key, `POST ${path}/drafts`, { name: 'D' })).body.id as number;
    const body = { address: 'soc@example.test', draft_id: String(draft) };
    expect((await api.call(key, `POST ${path}/recipients`, body)).body.id).toBe(draft);
    expect((await api.call(key, `GET ${path}`)).body.recipients).toEqual([]);
    const published = await api.call(key, `POST ${path}/drafts/${draft}/publish`);
    expect(published.body.recipients).toEqual(['soc@example.test']);
    expect((await api.call(key, `POST ${path}/recipients`, body)).status).toBe(404);
    const owner = await api.call(key, `POST ${path}/owners`, { user_id: 1, draft_id: 4 });
    expect([owner.status, places(owner)]).toEqual([422, ['draft_id']]);
  });
});

describe('the owners of a story', () => {
  it('are users whom the key may see', async () => {
    const { account, key, path } = await withStory();
    const { user } = await buildAccount(stores.db, { team: account.team });
    const stranger = await buildAccount(stores.db);
    const add = (user_id: number) => api.call(key, `POST ${path}/owners`, { user_id });
    expect((await add(user.id)).body.owners).toEqual([user.id]);
    expect((await add(account.user.id)).body.owners).toEqual([user.id, account.user.id]);
    expect((await add(user.id)).status).toBe(409);
    expect((await add(stranger.user.id)).status).toBe(404);
    const less = await api.call(key, `DELETE ${path}/owners`, { user_id: user.id });
    expect(less.body.owners).toEqual([account.user.id]);
    expect((await api.call(key, `DELETE ${path}/owners`, { user_id: user.id })).status).toBe(404);
    expect((await api.call(key, `DELETE ${path}`)).status).toBe(204);
    expect(await stores.db.read((session) => session.rows('SELECT id FROM story_owners'))).toEqual([]);
  });
});

describe('the pending actions of a story', () => {
  it('are those with waiting deliveries, with their number', async () => {
    const { key, id, path } = await withStory();
    const { agents } = (await api.call(key, `GET ${path}/agents`)).body as { agents: Parsed[] };
    const [first, second, third] = agents;
    const insert = (agentId: number, state: string) =>
      stores.sql(
        "INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, state) VALUES ('r', ?, ?, 1, 'email', 1, NOW(3), ?)",
        [id, agentId, state],
      );
    for (const state of ['pending', 'waiting', 'held']) await insert(second.id, state);
    await insert(third.id, 'parked');
    await insert(first.id, 'failed');
    const { body } = await api.call(key, `GET ${path}/pending_actions?story_mode=LIVE&draft_id=`);
    expect(body.meta.count).toBe(2);
    expect(body.pending_actions).toEqual([
      {
        id: second.id,
        name: second.name,
        type: second.type,
        guid: second.guid,
        story_id: id,
        pending_action_runs_count: 3,
      },
      expect.objectContaining({ id: third.id, pending_action_runs_count: 1 }),
    ]);
    const found = (await api.call(key, `GET ${path}/pending_actions?search=trigger&per_page=1`)).body;
    expect(found.pending_actions).toMatchObject([{ id: third.id }]);
    const stranger = await buildAccount(stores.db);
    expect((await api.call(stranger.key, `GET ${path}/pending_actions`)).status).toBe(404);
  });
});

describe('an export', () => {
  it('has new webhook addresses and no recipients, if asked', async () => {
    const { key, path } = await withStory({ recipients: ['soc@example.test'] });
    const get = async (query: string) => (await api.call(key, `GET ${path}/export${query}`)).body;
    const before = await get('');
    expect(await get('?randomize_urls=false&clear_recipients=false&draft_id=')).toMatchObject({
      agents: before.agents,
      recipients: ['soc@example.test'],
    });
    const after = await get('?randomize_urls=true&clear_recipients=true');
    const [old] = before.agents;
    const [made, ...others] = after.agents;
    const word = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(made).toEqual({ ...old, options: { ...old.options, path: word, secret: word } });
    expect(made.options.secret).not.toBe(made.options.path);
    expect(others).toEqual(before.agents.slice(1));
    expect(after.recipients).toEqual([]);
    expect((await api.call(key, `GET ${path}/export?draft_id=999999`)).status).toBe(404);
  });
});
