import { buildAccount } from '../support/builders.js';
import { places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const CREDENTIALS = 'POST /api/v1/credentials';

test.each([
  ['a key of the tenant', { kind: 'tenant' }, 'key.kind'],
  ['a personal key', { kind: 'personal' }, 'key.kind'],
  ['a key of a TEAM_ADMIN', { kind: 'team', role: 'TEAM_ADMIN' }, 'key.role'],
])(
  'attack 3 the connect flow keeps no key above an EDITOR where stories reach it: %s',
  async (_what, key, place) => {
    const boss = await buildAccount(stores.db, { owner: true });
    const answer = await api.call(boss.key, CREDENTIALS, { name: 'own', mode: 'fabula', key });
    expect([answer.status, places(answer)]).toEqual([422, [place]]);
    expect(answer.body.errors[0].message).toContain(
      'every editor of the team’s stories would get its permissions',
    );
    expect(await stores.sql('SELECT id FROM credentials')).toEqual([]);
  },
);

test.each(['EDITOR', 'VIEWER'])(
  'attack 3 the connect flow keeps a key of the team with the role %s',
  async (role) => {
    const boss = await buildAccount(stores.db, { owner: true });
    const answer = await api.call(boss.key, CREDENTIALS, { name: 'own', mode: 'fabula', key: { role } });
    expect(answer.status).toBe(201);
  },
);
