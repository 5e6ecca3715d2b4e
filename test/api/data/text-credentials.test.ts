import { buildAccount, buildTeam } from '../../support/builders.js';
import { places, TIME, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const CREDENTIALS = '/api/v1/credentials';

const admin = () => buildAccount(stores.db, { role: 'TEAM_ADMIN' });
/** The values that stories would see. */
const valuesOf = (teamId: number) => api.fabula().inner.credentialValues(teamId);

it.each([{ value: 'x' }, { mode: 'fabula', key: { kind: 'team', role: 'VIEWER' } }])(
  'a response that is sent back as a request changes nothing: %j',
  async (content) => {
    const { key, team, tenantId } = await buildAccount(stores.db, { owner: true });
    const other = await buildTeam(stores.db, { tenantId });
    const body = { name: 'Token', team_id: team.id, allowed_hosts: ['a.example'], ...content };
    const made = (await api.call(key, `POST ${CREDENTIALS}`, body)).body;
    const [before] = await valuesOf(team.id);
    const again = await api.call(key, `PUT ${CREDENTIALS}/${made.id}`, made);
    expect([again.status, again.body]).toEqual([200, { ...made, updated_at: TIME }]);
    expect(await valuesOf(team.id)).toEqual([before]);
    const moved = await api.call(key, `PUT ${CREDENTIALS}/${made.id}`, { team_id: other.id, mode: 'jwt' });
    expect([moved.status, places(moved)]).toEqual([422, ['team_id', 'mode']]);
  },
);

describe('credentials', () => {
  it('are made, given and listed without their value, key by key', async () => {
    const { key, team } = await admin();
    const body = { name: 'Jira token', value: 's3cret', description: 'For tickets' };
    const made = (await api.call(key, `POST ${CREDENTIALS}`, body)).body;
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Jira token',
      slug: 'jira_token',
      team_id: team.id,
      description: 'For tickets',
      allowed_hosts: [],
      unrestricted: true,
      mode: 'text',
      api_key_id: null,
      created_at: TIME,
      updated_at: TIME,
    });
    expect((await api.call(key, `GET ${CREDENTIALS}/${made.id}`)).body).toEqual(made);
    expect((await api.call(key, `GET ${CREDENTIALS}?team_id=${team.id}`)).body.credentials).toEqual([made]);
    expect(await valuesOf(team.id)).toEqual([{ name: 'Jira token', slug: 'jira_token', value: 's3cret' }]);
  });

  it('keep their value under another name, and take another value', async () => {
    const { key, team } = await admin();
    const { id } = (await api.call(key, `POST ${CREDENTIALS}`, { name: 'a', value: 'one' })).body;
    await api.call(key, `PUT ${CREDENTIALS}/${id}`, { name: 'B b' });
    expect(await valuesOf(team.id)).toEqual([{ name: 'B b', slug: 'b_b', value: 'one' }]);
    await api.call(key, `PATCH ${CREDENTIALS}/${id}`, { value: 'two' });
    expect(await valuesOf(team.id)).toEqual([{ name: 'B b', slug: 'b_b', value: 'two' }]);
    expect((await api.call(key, `DELETE ${CREDENTIALS}/${id}`)).status).toBe(204);
    expect((await api.call(key, `DELETE ${CREDENTIALS}/${id}`)).status).toBe(404);
    expect(await valuesOf(team.id)).toEqual([]);
  });

  it('have one name each in a team', async () => {
    const { key } = await admin();
    await api.call(key, `POST ${CREDENTIALS}`, { name: 'a', value: 'x' });
    const { id } = (await api.call(key, `POST ${CREDENTIALS}`, { name: 'b', value: 'x' })).body;
    expect((await api.call(key, `POST ${CREDENTIALS}`, { name: 'a', value: 'y' })).status).toBe(409);
    expect((await api.call(key, `PUT ${CREDENTIALS}/${id}`, { name: 'a' })).status).toBe(409);
  });

  it('are seen by the team, and managed by its TEAM_ADMINs alone', async () => {
    const boss = await admin();
    const editor = await buildAccount(stores.db, { team: boss.team, role: 'EDITOR' });
    const stranger = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const { id } = (await api.call(boss.key, `POST ${CREDENTIALS}`, { name: 'a', value: 'x' })).body;
    expect((await api.call(editor.key, `GET ${CREDENTIALS}/${id}`)).status).toBe(200);
    expect((await api.call(editor.key, `PUT ${CREDENTIALS}/${id}`, { value: 'y' })).status).toBe(403);
    expect((await api.call(editor.key, `DELETE ${CREDENTIALS}/${id}`)).status).toBe(403);
    expect((await api.call(editor.key, `POST ${CREDENTIALS}`, { name: 'b', value: 'x' })).status).toBe(403);
    for (const method of ['GET', 'DELETE']) {
      expect((await api.call(stranger.key, `${method} ${CREDENTIALS}/${id}`)).status).toBe(404);
    }
    expect((await api.call(null, `GET ${CREDENTIALS}`)).status).toBe(401);
  });

  it.each([
    [{ name: 'a' }, ['value']],
    [{ name: 'a', value: '' }, ['value']],
    [{ name: 'a', value: 'x', key: { kind: 'personal' } }, ['key']],
    [{ name: 'a', mode: 'fabula' }, ['key']],
    [{ name: 'a', mode: 'fabula', value: 'x' }, ['value', 'key']],
    [{ name: 'a', mode: 'oauth', value: 'x' }, ['mode']],
    [{ name: 'a', value: 'x', secret: 'y' }, ['secret']],
  ])('refuse %j without repeating a value', async (body, wrong) => {
    const { key } = await admin();
    const response = await api.call(key, `POST ${CREDENTIALS}`, body);
    expect([response.status, places(response)]).toEqual([422, wrong]);
  });
});
