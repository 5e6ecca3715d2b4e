import { buildAccount } from '../support/builders.js';
import { type Parsed, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { MESSAGE_INPUTS, messageStory, templateInput } from '../support/template-inputs.js';

const stores = useStores();
const api = useManageApi(stores, {});
const OTHERS = [templateInput('Message', 'TEXT', '"Hello"')];

async function withStory(data: object = messageStory()) {
  const account = await buildAccount(stores.db, { owner: true });
  const ask = async (request: string, body?: unknown): Promise<Parsed> => {
    const response = await api.call(account.key, request, body);
    if (response.status >= 300)
      throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const body = { new_name: 'Messages', team_id: account.team.id, data };
  const { id } = await ask('POST /api/v1/stories/import', body);
  const senderOf = async (storyId: number): Promise<Parsed> => {
    const { agents } = await ask(`GET /api/v1/stories/${storyId}/agents`);
    return agents.find(({ name }: Parsed) => name === 'Send a message');
  };
  const integrations = async (storyId = id) =>
    (await ask(`GET /api/v1/stories/${storyId}/export`)).integrations as Parsed[];
  return {
    account,
    ask,
    id,
    path: `/api/v1/stories/${id}`,
    senderOf,
    sender: await senderOf(id),
    integrations,
  };
}

describe('the template inputs of an action', () => {
  it('L1: come back in the export as they were, by the new guid of the action', async () => {
    const { sender, integrations } = await withStory();
    const [entry] = messageStory().integrations;
    expect(await integrations()).toEqual([{ ...entry, action_guid: sender.guid }]);
  });

  it('L1: are given with the action, and changed with it', async () => {
    const { ask, sender, integrations } = await withStory();
    const path = `/api/v1/actions/${sender.id}`;
    expect(sender.action_inputs).toEqual(MESSAGE_INPUTS);
    expect((await ask(`PUT ${path}`, { name: 'Send a message' })).action_inputs).toEqual(MESSAGE_INPUTS);
    expect((await ask(`PUT ${path}`, { action_inputs: OTHERS })).action_inputs).toEqual(OTHERS);
    expect(await integrations()).toMatchObject([{ product: 'chat', action_inputs: OTHERS }]);
    expect((await ask(`PUT ${path}`, { action_inputs: null })).action_inputs).toEqual([]);
    const { url, method } = sender.options;
    const { story_id: storyId } = sender;
    const made = await ask('POST /api/v1/actions', {
      story_id: storyId,
      type: sender.type,
      name: 'Another',
      options: { url, method },
      action_inputs: OTHERS,
    });
    expect(made.action_inputs).toEqual(OTHERS);
    expect(await integrations()).toEqual([
      expect.objectContaining({ action_guid: sender.guid, action_inputs: [] }),
      { action_guid: made.guid, action_options_keys: [], action_inputs: OTHERS },
    ]);
    await ask(`DELETE /api/v1/actions/${made.id}`);
    expect(await integrations()).toHaveLength(1);
  });

  it('L1: are told what is wrong with them', async () => {
    const { account, sender } = await withStory();
    const path = `PUT /api/v1/actions/${sender.id}`;
    for (const inputs of [{}, [{}], ['x'], [{ name: 5, value: '1' }]]) {
      const response = await api.call(account.key, path, { action_inputs: inputs });
      expect([response.status, JSON.stringify(response.body.errors)]).toEqual([
        422,
        expect.stringContaining('action_inputs'),
      ]);
    }
  });

  it('L1: are checked by each write and import, with the templates that name them', async () => {
    const faulty = [
      templateInput('Message', 'TEXT', '"=UPCASE("'),
      templateInput('Extra', 'OBJECT', '{"a":"<<NO(>>"}'),
    ];
    const { ask, path, sender } = await withStory();
    const written = await ask(`PUT /api/v1/actions/${sender.id}`, { action_inputs: faulty });
    const named = [
      expect.stringMatching(/^"Send a message", INPUT\.message: /),
      expect.stringMatching(/^"Send a message", INPUT\.extra\.a: /),
      expect.stringContaining('the action has no template input called "chat_credential"'),
    ];
    expect(written.warnings).toEqual(expect.arrayContaining(named));
    const graph = await ask(`GET ${path}/graph`);
    expect((await ask(`PUT ${path}/graph`, graph)).warnings).toEqual(expect.arrayContaining(named));
    const imported = await ask('POST /api/v1/stories/import', {
      new_name: 'Without inputs',
      team_id: sender.team_id,
      data: messageStory({ integrations: [] }),
    });
    expect(imported.warnings).toEqual(expect.arrayContaining([named[2]]));
  });

  it('L1: stand in the graph of the story, which sets, keeps and removes them', async () => {
    const { ask, path, integrations } = await withStory();
    const graph = await ask(`GET ${path}/graph`);
    expect(graph.agents[1].action_inputs).toEqual(MESSAGE_INPUTS);
    expect(graph.agents[0]).not.toHaveProperty('action_inputs');
    const before = await integrations();
    await ask(`PUT ${path}/graph`, graph);
    expect(await integrations()).toEqual(before);
    const put = async (change: object) => {
      const [hook, sender] = graph.agents;
      const { action_inputs: _, ...rest } = sender;
      const body = { agents: [hook, { ...rest, ...change }], links: graph.links };
      return (await ask(`PUT ${path}/graph`, body)).agents[1].action_inputs;
    };
    expect(await put({})).toEqual(MESSAGE_INPUTS);
    expect(await put({ action_inputs: OTHERS })).toEqual(OTHERS);
    expect(await put({ action_inputs: null })).toBeUndefined();
    await ask(`PUT ${path}/graph`, { agents: [graph.agents[0]], links: [] });
    expect(await integrations()).toEqual([]);
  });

  it('L1: go into a draft, back into the story, and into an earlier version again', async () => {
    const { ask, id, path, senderOf, integrations } = await withStory();
    const draft = await ask(`POST ${path}/drafts`, { name: 'Try' });
    const copy = await senderOf(draft.id);
    expect(copy.action_inputs).toEqual(MESSAGE_INPUTS);
    await ask(`PUT /api/v1/actions/${copy.id}`, { action_inputs: OTHERS });
    expect((await senderOf(id)).action_inputs).toEqual(MESSAGE_INPUTS);
    await ask(`POST /api/v1/drafts/${draft.id}/publish`);
    expect((await senderOf(id)).action_inputs).toEqual(OTHERS);
    expect(await integrations()).toHaveLength(1);
    const { story_versions: versions } = await ask(`GET ${path}/versions`);
    await ask(`POST ${path}/versions/${versions.at(-1).id}/restore`);
    expect((await senderOf(id)).action_inputs).toEqual(MESSAGE_INPUTS);
  });

  it('L1: name resources and credentials, which list the action', async () => {
    const { ask, account, sender } = await withStory();
    const credential = await ask('POST /api/v1/user_credentials', {
      name: 'Chat bot',
      mode: 'TEXT',
      value: 'xoxb',
      team_id: account.team.id,
    });
    const shown = await ask(
      `GET /api/v1/user_credentials/${credential.id}?include_referencing_action_ids=true`,
    );
    expect(shown.referencing_action_ids).toEqual([sender.id]);
  });

  it('L1: are rendered by a trial of the action, which shows no credential', async () => {
    const { ask, account, sender } = await withStory();
    await ask('POST /api/v1/user_credentials', {
      name: 'Chat bot',
      mode: 'TEXT',
      value: 'xoxb',
      team_id: account.team.id,
    });
    const tried = await ask(`POST /api/v1/actions/${sender.id}/dry_run`, {
      event: { hook: { user: 'Ann', what: 'log in' } },
    });
    expect(tried.requests).toEqual([
      expect.objectContaining({
        headers: expect.objectContaining({ authorization: expect.not.stringContaining('xoxb') }) as unknown,
        body: expect.objectContaining({ channel: 'C094Y3UPAMA', text: 'Ann did LOG IN' }) as unknown,
      }),
    ]);
  });

  it('L1: are given to a template that is rendered for its author', async () => {
    const { ask } = await withStory();
    const response = await ask('POST /api/v1/templates/render', {
      template: 'To <<INPUT.channel_user_id>>: <<INPUT.message>>',
      action_inputs: MESSAGE_INPUTS,
      event: { hook: { user: 'Ann', what: 'log in' } },
    });
    expect(response).toEqual({ value: 'To C094Y3UPAMA: Ann did LOG IN', error: null });
    const faulty = await ask('POST /api/v1/templates/render', {
      options: { a: '<<INPUT.x>>' },
      action_inputs: [templateInput('x', 'TEXT', '"=1 / 0"')],
    });
    expect(faulty.error).toMatchObject({ option: 'a', message: expect.stringMatching(/^INPUT\.x: /) });
  });
});
