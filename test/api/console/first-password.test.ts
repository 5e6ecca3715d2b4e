import { type Account, buildAccount } from '../../support/builders.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import { ask, PASSWORD, signInByLink, signInPerson } from '../../support/people.js';
import { startSmtpServer, type SmtpTestServer } from '../../support/smtp-server.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let smtp: SmtpTestServer;
let fabula: TestFabula;
let ada: Account;

const started = async (env: NodeJS.ProcessEnv) => {
  fabula = await startFabula(stores, { queues: [], relay: false, env });
  ada = await buildAccount(stores.db, { team: fabula.account.team, role: 'EDITOR' });
};
beforeEach(async () => {
  smtp = await startSmtpServer();
});
afterEach(async () => {
  await fabula.close();
  await smtp.close();
});

const set = (cookie: string, body: object = { password: PASSWORD }) =>
  ask(fabula.adminUrl, 'POST /session/password', { cookie, body });
const canSignIn = async (password: string) =>
  (await ask(fabula.adminUrl, 'POST /session', { body: { email: ada.user.email, password } })).status;

describe('a first password', () => {
  it('S5: is not set in a session of an API key: the person is mailed a link', async () => {
    await started({ SMTP_URL: smtp.url });
    const refused = await set(await signInPerson(fabula.adminUrl, { api_key: ada.key }));
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      403,
      'Set the first password through a mailed link, or in a session started by a sign-in link: a mail with such a link has been sent',
    ]);
    expect(await canSignIn(PASSWORD)).toBe(401);
    expect(smtp.mails.map(({ to }) => to)).toEqual([[ada.user.email]]);
    const raw = smtp.mails[0]?.raw.replaceAll('=\r\n', '') ?? '';
    const [, token = ''] = /\/console\/\?reset=3?D?([\w-]{43})/.exec(raw) ?? [];
    const byLink = await ask(fabula.adminUrl, 'POST /session/password', {
      body: { token, password: PASSWORD },
    });
    expect(byLink.status).toBe(204);
    expect(await canSignIn(PASSWORD)).toBe(201);
  });

  it('S5: is not set in a session of an API key without a mail server either, and the response says what helps', async () => {
    await started({});
    const refused = await set(await signInPerson(fabula.adminUrl, { api_key: ada.key }));
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      403,
      expect.stringContaining('fabula login-link'),
    ]);
    expect(await canSignIn(PASSWORD)).toBe(401);
  });

  it('S5: is set in a session of a link, and with it a session of a key may change it', async () => {
    await started({});
    expect((await set(await signInByLink(stores, fabula.adminUrl, ada.user.id))).status).toBe(200);
    const cookie = await signInPerson(fabula.adminUrl, { api_key: ada.key });
    const changed = await set(cookie, { current_password: PASSWORD, password: 'another password' });
    expect(changed.status).toBe(200);
    expect(await canSignIn('another password')).toBe(201);
  });
});
