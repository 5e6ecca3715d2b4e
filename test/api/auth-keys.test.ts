import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import Joi from 'joi';
import { createActorStore } from '../../src/api/auth/actor-store.js';
import { apiKeyDigest, looksLikeApiKey, newApiKey, visiblePrefix } from '../../src/api/auth/api-key.js';
import { createAuthenticator, keyFrom } from '../../src/api/auth/authenticator.js';
import { type AnyRoute, defineRoute } from '../../src/api/route.js';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  buildAccount,
  buildKey,
  buildMembership,
  buildTeam,
  buildTenant,
  tenancyOf,
} from '../support/builders.js';
import { recordingLogger } from '../support/recording-logger.js';
import { useStores } from '../support/stores.js';
import { eventually } from '../support/eventually.js';

const routes: AnyRoute<null>[] = [
  defineRoute<unknown, unknown, unknown, null>({
    method: 'get',
    path: '/api/v1/me',
    summary: 'Tells who is asking',
    handle: ({ actor }) => ({ ...actor, roles: [...actor.roles] }),
  }),
];

describe('an API key', () => {
  it('is recognisable, long and never the same', () => {
    const keys = Array.from({ length: 100 }, newApiKey);
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^fab_[A-Za-z0-9_-]{43}$/);
    expect(keys.every(looksLikeApiKey)).toBe(true);
  });

  it('is stored as its SHA-256 digest, with a prefix that gives little away', () => {
    expect(apiKeyDigest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(visiblePrefix('fab_1234567890abcdef')).toBe('fab_123456');
  });

  it.each([
    [{ userToken: 'K', authorization: undefined }, 'K'],
    [{ userToken: undefined, authorization: 'Bearer K' }, 'K'],
    [{ userToken: undefined, authorization: 'bearer  K ' }, 'K'],
    [{ userToken: 'K', authorization: 'Bearer other' }, 'K'],
    [{ userToken: '', authorization: 'Bearer K' }, 'K'],
    [{ userToken: undefined, authorization: 'Basic K' }, undefined],
    [{ userToken: undefined, authorization: 'Bearer' }, undefined],
    [{ userToken: undefined, authorization: undefined }, undefined],
  ])('is read from %j', (headers, expected) => {
    expect(keyFrom(headers)).toBe(expected);
  });
});

describe('authentication', () => {
  const stores = useStores();
  let app: TestApp;
  const log = recordingLogger();

  beforeAll(async () => {
    const authenticator = createAuthenticator({ actors: createActorStore(stores.db), logger: log.logger });
    app = await startTestApp(stores, { routes, services: null, authenticator, logger: log.logger });
  });
  beforeEach(() => log.clear());

  async function me(headers: Record<string, string>) {
    const response = await fetch(`${app.url}/api/v1/me`, { headers });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  }

  it('takes X-User-Token and Authorization: Bearer, and does not look at x-user-email', async () => {
    const { key, user } = await buildAccount(stores.db);
    expect((await me({ 'X-User-Token': key })).body).toMatchObject({ userId: user.id });
    const bearer = await me({ Authorization: `Bearer ${key}`, 'x-user-email': 'someone.else@example.test' });
    expect(bearer).toMatchObject({ status: 200, body: { userId: user.id, userEmail: user.email } });
  });

  it.each([
    ['no key', {}],
    ['a key of another form', { 'X-User-Token': 'secret' }],
    ['an unknown key', { 'X-User-Token': newApiKey() }],
    ['a key in Basic', { Authorization: `Basic ${newApiKey()}` }],
  ])('with %s is 401 and says how to do it', async (_what, headers) => {
    const response = await me(headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.body).toEqual({ errors: [{ message: 'A valid API key is required' }] });
  });

  it('of a revoked key is 401 from the next request on', async () => {
    const { key, keyId, tenantId } = await buildAccount(stores.db);
    expect((await me({ 'X-User-Token': key })).status).toBe(200);
    await tenancyOf(stores.db).keys.revokeKey({ tenantId, keyId });
    expect((await me({ 'X-User-Token': key })).status).toBe(401);
  });

  describe('before and after a body that came slowly', () => {
    let asked = 0;
    let served = 0;
    const start = (keyHoldsMs?: number) => {
      const known = createAuthenticator({
        actors: createActorStore(stores.db),
        logger: log.logger,
      });
      return startTestApp(stores, {
        routes: [
          defineRoute<unknown, unknown, unknown, null>({
            method: 'post',
            path: '/api/v1/teams',
            summary: 'Counts calls',
            body: Joi.object(),
            handle: ({ actor }) => ({ roles: [...actor.roles], served: (served += 1) }),
          }),
        ],
        services: null,
        authenticator: { authenticate: (headers) => ((asked += 1), known.authenticate(headers)) },
        ...(keyHoldsMs !== undefined && { keyHoldsMs }),
      });
    };
    beforeEach(() => (asked = served = 0));

    /** Sends the first half of a body, does `between` when the key was looked at, and sends the rest. */
    async function postInHalves(url: string, key: string, between: () => Promise<unknown>) {
      const sending = http.request(`${url}/api/v1/teams`, {
        method: 'POST',
        headers: { 'x-user-token': key, 'content-type': 'application/json', 'content-length': 7 },
      });
      const answered = once(sending, 'response') as Promise<[http.IncomingMessage]>;
      sending.write('{"a"');
      await eventually(() => asked === 1);
      await between();
      sending.end(':1}');
      const [response] = await answered;
      return { status: response.statusCode, body: await json(response) };
    }

    it('is 401 when the key was revoked meanwhile, and nothing is done', async () => {
      const app = await start(0);
      const { key, keyId, tenantId } = await buildAccount(stores.db);
      const revoke = () => tenancyOf(stores.db).keys.revokeKey({ tenantId, keyId });
      expect((await postInHalves(app.url, key, revoke)).status).toBe(401);
      expect([asked, served]).toEqual([2, 0]);
    });

    it('goes by the roles of now', async () => {
      const app = await start(0);
      const { key, user, team } = await buildAccount(stores.db, { role: 'EDITOR' });
      const demote = () => stores.sql("UPDATE memberships SET role = 'VIEWER' WHERE user_id = ?", [user.id]);
      expect((await postInHalves(app.url, key, demote)).body).toEqual({
        roles: [[team.id, 'VIEWER']],
        served: 1,
      });
    });

    it('is done once for a body that comes at once', async () => {
      const app = await start();
      const { key } = await buildAccount(stores.db);
      const response = await fetch(`${app.url}/api/v1/teams`, {
        method: 'POST',
        headers: { 'x-user-token': key, 'content-type': 'application/json' },
        body: '{}',
      });
      expect([response.status, asked]).toEqual([200, 1]);
    });
  });

  it('of an expired key is 401', async () => {
    const { key, keyId } = await buildAccount(stores.db);
    const expire = (when: string) =>
      stores.sql(`UPDATE api_keys SET expires_at = ${when} WHERE id = ?`, [keyId]);
    await expire('NOW(3) + INTERVAL 1 MINUTE');
    expect((await me({ 'X-User-Token': key })).status).toBe(200);
    await expire('NOW(3) - INTERVAL 1 SECOND');
    expect((await me({ 'X-User-Token': key })).status).toBe(401);
  });

  it('without a body being read first: a stranger cannot make the server parse anything', async () => {
    const response = await fetch(`${app.url}/api/v1/me`, { method: 'DELETE' });
    expect(response.status).toBe(401);
    expect((await me({ 'content-type': 'application/json' })).status).toBe(401);
  });

  it('gives a user the roles of its own teams', async () => {
    const { key, user, team, tenantId, keyId } = await buildAccount(stores.db, { role: 'VIEWER' });
    const second = await buildTeam(stores.db, { tenantId });
    await buildTeam(stores.db, { tenantId });
    await buildMembership(stores.db, { teamId: second.id, userId: user.id, role: 'TEAM_ADMIN' });
    expect((await me({ 'X-User-Token': key })).body).toEqual({
      keyId,
      kind: 'personal',
      tenantId,
      userId: user.id,
      userEmail: user.email,
      isOwner: false,
      roles: [
        [team.id, 'VIEWER'],
        [second.id, 'TEAM_ADMIN'],
      ],
    });
  });

  it('gives an Owner every team of the tenant, its own first, and none of another tenant', async () => {
    const tenant = await buildTenant(stores.db);
    const other = await buildTeam(stores.db, { tenantId: tenant.id });
    await buildTeam(stores.db);
    const { key, team } = await buildAccount(stores.db, { tenantId: tenant.id, owner: true, role: 'VIEWER' });
    expect((await me({ 'X-User-Token': key })).body).toMatchObject({
      isOwner: true,
      roles: [
        [team.id, 'TEAM_ADMIN'],
        [other.id, 'TEAM_ADMIN'],
      ],
    });
  });

  it('sees a team that has just been made', async () => {
    const { key, tenantId } = await buildAccount(stores.db, { owner: true });
    await me({ 'X-User-Token': key });
    const team = await buildTeam(stores.db, { tenantId });
    expect((await me({ 'X-User-Token': key })).body['roles']).toContainEqual([team.id, 'TEAM_ADMIN']);
  });

  it('of a tenant key acts as a service account with Owner rights', async () => {
    const team = await buildTeam(stores.db);
    const { key, record } = await buildKey(stores.db, { tenantId: team.tenantId, kind: 'tenant' });
    expect((await me({ 'X-User-Token': key })).body).toMatchObject({
      kind: 'tenant',
      userId: record.userId,
      userEmail: expect.stringMatching(/^service\+[0-9a-f]+@/),
      isOwner: true,
      roles: [[team.id, 'TEAM_ADMIN']],
    });
  });

  it('of a team key acts in that team only, in its role', async () => {
    const team = await buildTeam(stores.db);
    const other = await buildTeam(stores.db, { tenantId: team.tenantId });
    const { key, record } = await buildKey(stores.db, {
      tenantId: team.tenantId,
      kind: 'team',
      teamId: team.id,
      role: 'EDITOR',
    });
    await buildMembership(stores.db, { teamId: other.id, userId: record.userId, role: 'EDITOR' });
    expect((await me({ 'X-User-Token': key })).body).toMatchObject({
      kind: 'team',
      isOwner: false,
      keyTeamId: team.id,
      roles: [[team.id, 'EDITOR']],
    });
  });

  it('looks keys that come together up together, each for itself', async () => {
    const owner = await buildAccount(stores.db, { owner: true });
    await buildTeam(stores.db, { tenantId: owner.tenantId });
    const accounts = [
      owner,
      await buildAccount(stores.db, { tenantId: owner.tenantId, role: 'VIEWER' }),
      await buildAccount(stores.db),
    ];
    const gone = await buildAccount(stores.db);
    await tenancyOf(stores.db).keys.revokeKey(gone);
    let reads = 0;
    const read: typeof stores.db.read = (work) => ((reads += 1), stores.db.read(work));
    const actors = createActorStore({ read });
    const keys = [...accounts.map(({ key }) => key), owner.key, gone.key, newApiKey()];
    const found = await Promise.all(keys.map((key) => actors.findByDigest(apiKeyDigest(key))));
    expect(reads).toBe(1);
    const alone = await Promise.all(
      accounts.map(async ({ user, keyId }) => ({ ...(await actors.findByUser(user.id)), keyId })),
    );
    expect(found).toEqual([...alone, alone[0], undefined, undefined]);
    expect(found.map((actor) => actor?.roles.size)).toEqual([3, 1, 1, 3, undefined, undefined]);
  });

  it('looks a key up while the look-up of those before it hangs', async () => {
    const { key, user } = await buildAccount(stores.db);
    let reads = 0;
    let goOn!: () => void;
    const hanging = new Promise<void>((resolve) => (goOn = resolve));
    const read: typeof stores.db.read = async (work) => {
      if ((reads += 1) === 1) await hanging;
      return stores.db.read(work);
    };
    const actors = createActorStore({ read });
    const first = actors.findByDigest(apiKeyDigest(key));
    await eventually(() => reads === 1);
    expect(await actors.findByDigest(apiKeyDigest(key))).toMatchObject({ userId: user.id });
    goOn();
    expect(await first).toMatchObject({ userId: user.id });
  });

  it('notes when a key was used, once a minute', async () => {
    const { key, keyId, tenantId } = await buildAccount(stores.db);
    const lastUsed = async () =>
      (await tenancyOf(stores.db).keys.listKeys(tenantId)).find((record) => record.id === keyId)
        ?.lastUsedAt ?? null;
    expect(await lastUsed()).toBeNull();
    await me({ 'X-User-Token': key });
    const first = await eventually(lastUsed);
    await createActorStore(stores.db).touch(keyId);
    expect(await lastUsed()).toEqual(first);
    await stores.sql('UPDATE api_keys SET last_used_at = NOW(3) - INTERVAL 2 MINUTE WHERE id = ?', [keyId]);
    await createActorStore(stores.db).touch(keyId);
    expect((await lastUsed())?.getTime()).toBeGreaterThanOrEqual(first.getTime());
  });

  it('goes on when the use of a key cannot be noted, and says so in the log', async () => {
    const { key } = await buildAccount(stores.db);
    const actors = { ...createActorStore(stores.db), touch: () => Promise.reject(new Error('read only')) };
    const authenticator = createAuthenticator({ actors, logger: log.logger });
    await authenticator.authenticate({ userToken: key, authorization: undefined });
    const line = await eventually(() => log.lines().find(({ level }) => level === 'warn'));
    expect(line).toMatchObject({ error: 'read only' });
  });

  it('writes who asked in the request’s log line, and never the key', async () => {
    const { key, user, tenantId, keyId } = await buildAccount(stores.db);
    await fetch(`${app.url}/api/v1/me?x=1`, { headers: { Authorization: `Bearer ${key}` } });
    const line = await eventually(() => log.lines().find(({ message }) => message === 'request'));
    expect(line).toMatchObject({
      method: 'GET',
      route: '/api/v1/me',
      path: '/api/v1/me',
      status: 422,
      tenant_id: tenantId,
      user_id: user.id,
      key_id: keyId,
      aborted: false,
    });
    expect(line['duration_ms']).toEqual(expect.any(Number));
    expect(JSON.stringify(log.lines())).not.toContain(key);
  });
});
