import { type Account, buildAccount, buildMembership, buildTeam } from '../../support/builders.js';
import { startFabula } from '../../support/fabula.js';
import { ask, givePassword, OWN, PASSWORD, signInByLink, signInPerson } from '../../support/people.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
/** Webhooks are told to be there; this server listens on a free port all the same. */
const PORT = '4999';
const fabula = useFabula(stores, { queues: [], relay: false, env: { PORT, ADMIN_PORT: '0' } });
let boss: Account;
let ada: Account;
let url: string;
let cookie: string;

beforeEach(async () => {
  url = fabula.adminUrl;
  boss = fabula.account;
  ada = await buildAccount(stores.db, { team: boss.team, role: 'EDITOR' });
  cookie = await signInPerson(url, { api_key: ada.key });
});

const statusOf = async (request: string, given: Parameters<typeof ask>[2] = {}) =>
  (await ask(url, request, { cookie, ...given })).status;

/** What a page sends that was loaded for this user. */
const of = (id: number) => ({ headers: { ...OWN, 'X-Fabula-User': String(id) } });

describe('a session', () => {
  it.each([
    ['is idle for too long', 'last_seen_at = NOW(3) - INTERVAL 12 HOUR'],
    ['is too old', 'expires_at = NOW(3)'],
  ])('ends when it %s', async (_what, change) => {
    expect(await statusOf('GET /session')).toBe(200);
    await stores.sql(`UPDATE console_sessions SET ${change}`, []);
    expect(await statusOf('GET /session')).toBe(401);
    expect(await statusOf('GET /api/v1/users/me')).toBe(401);
  });

  it('reads addresses of webhooks with their own port, not with that of the console', async () => {
    const { meta } = (await ask(url, 'GET /api/v1/teams', { cookie })).body;
    expect(meta.current_page).toMatch(`http://127.0.0.1:${PORT}/api/v1/teams`);
  });

  it('tells what its person may do in each team, and an Owner in all of them', async () => {
    const other = await buildTeam(stores.db, { tenantId: boss.tenantId, name: 'Blue Team, 2nd' });
    await buildMembership(stores.db, { teamId: other.id, userId: ada.user.id, role: 'VIEWER' });
    const rightsIn = async (of: string) => (await ask(url, 'GET /session', { cookie: of })).body.teams;
    expect(await rightsIn(cookie)).toMatchObject([
      { id: boss.team.id, role: 'EDITOR', rights: ['read', 'write'] },
      { id: other.id, role: 'VIEWER', rights: ['read'], slug: 'blue_team_2nd' },
    ]);
    const all = { role: 'TEAM_ADMIN', rights: ['read', 'write', 'manage'] };
    expect(await rightsIn(await signInPerson(url, { api_key: boss.key }))).toMatchObject([
      { id: boss.team.id, ...all },
      { id: other.id, ...all },
    ]);
  });

  it('ends with a sign-out, in every process', async () => {
    expect(await statusOf('DELETE /session')).toBe(204);
    expect(await statusOf('GET /api/v1/users/me')).toBe(401);
    expect(await statusOf('DELETE /session')).toBe(204);
  });

  it('is refused to a page that was loaded for somebody else, which may ask who is signed in', async () => {
    const body = { name: 'x', kind: 'personal' };
    for (const request of [
      'GET /api/v1/users/me',
      'GET /session/all',
      'DELETE /session/all',
      'DELETE /session',
    ]) {
      expect(await statusOf(request, of(boss.user.id))).toBe(401);
    }
    const refused = await ask(url, 'POST /api/v1/api_keys', { cookie, body, ...of(boss.user.id) });
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      401,
      `This page was loaded for another user. ${ada.user.email} is signed in now`,
    ]);
    expect((await ask(url, 'GET /session', { cookie, ...of(boss.user.id) })).body.user.id).toBe(ada.user.id);
    expect(await statusOf('POST /api/v1/api_keys', { body, ...of(ada.user.id) })).toBe(201);
    expect(await statusOf('DELETE /session', of(ada.user.id))).toBe(204);
  });

  it('ends when its user is deactivated, and stays ended', async () => {
    await fabula.api('DELETE', `/api/v1/users/${ada.user.id}`);
    expect(await statusOf('GET /session')).toBe(401);
    await fabula.api('PUT', `/api/v1/users/${ada.user.id}`, { active: true });
    expect(await statusOf('GET /session')).toBe(401);
  });

  it('is refused for a change without the console’s header, or from another origin', async () => {
    const body = { name: 'x', kind: 'personal' };
    const change = (headers: Record<string, string>) => statusOf('POST /api/v1/api_keys', { body, headers });
    expect(await change({})).toBe(403);
    expect(await change({ 'X-Fabula-Console': '1', 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await change({ 'X-Fabula-Console': '1', Origin: 'http://evil.example' })).toBe(403);
    for (const request of ['DELETE /session', 'DELETE /session/all', 'DELETE /session/all/1']) {
      expect(await statusOf(request, { headers: {} })).toBe(403);
      expect(await statusOf(request, { headers: { ...OWN, Origin: 'http://evil.example' } })).toBe(403);
    }
    const foreign = { Origin: 'http://evil.example' };
    expect(await statusOf('POST /session', { body: { api_key: ada.key }, headers: foreign })).toBe(403);
    expect(await change(OWN)).toBe(201);
  });

  it('is worth nothing where tenants serve, and an API key works on both origins', async () => {
    expect((await fetch(`${fabula.url}/api/v1/users/me`, { headers: { cookie } })).status).toBe(401);
    expect((await fetch(`${fabula.url}/session`, { headers: { cookie } })).status).toBe(404);
    const headers = { 'x-user-token': ada.key };
    expect((await fetch(`${url}/api/v1/users/me`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/api/v1/users/me`)).status).toBe(401);
    expect((await fetch(`${url}/api/v1/none`, { headers: { cookie } })).status).toBe(404);
  });

  it('makes, lists and revokes keys, shown once, and the audit log tells of the console', async () => {
    const made = await ask(url, 'POST /api/v1/api_keys', {
      cookie,
      body: { name: 'mine', kind: 'personal' },
    });
    expect(made.body.key).toMatch(/^fab_/);
    const list = await ask(url, 'GET /api/v1/api_keys', { cookie });
    expect(JSON.stringify(list.body)).not.toContain(made.body.key);
    expect(await statusOf(`DELETE /api/v1/api_keys/${made.body.id}`)).toBe(204);
    const bossCookie = await signInPerson(url, { api_key: boss.key });
    const { body } = await ask(url, `GET /api/v1/audit_logs?user_id=${ada.user.id}`, { cookie: bossCookie });
    const told = body.audit_logs.map((entry: Record<string, unknown>) => [
      entry['operation_name'],
      entry['source'],
      entry['key_id'],
      entry['user_email'],
    ]);
    expect(told).toEqual(
      ['api_key.revoke', 'api_key.create', 'session.create'].map((action) => [
        action,
        'CONSOLE',
        null,
        ada.user.email,
      ]),
    );
  });

  it('is counted by itself', async () => {
    const strict = await startFabula(stores, {
      queues: [],
      relay: false,
      env: { RATE_LIMIT_PER_MINUTE: '2', RATE_LIMIT_USER_PER_MINUTE: '0', RATE_LIMIT_TENANT_PER_MINUTE: '0' },
    });
    const [one, other] = [
      await signInPerson(strict.adminUrl, { api_key: ada.key }),
      await signInPerson(strict.adminUrl, { api_key: ada.key }),
    ];
    const call = async (of: string) =>
      (await ask(strict.adminUrl, 'GET /api/v1/users/me', { cookie: of })).status;
    expect([await call(one), await call(one), await call(one), await call(other)]).toEqual([
      200, 200, 429, 200,
    ]);
    await strict.close();
  });
});

describe('the list of sessions', () => {
  it('shows the own ones, and ends them', async () => {
    const other = await signInPerson(url, { api_key: ada.key });
    const { body } = await ask(url, 'GET /session/all', { cookie });
    expect(body.sessions).toHaveLength(2);
    const [newest, oldest] = body.sessions as { id: number; current: boolean }[];
    expect([newest?.current, oldest?.current]).toEqual([false, true]);
    expect(newest).toMatchObject({ method: 'api_key', address: expect.stringContaining('127.0.0.1') });
    expect(await statusOf(`DELETE /session/all/${newest?.id}`)).toBe(204);
    expect((await ask(url, 'GET /session', { cookie: other })).status).toBe(401);
    expect(await statusOf('GET /session')).toBe(200);
    for (const id of ['0', 'x', '99999999', String(newest?.id)])
      expect(await statusOf(`DELETE /session/all/${id}`)).toBe(404);
  });

  it('ends all others', async () => {
    const others = [
      await signInPerson(url, { api_key: ada.key }),
      await signInPerson(url, { api_key: ada.key }),
    ];
    expect((await ask(url, 'DELETE /session/all', { cookie })).body).toEqual({ ended: 2 });
    for (const other of others) expect((await ask(url, 'GET /session', { cookie: other })).status).toBe(401);
    expect(await statusOf('GET /session')).toBe(200);
  });

  it('lets an Owner end those of the tenant’s users, and nobody else', async () => {
    const bossCookie = await signInPerson(url, { api_key: boss.key });
    const stranger = await buildAccount(stores.db, { owner: true });
    const strangerCookie = await signInPerson(url, { api_key: stranger.key });
    const mine = `GET /session/all?user_id=${ada.user.id}`;
    const [{ id } = { id: 0 }] = (await ask(url, mine, { cookie: bossCookie })).body.sessions as {
      id: number;
    }[];
    const theirs = await ask(url, `GET /session/all?user_id=${boss.user.id}`, { cookie });
    expect(theirs.status).toBe(403);
    expect((await ask(url, mine, { cookie: strangerCookie })).body).toEqual({ sessions: [] });
    expect((await ask(url, `DELETE /session/all/${id}`, { cookie: strangerCookie })).status).toBe(404);
    const ended = await ask(url, `DELETE /session/all?user_id=${ada.user.id}`, { cookie: strangerCookie });
    expect(ended.body).toEqual({ ended: 0 });
    expect(await statusOf('GET /session')).toBe(200);
    expect((await ask(url, `DELETE /session/all/${id}`, { cookie: bossCookie })).status).toBe(204);
    expect(await statusOf('GET /session')).toBe(401);
  });
});

describe('the board', () => {
  const board = () => ask(url, 'GET /admin/queues/api/queues', { cookie: bossCookie, headers: {} });
  let bossCookie: string;

  it('opens for an Owner where there is one tenant, and for nobody else', async () => {
    bossCookie = await signInPerson(url, { api_key: boss.key });
    expect((await board()).status).toBe(200);
    expect((await ask(url, 'GET /session', { cookie: bossCookie })).body.board_path).toBe('/admin/queues');
    expect((await ask(url, 'GET /admin/queues', { cookie, headers: {} })).status).toBe(401);
    expect((await ask(url, 'GET /session', { cookie })).body.board_path).toBeNull();
  });

  it('shows no Owner the work of other tenants', async () => {
    await buildAccount(stores.db, { owner: true });
    bossCookie = await signInPerson(url, { api_key: boss.key });
    expect((await board()).status).toBe(401);
  });
});

describe('a password', () => {
  it('is set without a current one, changed with it, and ends the other sessions', async () => {
    const other = await signInPerson(url, { api_key: ada.key });
    const byLink = await signInByLink(stores, url, ada.user.id);
    const set = (body: object) => ask(url, 'POST /session/password', { cookie: byLink, body });
    expect((await set({ password: 'too short' })).status).toBe(422);
    expect((await set({ password: PASSWORD })).status).toBe(200);
    expect((await ask(url, 'GET /session', { cookie: other })).status).toBe(401);
    expect((await set({ password: 'another password' })).body.errors[0].details).toBe('current_password');
    const wrong = await set({ current_password: 'wrong password', password: 'another password' });
    expect([wrong.status, wrong.body.errors[0].details]).toEqual([422, 'current_password']);
    expect((await set({ current_password: PASSWORD, password: 'another password' })).status).toBe(200);
    await signInPerson(url, { email: ada.user.email, password: 'another password' });
    const old = await ask(url, 'POST /session', { body: { email: ada.user.email, password: PASSWORD } });
    expect(old.status).toBe(401);
  });

  it('needs a session', async () => {
    await givePassword(stores, ada.user.id);
    const body = { current_password: PASSWORD, password: 'another password' };
    expect((await ask(url, 'POST /session/password', { body })).status).toBe(401);
    expect(await statusOf('POST /session/password', { body, headers: {} })).toBe(403);
  });
});
