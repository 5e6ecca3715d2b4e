import { randomBytes } from 'node:crypto';
import { createCredentialCipher } from '../../src/data/credentials/keys/credential-cipher.js';
import { createCredentialService } from '../../src/data/credentials/credential-service.js';
import { createCredentialStore } from '../../src/data/credentials/credential-store.js';
import { rotateCredentials } from '../../src/data/credentials/keys/key-rotation.js';
import { buildAccount, buildTeam } from '../support/builders.js';
import { places, TIME, useManageApi } from '../support/manage-api.js';
import { runCli } from '../support/run-cli.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
/** Where the operator lets credentials hold keys of every kind; by default they do not (attack-03-connect-flow.test.ts). */
const api = useManageApi(stores, {
  queues: [],
  relay: false,
  env: { CREDENTIAL_KEYS_ABOVE_EDITOR: 'true' },
});
const CREDENTIALS = '/api/v1/credentials';

const admin = () => buildAccount(stores.db, { role: 'TEAM_ADMIN' });
/** What stories would see. */
const valuesOf = (teamId: number) => api.fabula().inner.credentialValues(teamId);
/** When the key was revoked. */
const revokedAt = async (id: number) => {
  const [row] = await stores.db.read((session) =>
    session.rows<{ at: Date | null }>('SELECT revoked_at AS at FROM api_keys WHERE id = ?', [id]),
  );
  return row!.at;
};

it.each([{ value: 'x' }, { mode: 'fabula', key: { kind: 'team', role: 'VIEWER' } }])(
  'an answer that is sent back changes nothing: %j',
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
    const answer = await api.call(key, `POST ${CREDENTIALS}`, body);
    expect([answer.status, places(answer)]).toEqual([422, wrong]);
  });
});

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

const service = (encryptionKey: Buffer, ...encryptionKeysPrevious: Buffer[]) =>
  createCredentialService({
    store: createCredentialStore(stores.db),
    encryptionKey,
    encryptionKeysPrevious,
  });

const fabula = (env: NodeJS.ProcessEnv) =>
  runCli(['credential', 'rotate-key', '--json'], { env: { DATABASE_URL: stores.databaseUrl, ...env } });

describe('a change of the encryption key', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const rotate = (...previous: Buffer[]) =>
    rotateCredentials(stores.db, createCredentialCipher(fresh, previous));

  async function storeSome(count: number): Promise<number> {
    const { id } = await buildTeam(stores.db);
    for (let index = 0; index < count; index++) await service(old).set(id, `c${index}`, `value ${index}`);
    return id;
  }

  it('encrypts all under the new key; values stay readable before, during and after', async () => {
    const teamId = await storeSome(205);
    await service(fresh, old).set(teamId, 'new', 'value new');
    const expected = await service(fresh, old).listValues(teamId);
    expect(expected).toHaveLength(206);
    expect(await rotate(old)).toEqual({ rotated: 205, current: 1, unreadable: [] });
    expect(await service(fresh, old).listValues(teamId)).toEqual(expected);
    expect(await service(fresh).listValues(teamId)).toEqual(expected);
    await expect(service(old).listValues(teamId)).rejects.toThrow('cannot be decrypted');
    expect(await rotate(old)).toEqual({ rotated: 0, current: 206, unreadable: [] });
  });

  it('goes on where it was broken off, and two at once do no harm', async () => {
    const teamId = await storeSome(30);
    const results = await Promise.all([rotate(old), rotate(old)]);
    expect(results.map(({ unreadable }) => unreadable)).toEqual([[], []]);
    expect(await service(fresh).listValues(teamId)).toHaveLength(30);
  });

  it('loses no value that is set meanwhile', async () => {
    const teamId = await storeSome(20);
    await Promise.all([rotate(old), service(fresh, old).set(teamId, 'c19', 'set meanwhile')]);
    expect((await service(fresh).listValues(teamId)).at(-1)).toMatchObject({
      name: 'c19',
      value: 'set meanwhile',
    });
  });

  it('names what no key opens, and leaves it as it is', async () => {
    const teamId = await storeSome(2);
    await service(randomBytes(32)).set(teamId, 'lost', 'x');
    const { rotated, unreadable } = await rotate(old);
    expect([rotated, unreadable]).toEqual([2, [{ id: expect.any(Number), teamId, name: 'lost' }]]);
  });

  describe('on the command line', () => {
    const keys = { ENCRYPTION_KEY: fresh.toString('hex'), ENCRYPTION_KEY_PREVIOUS: old.toString('hex') };

    it('takes both keys from the environment', async () => {
      const teamId = await storeSome(3);
      expect(await fabula(keys)).toEqual({ code: 0, out: '{"rotated":3,"current":0}\n', err: '' });
      expect(await service(fresh).listValues(teamId)).toHaveLength(3);
    });

    it('fails, and says so, when a value cannot be read, and never shows a key', async () => {
      await storeSome(1);
      const { code, err } = await fabula({ ENCRYPTION_KEY: keys.ENCRYPTION_KEY });
      expect([code, err]).toEqual([1, expect.stringContaining('"c0" of team')]);
      const wrong = await fabula({ ...keys, ENCRYPTION_KEY_PREVIOUS: `${keys.ENCRYPTION_KEY_PREVIOUS}0` });
      expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('64 hexadecimal digits')]);
      expect(wrong.err).not.toContain(keys.ENCRYPTION_KEY_PREVIOUS);
    });
  });

  it('reads what a release without key ids stored, under any of its keys', async () => {
    const identity = { teamId: 7, name: 'old' };
    const sealed = createCredentialCipher(old).encrypt('s3cret', identity);
    const first = Buffer.concat([Buffer.of(1), sealed.subarray(9)]);
    expect(createCredentialCipher(fresh, [old]).decrypt(first, identity)).toBe('s3cret');
    expect(() => createCredentialCipher(fresh).decrypt(first, identity)).toThrow('cannot be decrypted');
  });
});
