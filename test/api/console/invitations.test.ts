import { type Account, buildAccount, buildUser } from '../../support/builders.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import { ask, PASSWORD, signInPerson } from '../../support/people.js';
import { startSmtpServer, type SmtpTestServer } from '../../support/smtp-server.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let smtp: SmtpTestServer;
let fabula: TestFabula;
let invited: { id: number; email: string };

const started = async (env: NodeJS.ProcessEnv) => {
  fabula = await startFabula(stores, { queues: [], relay: false, env });
  invited = await buildUser(stores.db, { tenantId: fabula.account.tenantId });
};
beforeEach(async () => {
  smtp = await startSmtpServer();
});
afterEach(async () => {
  await fabula.close();
  await smtp.close();
});

const signIn = (account: Account) => signInPerson(fabula.adminUrl, { api_key: account.key });
const invite = async (account: Account, userId: number) =>
  ask(fabula.adminUrl, 'POST /session/invitations', {
    body: { user_id: userId },
    cookie: await signIn(account),
  });

describe('an invitation', () => {
  it('mails a link of three days, by which the person sets a first password and signs in', async () => {
    await started({ SMTP_URL: smtp.url });
    const { adminUrl: url, account } = fabula;
    expect((await invite(account, invited.id)).status).toBe(204);
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual([invited.email]);
    const raw = mail?.raw.replaceAll('=\r\n', '') ?? '';
    const [, token = ''] = /\/console\/\?reset=3?D?([\w-]{43})/.exec(raw) ?? [];
    const [link] = await stores.db.read((session) =>
      session.rows<{ hours: number }>(
        'SELECT TIMESTAMPDIFF(HOUR, created_at, expires_at) AS hours FROM login_links WHERE user_id = ?',
        [invited.id],
      ),
    );
    expect(link?.hours).toBe(72);
    const set = await ask(url, 'POST /session/password', { body: { token, password: PASSWORD } });
    expect(set.status).toBe(204);
    await signInPerson(url, { email: invited.email, password: PASSWORD });
    const again = await invite(account, invited.id);
    expect([again.status, again.body.errors[0].message]).toEqual([409, 'The user already has a password']);
    const logs = await (await fabula.api('GET', '/api/v1/audit_logs?action=user.invite')).json();
    expect(logs).toMatchObject({ audit_logs: [{ target_id: invited.id, source: 'CONSOLE' }] });
  });

  it('is for Owners, for people of their tenant, and three times an hour', async () => {
    await started({ SMTP_URL: smtp.url });
    const editor = await buildAccount(stores.db, { team: fabula.account.team, role: 'EDITOR' });
    const stranger = await buildAccount(stores.db);
    expect((await invite(editor, invited.id)).status).toBe(403);
    expect((await invite(fabula.account, stranger.user.id)).status).toBe(404);
    expect((await invite(fabula.account, 0)).status).toBe(422);
    for (const status of [204, 204, 204, 429]) {
      expect((await invite(fabula.account, invited.id)).status).toBe(status);
    }
    expect(smtp.mails).toHaveLength(3);
  });

  it('S14: is sent three times an hour, however many are asked for at once', async () => {
    await started({ SMTP_URL: smtp.url });
    const cookie = await signIn(fabula.account);
    const body = { user_id: invited.id };
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => ask(fabula.adminUrl, 'POST /session/invitations', { body, cookie })),
    );
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array<number>(3).fill(204), ...Array<number>(9).fill(429)]);
    expect(smtp.mails).toHaveLength(3);
  });

  it('is a link for the Owner to pass on where no mail can leave, with the same limits', async () => {
    await started({});
    const editor = await buildAccount(stores.db, { team: fabula.account.team, role: 'EDITOR' });
    expect((await invite(editor, invited.id)).status).toBe(403);
    const { status, body } = await invite(fabula.account, invited.id);
    expect([status, body]).toEqual([200, { token: expect.stringMatching(/^[\w-]{43}$/) }]);
    const set = { token: body.token, password: PASSWORD };
    expect((await ask(fabula.adminUrl, 'POST /session/password', { body: set })).status).toBe(204);
    await signInPerson(fabula.adminUrl, { email: invited.email, password: PASSWORD });
    expect((await invite(fabula.account, invited.id)).status).toBe(409);
    const other = await buildUser(stores.db, { tenantId: fabula.account.tenantId });
    for (const expected of [200, 200, 200, 429]) {
      expect((await invite(fabula.account, other.id)).status).toBe(expected);
    }
  });

  it('says that the mail server did not take it', async () => {
    await started({ SMTP_URL: 'smtp://127.0.0.1:9' });
    expect((await invite(fabula.account, invited.id)).status).toBe(503);
  });
});
