import { type Account, buildAccount, buildUser } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { startFabula } from '../../support/fabula.js';
import { postFrom } from '../../support/from-address.js';
import { ask, givePassword, PASSWORD, signInPerson } from '../../support/people.js';
import { startSmtpServer, type SmtpTestServer } from '../../support/smtp-server.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const NEW = 'a quite new password';
let smtp: SmtpTestServer;
let ada: Account;

beforeEach(async () => {
  smtp = await startSmtpServer();
  ada = await buildAccount(stores.db);
});
afterEach(() => smtp.close());

const started = (env: NodeJS.ProcessEnv = { SMTP_URL: smtp.url }) =>
  startFabula(stores, { queues: [], relay: false, env });
const reset = async (url: string, email: string) =>
  (await ask(url, 'POST /session/reset', { body: { email } })).status;

describe('a new password', () => {
  it('is set by a link from a mail, once, and ends all sessions', async () => {
    const fabula = await started();
    const url = fabula.adminUrl;
    await givePassword(stores, ada.user.id);
    const cookie = await signInPerson(url, { email: ada.user.email, password: PASSWORD });
    expect(await reset(url, ada.user.email)).toBe(202);
    const mail = await eventually(() => smtp.mails[0]);
    expect(mail.to).toEqual([ada.user.email]);
    const [, token = ''] = /\/console\/\?reset=3?D?([\w-]{43})/.exec(mail.raw.replaceAll('=\r\n', '')) ?? [];
    const set = (password: string) => ask(url, 'POST /session/password', { body: { token, password } });
    expect((await set('short')).status).toBe(422);
    const response = await set(NEW);
    expect([response.status, response.cookie]).toEqual([204, '']);
    expect((await set(NEW)).status).toBe(401);
    expect((await ask(url, 'GET /session', { cookie })).status).toBe(401);
    await signInPerson(url, { email: ada.user.email, password: NEW });
    await fabula.close();
  });

  it('is mailed to nobody without an account or a mail server, and the response is the same', async () => {
    const fabula = await started();
    const gone = await buildUser(stores.db, { tenantId: ada.tenantId });
    await stores.sql('UPDATE users SET deactivated_at = NOW(3) WHERE id = ?', [gone.id]);
    expect(await reset(fabula.adminUrl, 'nobody@example.test')).toBe(202);
    expect(await reset(fabula.adminUrl, gone.email)).toBe(202);
    await fabula.close();
    const without = await started({});
    expect(await reset(without.adminUrl, ada.user.email)).toBe(202);
    await without.close();
    expect(smtp.mails).toEqual([]);
    expect(await linksOf(ada.user.id)).toBe(0);
  });

  it('S14: is mailed to an account three times an hour, however many ask at once', async () => {
    const fabula = await started();
    const addresses = Array.from({ length: 20 }, (_, index) => `127.0.${index + 1}.1`);
    const body = { email: ada.user.email };
    const responses = await Promise.all(
      addresses.map((address) => postFrom(address, `${fabula.adminUrl}/session/reset`, { body })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
    await fabula.close();
    expect(smtp.mails).toHaveLength(3);
    expect(await linksOf(ada.user.id)).toBe(3);
  });

  it('is mailed to an account three times an hour', async () => {
    const fabula = await started();
    for (let asked = 1; asked <= 5; asked += 1) {
      expect(await reset(fabula.adminUrl, ada.user.email)).toBe(202);
      await eventually(async () => (await linksOf(ada.user.id)) >= Math.min(asked, 3));
    }
    await fabula.close();
    expect(smtp.mails).toHaveLength(3);
  });
});

async function linksOf(userId: number): Promise<number> {
  const [row] = await stores.db.read((session) =>
    session.rows<{ n: number }>('SELECT COUNT(*) AS n FROM login_links WHERE user_id = ?', [userId]),
  );
  return row?.n ?? 0;
}
