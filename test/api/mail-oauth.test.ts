import type { JsonObject } from '../../src/platform/json.js';
import { eventually } from '../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { call } from '../support/run-api.js';
import { runCli } from '../support/run-cli.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTokenSmtpServer } from '../support/token-smtp-server.js';
import { shareFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = shareFabula(stores);
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: { '/token': { body: { access_token: 'token-1', expires_in: 3600 } } },
  });
});
afterEach(() => target.close());

const PATH = '/api/v1/tenants/current/mail_settings';
const settings = (body: JsonObject) => call(fabula, `PUT ${PATH}`, { body });
const access = (): JsonObject => ({
  token_url: `${target.url}/token`,
  client_id: 'me',
  client_secret: 'hush-secret',
  refresh_token: 'hush-token',
  scope: 'mail',
});

/** Sends one mail from a story. */
async function send(): Promise<void> {
  const mail = { recipients: ['ann@example.com'], subject: 'S', body: 'B' };
  const path = `hook${Math.random()}`;
  const { webhooks } = await fabula.importStory(
    storyOf({ Receive: ['Webhook', { path, secret: 's3cret', verbs: 'post' }], Mail: ['Email', mail] }, [
      'Receive > Mail',
    ]),
  );
  await fabula.fire(webhooks['Receive']!);
}

test('I9: mails of the installation leave with tokens', async () => {
  const smtp = await startTokenSmtpServer(['token-1']);
  stores.onClose(smtp.close);
  await fabula.runWith({
    env: {
      SMTP_URL: smtp.url('fabula@example.org'),
      SMTP_OAUTH_TOKEN_URL: `${target.url}/token`,
      SMTP_OAUTH_CLIENT_ID: 'me',
      SMTP_OAUTH_CLIENT_SECRET: 'hush-secret',
    },
  });
  await send();
  await fabula.settled();
  expect(await fabula.deadLetters()).toEqual([]);
  expect([smtp.mails, smtp.logins]).toEqual([1, [{ user: 'fabula@example.org', token: 'token-1' }]]);
});

describe('I9: the mail server of a tenant', () => {
  const mail_from = 'a@acme.example';
  beforeEach(() => fabula.runWith({}));

  test('has an access by tokens, whose secrets are never shown', async () => {
    const smtp_url = 'smtps://fabula%40acme.example@mail.acme.example';
    const set = await settings({ smtp_url, mail_from, smtp_oauth: access() });
    expect(set.body).toMatchObject({
      smtp_server: 'smtps://mail.acme.example',
      smtp_user: 'fabula@acme.example',
      smtp_oauth: { token_url: `${target.url}/token`, client_id: 'me', scope: 'mail' },
    });
    const kept = await settings({ mail_from: 'b@acme.example' });
    expect(kept.body).toMatchObject({ mail_from: 'b@acme.example', smtp_oauth: { client_id: 'me' } });
    const got = await call(fabula, `GET ${PATH}`);
    const [stored] = await stores.db.read((session) =>
      session.rows<{ url: Buffer }>('SELECT encrypted_smtp_url AS url FROM tenant_mail_settings'),
    );
    const texts = [JSON.stringify([set.body, kept.body, got.body]), stored!.url.toString('latin1')];
    expect(texts.join()).not.toContain('hush');
  });

  test('gets it from the command line too', async () => {
    const env = fabulaEnvironment(stores);
    await settings({ smtp_url: 'smtps://fabula@mail.acme.example', mail_from });
    const tenant = String(fabula.account.tenantId);
    const oauth = (input: string) =>
      runCli(['tenant', 'mail', tenant, '--smtp-oauth-file', '-', '--json'], { env, input });
    const set = await oauth(JSON.stringify(access()));
    expect(JSON.parse(set.out)).toMatchObject({ smtp_oauth: { client_id: 'me', scope: 'mail' } });
    const wrong = [await oauth('hush'), await oauth('{"client_secret": "hush"}')];
    expect(wrong.map(({ code, err, out }) => `${code} ${err}${out}`)).toEqual([
      expect.stringMatching(/^[1-9].*is not valid JSON/s),
      expect.stringMatching(/^[1-9].*token_url is required/s),
    ]);
    expect(JSON.stringify([set, wrong])).not.toContain('hush');
  });

  test('loses it with another mail server, and with null', async () => {
    const smtp_url = 'smtps://fabula@mail.acme.example';
    await settings({ smtp_url, mail_from, smtp_oauth: access() });
    const moved = await settings({ smtp_url: 'smtps://fabula@other.example' });
    expect(moved.body).toMatchObject({ smtp_server: 'smtps://other.example', smtp_oauth: null });
    expect((await settings({ smtp_oauth: access() })).body).toMatchObject({ smtp_oauth: { scope: 'mail' } });
    expect((await settings({ smtp_oauth: null })).body).toMatchObject({
      smtp_oauth: null,
      smtp_user: 'fabula',
    });
  });

  test.each<[JsonObject, string]>([
    [{ smtp_url: 'smtps://mail.example' }, 'smtp_url'],
    [{ smtp_url: 'smtps://fabula:password@mail.example' }, 'smtp_url'],
    [{}, 'smtp_url'],
  ])('needs a user without a password: %j', async (url, details) => {
    const response = await settings({ mail_from, smtp_oauth: access(), ...url });
    expect(response).toMatchObject({ status: 422, body: { errors: [{ details }] } });
  });

  test.each<JsonObject>([
    { client_secret: undefined as never, refresh_token: undefined as never },
    { token_url: 'ftp://tokens.example' },
    { client_id: '' },
  ])('needs a client that can ask: %j', async (wrong) => {
    const smtp_url = 'smtps://fabula@mail.example';
    const response = await settings({ smtp_url, mail_from, smtp_oauth: { ...access(), ...wrong } });
    expect(response.status).toBe(422);
    expect(JSON.stringify(response.body)).not.toContain('hush');
  });

  test('gets no token over a connection that is not encrypted', async () => {
    const plain = await startSmtpServer();
    stores.onClose(() => plain.close());
    const smtp_url = `smtp://fabula@127.0.0.1:${plain.port}`;
    await settings({ smtp_url, mail_from, smtp_oauth: access() });
    await send();
    await eventually(async () => {
      const lines = (await fabula.logs()).map(({ message }) => message).join();
      return lines.includes('the connection to the mail server could not be encrypted');
    });
    expect([target.requests, plain.mails]).toEqual([[], []]);
  });
});
