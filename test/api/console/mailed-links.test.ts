import { type Account, buildUser } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { startFabula } from '../../support/fabula.js';
import { ask, OWN } from '../../support/people.js';
import { startSmtpServer, type SmtpTestServer } from '../../support/smtp-server.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let smtp: SmtpTestServer;

beforeEach(async () => {
  smtp = await startSmtpServer();
});
afterEach(() => smtp.close());

const FORGED = {
  ...OWN,
  'X-Forwarded-Host': 'evil.test',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Prefix': '/webhook/s1hook/s1-secret-xyz',
  Forwarded: 'host=evil.test;proto=https',
};

/** Both kinds of mails with links, asked for with headers that name another place. Returns the response to the Owner. */
async function askForBoth(url: string, account: Account, headers: Record<string, string>) {
  const invited = await buildUser(stores.db, { tenantId: account.tenantId });
  const { cookie } = await ask(url, 'POST /session', { body: { api_key: account.key }, headers });
  const body = { user_id: invited.id };
  const response = await ask(url, 'POST /session/invitations', { body, cookie, headers });
  const reset = await ask(url, 'POST /session/reset', { body: { email: account.user.email }, headers });
  expect(reset.status).toBe(202);
  return response;
}

const linksIn = (mails: readonly { raw: string }[]) =>
  mails.map(({ raw }) => /https?:\/\/\S+(?=\?reset)/.exec(raw.replaceAll('=\r\n', ''))?.[0]);

describe('a link in a mail', () => {
  it.each([
    ['ADMIN_ORIGIN', 'https://admin.fabula.test', 'https://admin.fabula.test/console/'],
    ['ADMIN_ORIGIN with a path', 'https://x.test/tools/fabula/', 'https://x.test/tools/fabula/console/'],
  ])('S3: leads to %s, whatever the headers of a request say', async (_what, origin, home) => {
    const env = {
      SMTP_URL: smtp.url,
      ADMIN_ORIGIN: origin,
      ADMIN_PORT: '0',
      TRUSTED_PROXIES: '127.0.0.0/8,::1',
    };
    const fabula = await startFabula(stores, { queues: [], relay: false, env });
    expect((await askForBoth(fabula.adminUrl, fabula.account, FORGED)).status).toBe(204);
    await eventually(() => smtp.mails.length === 2);
    expect(linksIn(smtp.mails)).toEqual([home, home]);
    await fabula.close();
  });

  it('S3: leads to the own machine without a setting, on the port of the console', async () => {
    const fabula = await startFabula(stores, { queues: [], relay: false, env: { SMTP_URL: smtp.url } });
    expect((await askForBoth(fabula.adminUrl, fabula.account, FORGED)).status).toBe(204);
    await eventually(() => smtp.mails.length === 2);
    const home = `http://localhost:${new URL(fabula.adminUrl).port}/console/`;
    expect(linksIn(smtp.mails)).toEqual([home, home]);
    await fabula.close();
  });

  it('S3: does not leave at all where only a proxy knows the address', async () => {
    const env = { SMTP_URL: smtp.url, TRUSTED_PROXIES: '127.0.0.0/8' };
    const fabula = await startFabula(stores, { queues: [], relay: false, env });
    const response = await askForBoth(fabula.adminUrl, fabula.account, FORGED);
    expect([response.status, response.body]).toEqual([200, { token: expect.any(String) }]);
    await fabula.close();
    expect(smtp.mails).toEqual([]);
  });
});
