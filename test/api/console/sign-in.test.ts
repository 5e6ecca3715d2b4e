import { type Account, buildAccount, buildKey } from '../../support/builders.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import { ask, givePassword, makeLink, OWN, PASSWORD, signInPerson } from '../../support/people.js';
import { postFrom } from '../../support/from-address.js';
import { runCli } from '../../support/run-cli.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let fabula: TestFabula;
let ada: Account;
let url: string;

beforeEach(async () => {
  fabula = await startFabula(stores, { queues: [], relay: false });
  url = fabula.adminUrl;
  ada = await buildAccount(stores.db, { owner: true });
  await givePassword(stores, ada.user.id);
});
afterEach(() => fabula.close());

const proofOf = ({ user }: Account, password = PASSWORD) => ({ email: user.email, password });

describe('a person signs in', () => {
  it('with address and password, and acts as itself', async () => {
    const response = await ask(url, 'POST /session', { body: proofOf(ada) });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      user: { id: ada.user.id, email: ada.user.email, role: 'OWNER', is_owner: true, has_password: true },
      tenant: { id: ada.tenantId },
      teams: [{ id: ada.team.id, role: 'TEAM_ADMIN', rights: ['read', 'write', 'manage'] }],
      method: 'password',
    });
    expect((await ask(url, 'GET /session', { cookie: response.cookie })).body).toEqual(response.body);
    const me = await ask(url, 'GET /api/v1/users/me', { cookie: response.cookie });
    expect([me.status, me.body.id]).toEqual([200, ada.user.id]);
  });

  it('with a personal key, and the session ends with the key', async () => {
    const cookie = await signInPerson(url, { api_key: ada.key });
    expect((await ask(url, 'GET /session', { cookie })).body).toMatchObject({ method: 'api_key' });
    await stores.sql('UPDATE api_keys SET revoked_at = NOW(3) WHERE id = ?', [ada.keyId]);
    expect((await ask(url, 'GET /session', { cookie })).status).toBe(401);
  });

  it('not with a key that is nobody’s, nor with an unknown one', async () => {
    const { key } = await buildKey(stores.db, { tenantId: ada.tenantId });
    expect((await ask(url, 'POST /session', { body: { api_key: key } })).status).toBe(403);
    const unknown = `fab_${'x'.repeat(43)}`;
    const response = await ask(url, 'POST /session', { body: { api_key: unknown } });
    expect([response.status, response.cookie]).toEqual([401, '']);
  });

  it.each([
    ['a wrong password', () => proofOf(ada, 'wrong horse battery')],
    ['an unknown address', () => ({ email: 'nobody@example.test', password: PASSWORD })],
    ['the address of somebody without a password', () => proofOf(fabula.account)],
  ])('not with %s, and all are refused alike', async (_what, proof) => {
    const response = await ask(url, 'POST /session', { body: proof() });
    expect([response.status, response.cookie, response.headers.get('www-authenticate')]).toEqual([
      401,
      '',
      null,
    ]);
    expect(response.body).toEqual({ errors: [{ message: 'Wrong address or password' }] });
  });

  it('is told all faults of a request at once', async () => {
    const response = await ask(url, 'POST /session', { body: { email: 5, password: 6, more: 7 } });
    expect(response.status).toBe(422);
    expect(response.body.errors.map(({ details }: { details: string }) => details)).toEqual([
      'email',
      'password',
      'more',
    ]);
    for (const body of [{}, { email: 'a' }, { email: 'a', password: 'b', api_key: 'c' }]) {
      expect((await ask(url, 'POST /session', { body })).status).toBe(422);
    }
  });

  it('is not let in after many wrong passwords, but by the right one', async () => {
    const guess = async () =>
      (await ask(url, 'POST /session', { body: proofOf(ada, 'wrong'.repeat(3)) })).status;
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt += 1) statuses.push(await guess());
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    expect((await ask(url, 'POST /session', { body: proofOf(ada) })).status).toBe(201);
  });

  it('S13: with every spelling of an address, known or not, the responses are the same', async () => {
    const [name = '', domain = ''] = ada.user.email.split('@');
    const spelled = (own: string) => [
      `${own}@${domain}`,
      `${own.toUpperCase()}@${domain}`,
      `${own.replace(/[aeiou]/, (vowel) => `${vowel}\u0301`)}@${domain}`,
      `${own}@${domain}\0`,
      `\u200b${own}@${domain}`,
    ];
    const responsesTo = async (own: string, first: number) => {
      const responses = [];
      for (let guess = 0; guess < 15; guess += 1) {
        const email = spelled(own)[guess % 5] ?? '';
        const body = { email, password: 'wrong horse battery' };
        const response = await postFrom(`127.0.${first + guess}.1`, `${url}/session`, { body });
        responses.push([response.status, response.body]);
      }
      return responses;
    };
    expect(await responsesTo(name, 10)).toEqual(await responsesTo('nobody', 40));
    for (const [index, email] of spelled(name).entries()) {
      const response = await postFrom(`127.0.${80 + index}.1`, `${url}/session`, {
        body: { email, password: PASSWORD },
      });
      expect([email, response.status]).toEqual([email, index < 2 ? 201 : 401]);
    }
  });

  it('gets a cookie that scripts, other sites and plain connections do not get', async () => {
    const plain = await ask(url, 'POST /session', { body: proofOf(ada) });
    expect(plain.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^fabula_session=[\w-]{43}; Max-Age=604800; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^fabula_device=[\w.-]+; Max-Age=15552000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const [, token] = plain.cookie.split('=');
    const [row] = await stores.db.read((session) =>
      session.rows<{ digest: string }>('SELECT * FROM console_sessions WHERE user_id = ?', [ada.user.id]),
    );
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it('is bound to the host name over TLS', async () => {
    const behind = await startFabula(stores, {
      queues: [],
      relay: false,
      env: { ADMIN_ORIGIN: 'https://console.example.com', ADMIN_PORT: '0' },
    });
    const response = await ask(behind.adminUrl, 'POST /session', {
      body: proofOf(ada),
      headers: { ...OWN, Origin: 'https://console.example.com' },
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-fabula_session=.*; Secure; SameSite=Strict$/),
      expect.stringMatching(/^__Host-fabula_device=.*; Secure; SameSite=Strict$/),
    ]);
    await behind.close();
  });
});

const refused = async (token: string) => (await ask(url, 'POST /session/link', { body: { token } })).status;

describe('a link', () => {
  it('signs in once, even if two use it at the same time', async () => {
    const token = await makeLink(stores, ada.user.id, 'sign_in');
    const responses = await Promise.all(
      [1, 2, 3].map(() => ask(url, 'POST /session/link', { body: { token } })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401]);
    expect((await ask(url, 'POST /session/link', { body: { token } })).status).toBe(401);
  });

  it('is made on the command line, for the first Owner or another person', async () => {
    const env = { DATABASE_URL: stores.databaseUrl, ADMIN_ORIGIN: 'https://console.example.com' };
    const made = async (...options: string[]) => {
      const { out, err } = await runCli(['login-link', ...options, '--json'], { env });
      expect(err).toBe('');
      return JSON.parse(out) as { link: string; user_email: string };
    };
    const tenant = ['--tenant', String(fabula.account.tenantId)];
    const other = await buildAccount(stores.db, { team: fabula.account.team });
    for (const [person, options] of [
      [fabula.account, tenant],
      [other, [...tenant, '--user', other.user.email]],
    ] as const) {
      const { link, user_email: email } = await made(...options);
      expect(email).toBe(person.user.email);
      const [, token] = /^https:\/\/console\.example\.com\/console\/\?link=([\w-]{43})$/.exec(link) ?? [];
      const response = await ask(url, 'POST /session/link', { body: { token } });
      expect([response.status, response.body.user.id]).toEqual([201, person.user.id]);
    }
  });

  it('does not sign in when it is too old, for another purpose, or its user is not active', async () => {
    const old = await makeLink(stores, ada.user.id, 'sign_in');
    await stores.sql('UPDATE login_links SET expires_at = NOW(3)', []);
    expect(await refused(old)).toBe(401);
    expect(await refused(await makeLink(stores, ada.user.id, 'password'))).toBe(401);
    expect(await refused('nonsense')).toBe(401);
    const token = await makeLink(stores, ada.user.id, 'sign_in');
    await stores.sql('UPDATE users SET deactivated_at = NOW(3) WHERE id = ?', [ada.user.id]);
    expect(await refused(token)).toBe(401);
  });
});
