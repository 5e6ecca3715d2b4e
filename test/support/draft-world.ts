import { type Account, buildAccount } from './builders.js';
import type { ManageApi, Parsed } from './manage-api.js';
import { storyOf } from './stories.js';
import type { TestStores } from './stores.js';

let made = 0;
const chain = () => {
  const data = storyOf(
    {
      Receive: ['Webhook', { path: `merges-${++made}`, secret: 'open', verbs: 'post' }],
      Mark: [
        'EventTransformation',
        { mode: 'message_only', payload: { n: '=receive.body.n', by: 'first', to: 'first' } },
      ],
      Last: ['EventTransformation', { mode: 'message_only', payload: { by: '=mark.by' } }],
    },
    ['Receive > Mark', 'Mark > Last'],
  ) as Parsed;
  data.diagram_notes = [{ guid: 'n'.repeat(32), content: 'A note', position: [0, 0] }];
  return data;
};

/** Makes stories, each with what a test needs to change it and its drafts. */
export const draftWorld = (stores: TestStores, api: ManageApi) => async () => {
  const account = await buildAccount(stores.db);
  const raw = (request: string, body?: unknown, by: Account = account) => api.call(by.key, request, body);
  const ask = async (request: string, body?: unknown, by: Account = account) => {
    const response = await raw(request, body, by);
    if (response.status >= 300)
      throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const data = chain();
  const place = { new_name: 'Triage', team_id: account.team.id };
  const story = await ask('POST /api/v1/stories/import', { ...place, data });
  const path = `/api/v1/stories/${story.id}`;
  const draft = async (name = 'Try') => (await ask(`POST ${path}/drafts`, { name })).id as number;
  const agentsOf = async (id: number): Promise<Parsed[]> =>
    (await ask(`GET /api/v1/stories/${id}/agents`)).agents;
  const agent = async (id: number, name: string) => (await agentsOf(id)).find((each) => each.name === name);
  /** Changes the payload of "Mark" in a story or a draft. */
  const mark = async (id: number, payload: object) => {
    const { id: agentId, options } = await agent(id, 'Mark');
    const body = { options: { ...options, payload: { ...options.payload, ...payload } } };
    await ask(`PUT /api/v1/actions/${agentId}`, body);
  };
  const payloadOf = async (id: number) => (await agent(id, 'Mark')).options.payload;
  const change = async (id: number, name: string, body: object) =>
    ask(`PUT /api/v1/actions/${(await agent(id, name)).id}`, body);
  const remove = async (id: number, name: string) =>
    ask(`DELETE /api/v1/actions/${(await agent(id, name)).id}`);
  const publish = (id: number, body: object = {}) => raw(`POST /api/v1/drafts/${id}/publish`, body);
  const published = (id: number, body: object = {}) => ask(`POST /api/v1/drafts/${id}/publish`, body);
  const update = (id: number, body: object = {}) => raw(`POST /api/v1/drafts/${id}/update`, body);
  return {
    account,
    raw,
    ask,
    story,
    path,
    draft,
    agentsOf,
    agent,
    mark,
    payloadOf,
    change,
    remove,
    publish,
    published,
    update,
  };
};

/** The errors that name a conflict. */
export const entriesOf = (body: Parsed): Parsed[] =>
  body.errors.filter(({ entry }: Parsed) => entry !== undefined);
/** The body that solves all conflicts of a response in one way. */
export const resolved = (body: Parsed, take: 'live' | 'draft') => ({
  resolve: entriesOf(body).map(({ entry }) => ({ entry, take })),
});
