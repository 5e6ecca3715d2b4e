import { type Account, buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import { postFrom } from '../../support/from-address.js';
import { ask, givePassword, makeLink, PASSWORD, signInPerson } from '../../support/people.js';
import { runCli } from '../../support/run-cli.js';
import { startSmtpServer, type SmtpTestServer } from '../../support/smtp-server.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let smtp: SmtpTestServer;
let fabula: TestFabula;
let ada: Account;

beforeEach(async () => {
  smtp = await startSmtpServer();
  fabula = await startFabula(stores, { queues: [], relay: false, env: { SMTP_URL: smtp.url } });
  ada = fabula.account;
  await givePassword(stores, ada.user.id);
});
afterEach(async () => {
  await fabula.close();
  await smtp.close();
});

const entriesOf = (action: string) =>
  stores.db.read((session) =>
    session.rows<{ userId: number; userEmail: string; ip: string; status: number | null }>(
      'SELECT user_id AS userId, user_email AS userEmail, ip, status FROM audit_logs WHERE tenant_id = ? AND action = ?',
      [ada.tenantId, action],
    ),
  );
const mailsAbout = (subject: string) =>
  smtp.mails.filter(({ raw }) => raw.includes(`Subject: ${subject}`)).length;

const guess = (address: string, email: string) =>
  postFrom(address, `${fabula.adminUrl}/session`, { body: { email, password: 'wrong horse battery' } });

describe('the audit log and a mail', () => {
  it('S8: tell of a link that was asked for, with the address, and of a password that was set by it', async () => {
    await postFrom('127.0.9.1', `${fabula.adminUrl}/session/reset`, { body: { email: ada.user.email } });
    const [asked] = await eventually(async () => {
      const found = await entriesOf('password.link_requested');
      return found.length > 0 && found;
    });
    expect(asked).toMatchObject({ userId: ada.user.id, userEmail: ada.user.email, ip: '127.0.9.1' });
    const token = await makeLink(stores, ada.user.id, 'password');
    const set = await postFrom('127.0.9.2', `${fabula.adminUrl}/session/password`, {
      body: { token, password: 'another password' },
    });
    expect(set.status).toBe(204);
    expect(await entriesOf('password.set_by_link')).toMatchObject([
      { userId: ada.user.id, userEmail: ada.user.email, ip: '127.0.9.2' },
    ]);
    await eventually(() => mailsAbout('Your password was changed') === 1);
  });

  it('S8: tell of a password that was changed in a session', async () => {
    const cookie = await signInPerson(fabula.adminUrl, { email: ada.user.email, password: PASSWORD });
    const body = { current_password: PASSWORD, password: 'another password' };
    expect((await ask(fabula.adminUrl, 'POST /session/password', { cookie, body })).status).toBe(200);
    expect(await entriesOf('password.change')).toHaveLength(1);
    await eventually(() => mailsAbout('Your password was changed') === 1);
  });

  it('S8: tell of wrong passwords, once for an account and an address', async () => {
    const other = await buildAccount(stores.db, { team: ada.team });
    for (let round = 0; round < 12; round += 1) await guess('127.0.9.1', ada.user.email);
    await guess('127.0.9.2', ada.user.email);
    await guess('127.0.9.3', other.user.email);
    await guess('127.0.9.3', 'nobody@x.test');
    const found = await eventually(async () => {
      const entries = await entriesOf('session.refused');
      return entries.length >= 3 && entries;
    });
    expect(found.map(({ userId, ip, status }) => [userId, ip, status])).toEqual([
      [ada.user.id, '127.0.9.1', 401],
      [ada.user.id, '127.0.9.2', 401],
      [other.user.id, '127.0.9.3', 401],
    ]);
  });

  it('S8: tell of a link that was made on the command line', async () => {
    const env = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl };
    const { err } = await runCli(['login-link', '--tenant', String(ada.tenantId), '--json'], { env });
    expect(err).toBe('');
    expect(await entriesOf('login_link.create')).toHaveLength(1);
  });
});
