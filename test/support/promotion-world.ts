import { type Account, buildAccount } from './builders.js';
import type { ManageApi, Parsed } from './manage-api.js';
import { storyOf } from './stories.js';
import type { TestStores } from './stores.js';

let made = 0;

/** A story whose request sends a credential, and which keeps the paths of tests apart. */
export const callingStory = (url: string, credential = 'ticket_system_test', more: object = {}) => ({
  ...storyOf(
    {
      Receive: ['Webhook', { path: `promoted-${++made}`, secret: `secret-of-test-${made}`, verbs: 'post' }],
      Ask: ['HTTPRequest', { url, method: 'get', headers: { Authorization: `=CREDENTIAL.${credential}` } }],
      Mark: ['EventTransformation', { mode: 'message_only', payload: { by: 'test', to: 'all' } }],
    },
    ['Receive > Ask > Mark'],
  ),
  ...more,
});

/** Two tenants: stories are made in the one, and promoted into the other. */
export async function promotionWorld(stores: TestStores, api: ManageApi) {
  const source = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
  const target = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
  const call = (by: Account, request: string, body?: unknown) => api.call(by.key, request, body);
  const ask = async (by: Account, request: string, body?: unknown): Promise<Parsed> => {
    const response = await call(by, request, body);
    if (response.status >= 300)
      throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const mapping = {
    teams: { [source.team.name]: target.team.name },
    credentials: { 'Ticket system (test)': 'Ticket system' },
  };
  const secretIn = (by: Account, name: string, value: string) =>
    ask(by, 'POST /api/v1/user_credentials', { name, mode: 'TEXT', value, team_id: by.team.id });
  const storyIn = async (by: Account, name: string, data: object): Promise<number> =>
    (await ask(by, 'POST /api/v1/stories/import', { new_name: name, team_id: by.team.id, data })).id;
  const bundle = (ids: number[], more: object = {}) =>
    ask(source, 'POST /api/v1/promotions/bundle', { story_ids: ids, ...more });
  const check = async (ids: number[], more: object = {}) =>
    ask(target, 'POST /api/v1/promotions/check', { bundle: await bundle(ids), mapping, ...more });
  const tried = async (ids: number[], more: object = {}) =>
    call(target, 'POST /api/v1/promotions', { bundle: await bundle(ids), mapping, ...more });
  const promote = async (ids: number[], more: object = {}): Promise<Parsed> => {
    const { status, body } = await tried(ids, more);
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };
  const actionsOf = async (by: Account, id: number): Promise<Parsed[]> =>
    (await ask(by, `GET /api/v1/stories/${id}/agents`)).agents;
  const action = async (by: Account, id: number, name: string): Promise<Parsed> =>
    (await actionsOf(by, id)).find((each) => each.name === name);
  /** Changes the payload of "Mark". */
  const mark = async (by: Account, id: number, payload: object) => {
    const { id: actionId, options } = await action(by, id, 'Mark');
    const changed = { options: { ...options, payload: { ...options.payload, ...payload } } };
    await ask(by, `PUT /api/v1/actions/${actionId}`, changed);
  };
  const payloadOf = async (by: Account, id: number) => (await action(by, id, 'Mark')).options.payload;
  const namesIn = async (by: Account): Promise<string[]> =>
    (await ask(by, 'GET /api/v1/stories')).map(({ name }: Parsed) => name).toSorted();
  return {
    source,
    target,
    call,
    ask,
    mapping,
    secretIn,
    storyIn,
    bundle,
    check,
    tried,
    promote,
    actionsOf,
    action,
    mark,
    payloadOf,
    namesIn,
  };
}
