import { readFileSync } from 'node:fs';
import { slugOf } from '../../../src/platform/text/slug.js';
import { buildAccount, buildTeam, buildUser } from '../../support/builders.js';
import { clientTable, faultsOf, type Ids } from '../../support/clients.js';
import { useManageApi } from '../../support/manage-api.js';
import { buildOperator } from '../../support/one-tenant.js';
import { useStores } from '../../support/stores.js';
import { agent, smallExport } from '../../support/stories.js';
import { CLIENTS } from './index.js';

const stores = useStores();
const api = useManageApi(stores);
const withObject = useManageApi(stores, { queues: [], relay: false, env: { STORIES_LIST: 'object' } });

/** A tenant with a story that has an event, a resource and a person, and the key of its Owner. */
async function tenant(): Promise<{ key: string; ids: Ids }> {
  const { key, team, tenantId } = await buildOperator(stores);
  const data = smallExport();
  data.agents[0] = agent('Agents::WebhookAgent', '1', { path: `small-${tenantId}`, secret: 's' });
  const imported = { new_name: 'S', team_id: team.id, data };
  const story = (await api.call(key, 'POST /api/v1/stories/import', imported)).body.id;
  const value = { name: 'r', value: 'x', team_id: team.id };
  const resource = (await api.call(key, 'POST /api/v1/global_resources', value)).body.id;
  const { id: person, email } = await buildUser(stores.db, { tenantId });
  const slug = slugOf((await buildTeam(stores.db, { tenantId })).name);
  const ids = { team: team.id, story, resource, person, email, slug };
  return { key, ids: { ...ids, ...(await firstEvent(key, story)) } };
}

/** Sends the first event to the story. */
async function firstEvent(key: string, story: number): Promise<Ids> {
  const { body } = await api.call(key, `GET /api/v1/stories/${story}/actions`);
  const { id: webhook, options } = body.agents[0];
  await fetch(`${api.fabula().url}/webhook/${options.path}/${options.secret}`, { method: 'POST' });
  const { events } = (await api.call(key, `GET /api/v1/events?story_id=${story}`)).body;
  return { webhook, event: events[0].id, run: events[0].story_run_guid };
}

describe.each([
  ['array', api],
  ['object', withObject],
] as const)('A2 clients: with STORIES_LIST=%s', (storiesList, served) => {
  it.each(CLIENTS.map((client) => [client.name, client] as const))(
    '%s gets what its list says',
    async (_, client) => {
      const { key, ids } = await tenant();
      const { url } = served.fabula();
      expect(await faultsOf(client, { url, key, ids, storiesList })).toEqual([]);
    },
  );
});

it('docs/use/clients.md has the table of these lists', () => {
  expect(readFileSync('docs/use/clients.md', 'utf8')).toContain(clientTable(CLIENTS));
});

/** Endpoints that several clients call and Fabula cannot serve: there is nothing true to say. */
const NOT_HERE = ['GET /ai_usage'];

it('no endpoint that two or more clients call is missing', () => {
  const callers = new Map<string, Set<string>>();
  for (const { name, calls } of CLIENTS) {
    for (const { call } of calls) {
      const endpoint = endpointOf(call);
      callers.set(endpoint, (callers.get(endpoint) ?? new Set()).add(name));
    }
  }
  const refused = CLIENTS.flatMap(({ calls }) => calls.filter(({ status, not }) => status === 404 && not));
  const missing = new Set(refused.map(({ call }) => endpointOf(call)));
  const shared = [...callers].filter(([, names]) => names.size > 1).map(([endpoint]) => endpoint);
  expect(shared.length).toBeGreaterThan(80);
  expect(missing.size).toBeGreaterThan(50);
  expect(shared.filter((endpoint) => missing.has(endpoint))).toEqual(NOT_HERE);
});

/** Returns method and path of a call without its names of ids and its remarks: `GET /stories/{}`. */
function endpointOf(call: string): string {
  const [method = '', path = ''] = call.split(' ');
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
}

describe('an endpoint that no route serves', () => {
  it.each(['/api/v1/nothing', '/api/v1/skills', '/api/v2/cases/1/pdf'])(
    '%s needs a key first',
    async (path) => {
      expect((await fetch(api.fabula().url + path)).status).toBe(401);
    },
  );

  it('that is known says why, and counts as a request', async () => {
    const { key } = await buildAccount(stores.db);
    const response = await fetch(`${api.fabula().url}/api/v2/cases/7/pdf`, {
      headers: { 'x-user-token': key },
    });
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        errors: [{ message: 'GET /api/v2/cases/:id/pdf is not supported here: a case is read as JSON' }],
      },
    ]);
    expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
  });

  it('leaves the name that was sent in the audit log', async () => {
    const { key, ids } = await tenant();
    const send = async (method: string, path: string, sent?: object): Promise<number> => {
      const headers = { 'x-user-token': key, 'content-type': 'application/json' };
      const body = sent === undefined ? null : JSON.stringify(sent);
      const response = await fetch(api.fabula().url + path, { method, headers, body });
      return ((await response.json()) as { case_id: number }).case_id;
    };
    const id = await send('POST', '/api/v1/cases', { team_id: ids['team'], name: 'Old name' });
    await send('PUT', `/api/v1/cases/${id}`, { name: 'New name' });
    await send('PUT', `/api/v2/cases/${id}`, { name: 'Newer name' });
    await send('POST', `/api/v1/events/${ids['event']}/retry`);
    const { audit_logs: entries } = (await api.call(key, 'GET /api/v1/audit_logs?per_page=4')).body;
    expect(entries.map(({ path }: { path: string }) => path)).toEqual([
      `/api/v1/events/${ids['event']}/retry`,
      `/api/v2/cases/${id}`,
      `/api/v1/cases/${id}`,
      '/api/v1/cases',
    ]);
  });

  it('in an older case path is the newer one', async () => {
    const { key } = await buildAccount(stores.db);
    const headers = { 'x-user-token': key };
    const list = await fetch(`${api.fabula().url}/api/v1/cases?per_page=1`, { headers });
    expect(list.status).toBe(200);
    const { meta } = (await list.json()) as { meta: { current_page: string } };
    expect(meta.current_page).toContain('/api/v1/cases?per_page=1');
  });
});
