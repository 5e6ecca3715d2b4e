import { buildAccount } from '../../support/builders.js';
import { places, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';

const stores = useStores({ ownDatabase: true });
/** By default a credential holds no key that may do more than an EDITOR. */
const ofDefaults = useManageApi(stores);
/** Here the operator lets credentials hold keys of every kind. */
const api = useManageApi(stores, {
  queues: [],
  relay: false,
  env: { CREDENTIAL_KEYS_ABOVE_EDITOR: 'true' },
});
const CREDENTIALS = '/api/v1/credentials';

const admin = () => buildAccount(stores.db, { role: 'TEAM_ADMIN' });
/** The values that stories would see. */
const valuesOf = (teamId: number) => api.fabula().inner.credentialValues(teamId);
/** The time at which the key was revoked. */
const revokedAt = async (id: number) => {
  const [row] = await stores.db.read((session) =>
    session.rows<{ at: Date | null }>('SELECT revoked_at AS at FROM api_keys WHERE id = ?', [id]),
  );
  return row!.at;
};

/** A credential with a key of this kind, made by an Owner, and a TEAM_ADMIN beside them. */
async function shared(kind: string) {
  const boss = await buildAccount(stores.db, { owner: true });
  const other = await buildAccount(stores.db, { team: boss.team, role: 'TEAM_ADMIN' });
  const key = kind === 'team' ? { kind, role: 'VIEWER' } : { kind };
  const body = { name: 'a', mode: 'fabula', key };
  const made = (await api.call(boss.key, `POST ${CREDENTIALS}`, body)).body;
  const [{ value } = { value: '' }] = await valuesOf(boss.team.id);
  const url = `${CREDENTIALS}/${made.id}`;
  return { boss, other, value, url, revoked: () => revokedAt(made.api_key_id) };
}

describe('the connect flow', () => {
  it('makes a team key and keeps it as a credential, in one step', async () => {
    const boss = await buildAccount(stores.db, { owner: true });
    const body = { name: 'Fabula', mode: 'fabula', key: { role: 'VIEWER', expires_at: '2099-01-01' } };
    const made = (await api.call(boss.key, `POST ${CREDENTIALS}`, body)).body;
    expect(made).toMatchObject({ mode: 'fabula', api_key_id: expect.any(Number) });
    const [{ value } = { value: '' }] = await valuesOf(boss.team.id);
    expect((await api.call(value, `GET ${CREDENTIALS}/${made.id}`)).status).toBe(200);
    expect((await api.call(value, 'POST /api/v1/folders', { name: 'F' })).status).toBe(403);
    const record = (await api.call(boss.key, `GET /api/v1/api_keys/${made.api_key_id}`)).body;
    expect(record).toMatchObject({
      kind: 'team',
      team_id: boss.team.id,
      name: 'Fabula',
      expires_at: '2099-01-01T00:00:00Z',
    });
    expect((await api.call(boss.key, `PUT ${CREDENTIALS}/${made.id}`, { value: 'x' })).status).toBe(422);
    await api.call(boss.key, `PUT ${CREDENTIALS}/${made.id}`, { name: 'Own' });
    expect(await valuesOf(boss.team.id)).toMatchObject([{ name: 'Own', value }]);
    expect((await api.call(boss.key, `DELETE ${CREDENTIALS}/${made.id}`)).status).toBe(204);
    expect((await api.call(value, 'GET /api/v1/teams')).status).toBe(401);
  });

  it('makes no key when the credential cannot be made, nor the other way round', async () => {
    const boss = await buildAccount(stores.db, { owner: true });
    await api.call(boss.key, `POST ${CREDENTIALS}`, { name: 'a', value: 'x' });
    const before = (await api.call(boss.key, 'GET /api/v1/api_keys')).body.meta.count;
    const body = { name: 'a', mode: 'fabula', key: { kind: 'tenant' } };
    expect((await api.call(boss.key, `POST ${CREDENTIALS}`, body)).status).toBe(409);
    expect((await api.call(boss.key, 'GET /api/v1/api_keys')).body.meta.count).toBe(before);
    expect((await api.call(boss.key, 'GET /api/v1/users')).body.meta.count).toBe(1);
  });

  it('gives a TEAM_ADMIN a personal key, but not what only Owners may make', async () => {
    const one = await admin();
    const make = (key: object) =>
      api.call(one.key, `POST ${CREDENTIALS}`, { name: 'a', mode: 'fabula', key });
    expect((await make({ role: 'VIEWER' })).status).toBe(403);
    expect((await make({ kind: 'tenant' })).status).toBe(403);
    expect((await make({ kind: 'personal' })).status).toBe(201);
    const [{ value } = { value: '' }] = await valuesOf(one.team.id);
    expect((await api.call(value, 'GET /api/v1/users/me')).body.id).toBe(one.user.id);
  });

  describe('ends a key, when its credential is deleted, only for those who may revoke it:', () => {
    it.each([
      ['personal', 'its user'],
      ['tenant', 'Owners'],
      ['team', 'Owners'],
    ])('one of the kind %s for %s', async (kind, who) => {
      const { boss, other, value, url } = await shared(kind);
      const refused = await api.call(other.key, `DELETE ${url}`);
      expect([refused.status, refused.body.errors[0].message]).toEqual([
        403,
        expect.stringMatching(new RegExp(`^Only ${who} can revoke`)),
      ]);
      expect((await api.call(value, `GET ${url}`)).status).toBe(200);
      expect((await api.call(boss.key, `DELETE ${url}`)).status).toBe(204);
      expect((await api.call(value, 'GET /api/v1/teams')).status).toBe(401);
      expect((await api.call(boss.key, `GET ${url}`)).status).toBe(404);
    });

    it('a personal one not for an Owner, before its user is gone, and then it is left as it is', async () => {
      const { boss, other } = await shared('team');
      const body = { name: 'b', mode: 'fabula', key: { kind: 'personal' } };
      const { id, api_key_id } = (await api.call(other.key, `POST ${CREDENTIALS}`, body)).body;
      const remove = async () => (await api.call(boss.key, `DELETE ${CREDENTIALS}/${id}`)).status;
      expect(await remove()).toBe(403);
      await api.call(boss.key, `DELETE /api/v1/users/${other.user.id}`);
      expect(await remove()).toBe(204);
      expect(await revokedAt(api_key_id)).toBeNull();
    });

    it.each(['revoked_at = NOW(3)', 'expires_at = NOW(3) - INTERVAL 1 SECOND'])(
      'but one that works no more (%s) keeps no TEAM_ADMIN from deleting it',
      async (change) => {
        const { other, url } = await shared('tenant');
        await stores.sql(`UPDATE api_keys SET ${change} WHERE kind = 'tenant'`);
        expect((await api.call(other.key, `DELETE ${url}`)).status).toBe(204);
      },
    );

    it('not where the credential stays, because it could not be deleted', async () => {
      const { boss, value, url, revoked } = await shared('team');
      await stores.sql(
        "CREATE TRIGGER keep_credentials BEFORE DELETE ON credentials FOR EACH ROW SIGNAL SQLSTATE '45000'",
      );
      try {
        expect((await api.call(boss.key, `DELETE ${url}`)).status).toBe(500);
      } finally {
        await stores.sql('DROP TRIGGER keep_credentials');
      }
      expect(await revoked()).toBeNull();
      expect((await api.call(value, `GET ${url}`)).status).toBe(200);
    });
  });
});

describe('the connect flow by default', () => {
  it.each([
    ['a key of the tenant', { kind: 'tenant' }, 'key.kind'],
    ['a personal key', { kind: 'personal' }, 'key.kind'],
    ['a key of a TEAM_ADMIN', { kind: 'team', role: 'TEAM_ADMIN' }, 'key.role'],
  ])('keeps no key above an EDITOR where stories reach it: %s', async (_what, key, place) => {
    const boss = await buildAccount(stores.db, { owner: true });
    const response = await ofDefaults.call(boss.key, `POST ${CREDENTIALS}`, {
      name: 'own',
      mode: 'fabula',
      key,
    });
    expect([response.status, places(response)]).toEqual([422, [place]]);
    expect(response.body.errors[0].message).toContain(
      'every editor of the team’s stories would get its permissions',
    );
    expect(await stores.sql('SELECT id FROM credentials')).toEqual([]);
  });

  it.each(['EDITOR', 'VIEWER'])('keeps a key of the team with the role %s', async (role) => {
    const boss = await buildAccount(stores.db, { owner: true });
    const response = await ofDefaults.call(boss.key, `POST ${CREDENTIALS}`, {
      name: 'own',
      mode: 'fabula',
      key: { role },
    });
    expect(response.status).toBe(201);
  });
});
