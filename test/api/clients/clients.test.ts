import { readFileSync } from 'node:fs';
import { buildAccount, buildUser } from '../../support/builders.js';
import { clientTable, faultsOf, type Ids } from '../../support/clients.js';
import { useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';
import { smallExport } from '../../support/stories.js';
import { CLIENTS } from './index.js';

const stores = useStores();
const api = useManageApi(stores, { queues: [], relay: false, env: { STORIES_LIST: 'object' } });

/** A tenant with a story, a resource and a person, and the key of its Owner. */
async function tenant(): Promise<{ key: string; ids: Ids }> {
  const { key, team, tenantId } = await buildAccount(stores.db, { owner: true });
  const imported = { new_name: 'S', team_id: team.id, data: smallExport() };
  const story = (await api.call(key, 'POST /api/v1/stories/import', imported)).body.id;
  const value = { name: 'r', value: 'x', team_id: team.id };
  const resource = (await api.call(key, 'POST /api/v1/global_resources', value)).body.id;
  const person = (await buildUser(stores.db, { tenantId })).id;
  return { key, ids: { team: team.id, story, resource, person } };
}

it.each(CLIENTS.map((client) => [client.name, client] as const))(
  '%s gets what its list says',
  async (_, client) => {
    const { key, ids } = await tenant();
    expect(await faultsOf(client, { url: api.fabula().url, key, ids })).toEqual([]);
  },
);

it('docs/clients.md has the table of these lists', () => {
  expect(readFileSync('docs/clients.md', 'utf8')).toContain(clientTable(CLIENTS));
});

describe('an endpoint that no route serves', () => {
  it.each(['/api/v1/nothing', '/api/v1/tags', '/api/v2/cases/1/pdf'])(
    '%s needs a key first',
    async (path) => {
      expect((await fetch(api.fabula().url + path)).status).toBe(401);
    },
  );

  it('that is known says why, and counts as a request', async () => {
    const { key } = await buildAccount(stores.db);
    const response = await fetch(`${api.fabula().url}/api/v2/cases/7/actions/batch`, {
      method: 'PUT',
      headers: { 'x-user-token': key },
    });
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        errors: [
          {
            message: 'PUT /api/v2/cases/:id/actions/batch is not supported here: send one request for each',
          },
        ],
      },
    ]);
    expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
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
