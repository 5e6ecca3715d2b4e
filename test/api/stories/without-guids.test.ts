import { type Account, buildAccount } from '../../support/builders.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
let account: Account;
beforeEach(async () => {
  account = await buildAccount(stores.db, { owner: true });
});

/** A story as a person writes it. */
const written = (by: string, more: object[] = []) => ({
  schema_version: 30,
  agents: [
    { type: 'Agents::WebhookAgent', name: 'Receive', options: { verbs: 'post' } },
    {
      type: 'Agents::EventTransformationAgent',
      name: 'Mark',
      options: { mode: 'message_only', payload: { by } },
    },
    ...more,
  ],
  links: [{ source: 0, receiver: 1 }],
});
const ask = async (request: string, body?: unknown): Promise<Parsed> => {
  const response = await api.call(account.key, request, body);
  expect(response.status).toBeLessThan(300);
  return response.body;
};
const imported = (data: object) =>
  ask('POST /api/v1/stories/import', {
    new_name: 'By hand',
    team_id: account.team.id,
    mode: 'versionReplace',
    data,
  });
const agentsOf = async (id: number): Promise<Parsed[]> =>
  (await ask(`GET /api/v1/stories/${id}/agents`)).agents;
const ids = (agents: Parsed[]) => agents.map(({ id, guid }) => [id, guid]);

describe('stories as software: a story that is written again without guids', () => {
  it.each(['an import in its place', 'PUT …/export'])(
    'keeps its actions and the address of its webhook: %s',
    async (way) => {
      const { id } = await imported(written('first'));
      const before = await agentsOf(id);
      const replace = (data: object) =>
        way === 'PUT …/export' ? ask(`PUT /api/v1/stories/${id}/export`, { data }) : imported(data);
      await replace(written('second'));
      const after = await agentsOf(id);
      expect(ids(after)).toEqual(ids(before));
      expect(after[0].options).toEqual(before[0].options);
      expect(after[1].options.payload).toEqual({ by: 'second' });
    },
  );

  it('makes a new action for each of a name that several have, unless their number is the same', async () => {
    const twins = [1, 2].map((n) => ({
      type: 'Agents::TriggerAgent',
      name: 'Check',
      options: { rules: [], n },
    }));
    const { id } = await imported(written('first', twins));
    const before = ids(await agentsOf(id));
    await imported(written('second', twins));
    expect(ids(await agentsOf(id))).toEqual(before);
    await imported(written('third', twins.slice(1)));
    const after = ids(await agentsOf(id));
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(before).not.toContainEqual(after[2]);
  });

  it('takes an action with an unknown guid for a new one, whatever its name', async () => {
    const { id } = await imported(written('first'));
    const before = ids(await agentsOf(id));
    const data = written('second');
    const agents = data.agents.map((agent, index) => ({ ...agent, guid: `made-elsewhere-${index}` }));
    await imported({ ...data, agents });
    for (const after of ids(await agentsOf(id))) expect(before).not.toContainEqual(after);
  });
});
