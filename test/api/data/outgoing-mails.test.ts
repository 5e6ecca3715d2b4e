import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '../../../src/config/config.js';
import { NotYet, PermanentJobError } from '../../../src/platform/errors.js';
import type { JsonObject } from '../../../src/platform/json.js';
import { createTenantMailers } from '../../../src/data/mails/tenant-mailers.js';
import type { Mail } from '../../../src/platform/outbound/mail/mail.js';
import { QuotaReached } from '../../../src/people/quotas/quota.js';
import { buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { type TestFabula } from '../../support/fabula.js';
import { fabulaEnvironment } from '../../support/fabula-environment.js';
import { call } from '../../support/run-api.js';
import { runCli } from '../../support/run-cli.js';
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { shareFabula } from '../../support/use-fabula.js';

const stores = useStores();
const servers: SmtpTestServer[] = [];
let shared: SmtpTestServer;

async function newServer(): Promise<SmtpTestServer> {
  const server = await startSmtpServer();
  servers.push(server);
  return server;
}

beforeAll(async () => {
  shared = await newServer();
});
beforeEach(() => shared.clear());
/** One at a time: they share a database, and another one would take up the mails of this test. */
const running = shareFabula(stores);
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function start(env: NodeJS.ProcessEnv = {}): Promise<TestFabula> {
  const mail = { SMTP_URL: shared.url, MAIL_FROM: 'Fabula <fabula@example.org>' };
  await running.runWith({ env: { ...mail, ...env } });
  return running;
}

const MAIL = { recipients: ['ann@example.com'], subject: 'S', body: 'B' };

/** Sends one mail with these options; gives the lines of the log. */
async function send(fabula: TestFabula, options: JsonObject): Promise<string[]> {
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: `hook${Math.random()}`, secret: 's3cret', verbs: 'post' }],
        Mail: ['Email', { ...MAIL, ...options }],
      },
      ['Receive > Mail'],
    ),
  );
  await fabula.fire(story.webhooks['Receive']!);
  await eventually(async () => {
    const pending = await stores.db.read((session) =>
      session.rows("SELECT id FROM deliveries WHERE story_id = ? AND state = 'pending'", [story.id]),
    );
    return pending.length === 0;
  });
  const lines = await stores.db.read((session) =>
    session.rows<{ message: string }>(
      'SELECT l.message FROM agent_logs l JOIN agents a ON a.id = l.agent_id WHERE a.story_id = ? ORDER BY l.id',
      [story.id],
    ),
  );
  return lines.map(({ message }) => message);
}

const settings = (fabula: TestFabula, body: JsonObject) =>
  call(fabula, 'PUT /api/v1/tenants/current/mail_settings', { body });

describe('senders', () => {
  it('a sender that is not allowed is not the sender: answers go there, and the log says so', async () => {
    const fabula = await start();
    const logs = await send(fabula, { sender_name: 'CEO', sender_address: 'ceo@victim-tenant.example' });
    const mail = await eventually(() => shared.mails[0]);
    expect(mail.header('from')).toBe('CEO <fabula@example.org>');
    expect(mail.header('reply-to')).toBe('ceo@victim-tenant.example');
    expect(mail.from).toBe('fabula@example.org');
    expect(logs.join()).toContain(
      'sender_address ceo@victim-tenant.example is not allowed (MAIL_FROM_ALLOW)',
    );
  });

  it.each([
    'ceo@victim-tenant.example',
    'CEO <ceo@victim-tenant.example>',
    'ceo＠victim-tenant.example',
    'x ceo@victim-tenant.example y',
  ])('the name "%s" shows no address that is not allowed', async (name) => {
    const fabula = await start();
    await send(fabula, { sender_name: name });
    const mail = await eventually(() => shared.mails[0]);
    expect(mail.header('from')).toBe('Fabula <fabula@example.org>');
  });

  it.each([
    ['alerts@example.net', 'alerts@example.net', true],
    ['*@example.net', 'Any.One@EXAMPLE.net', true],
    ['example.net', 'any@example.net', true],
    ['example.net', 'any@sub.example.net', false],
    ['example.net', 'any@notexample.net', false],
    ['alerts@example.net', 'other@example.net', false],
    ['*', 'any@where.example', true],
    ['bücher.example', 'a@xn--bcher-kva.example', true],
  ])('MAIL_FROM_ALLOW=%s: %s may be the sender: %s', async (allow, address, allowed) => {
    const fabula = await start({ MAIL_FROM_ALLOW: allow });
    const logs = await send(fabula, { sender_address: address, reply_to: 'desk@example.com' });
    const mail = await eventually(() => shared.mails[0]);
    expect(mail.header('from')?.toLowerCase()).toContain(
      `<${allowed ? address.toLowerCase() : 'fabula@example.org'}>`,
    );
    expect(mail.header('reply-to')).toBe('desk@example.com');
    expect(logs.join().includes('MAIL_FROM_ALLOW')).toBe(!allowed);
  });

  it('real exports send as they did: a name of their own, and where answers go', async () => {
    const fabula = await start();
    const logs = await send(fabula, {
      sender_name: 'Tines EDgaR Audit Workflow',
      sender_address: '',
      reply_to: 'desk@example.com',
    });
    const mail = await eventually(() => shared.mails[0]);
    expect(mail.header('from')).toBe('Tines EDgaR Audit Workflow <fabula@example.org>');
    expect(mail.header('reply-to')).toBe('desk@example.com');
    expect(logs).toEqual([]);
  });

  it('mails that become files have an allowed sender too', async () => {
    const fabula = await start({ SMTP_URL: '' });
    await send(fabula, { sender_address: 'ceo@victim-tenant.example' });
    const folder = path.join(fabula.config.dataDir, 'mail');
    const [name] = await eventually(() => readdirSync(folder).filter((file) => file.endsWith('.eml')));
    expect(readFileSync(path.join(folder, name!), 'utf8')).toMatch(/^From: Fabula <fabula@example\.org>$/m);
  });

  it('nothing but the server’s own sender is allowed by default, and nonsense is refused', () => {
    const env = { DATABASE_URL: 'mysql://a@b/c', REDIS_URL: 'redis://a' };
    expect(readConfig(env)).toMatchObject({ mailFromAllow: [], mailMaxRecipients: 100 });
    expect(() => readConfig({ ...env, MAIL_FROM_ALLOW: 'a@b, <c@d>' })).toThrow(
      'MAIL_FROM_ALLOW has "<c@d>"',
    );
  });
});

describe('limits', () => {
  it('one mail has so many recipients', async () => {
    const fabula = await start({ MAIL_MAX_RECIPIENTS: '3' });
    const addresses = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
    await send(fabula, { recipients: addresses, bcc: ['d@example.com'] });
    const [letter] = await eventually(async () => {
      const letters = await fabula.deadLetters();
      return letters.length > 0 && letters;
    });
    expect(letter!.error).toBe('the mail has 4 recipients; the maximum is 3 (MAIL_MAX_RECIPIENTS)');
    expect(shared.mails).toEqual([]);
  });

  it('mails over the quota of a day wait for the next one, and are no dead letters', async () => {
    const fabula = await start({ QUOTA_MAILS_PER_DAY: '3' });
    const quota = async () => {
      const { body } = await call(fabula, 'GET /api/v1/tenants/current/usage');
      return (body as { quotas: { name: string; used: number }[] }).quotas.find(
        ({ name }) => name === 'mails_per_day',
      )!;
    };
    await eventually(async () => {
      await send(fabula, { recipients: ['a@example.com', 'b@example.com'] });
      return (await fabula.logs()).length > 0;
    });
    const [line] = await fabula.logs();
    expect(line!.message).toMatch(
      /quota mails_per_day is used up: \d+ of 3; it resets at .+; the mail waits until then/,
    );
    const waiting = await stores.db.read((session) =>
      session.rows<{ state: string; attempts: number; seconds: number; left: number }>(
        `SELECT state, attempts, TIMESTAMPDIFF(SECOND, NOW(3), due_at) AS seconds,
                TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), UTC_DATE() + INTERVAL 1 DAY) AS \`left\`
         FROM deliveries WHERE queue = 'email'`,
      ),
    );
    expect(waiting).toHaveLength(1);
    expect(waiting[0]).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(waiting[0]!.seconds).toBeGreaterThanOrEqual(waiting[0]!.left - 2);
    expect(await fabula.deadLetters()).toEqual([]);
    const sent = shared.mails.length;
    await eventually(async () => (await quota()).used === sent * 2);

    // Another tenant has its own.
    const other = await buildAccount(stores.db);
    await fabula.inner.requireMail(other.tenantId);
  });

  it('a loop of mails that meets the quota ends there: waiting would send them twice', async () => {
    const sent: Mail[] = [];
    const mailers = createTenantMailers({
      shared: { send: async (mail) => (sent.push(mail), []), close: async () => undefined },
      policy: { mailFrom: 'a@b.example', allow: [] },
      maxRecipients: 0,
      quotas: {
        add: () => undefined,
        requireMail() {
          if (sent.length < 3) return;
          const reset = { at: '2026-11-26T00:00:00Z', inMs: 1_000 };
          throw new QuotaReached({ quota: 'mails_per_day', used: 3, limit: 3, reset });
        },
      },
      ownServer: async () => undefined,
      open: () => {
        throw new Error('no tenant has a server');
      },
    });
    const mail: Mail = {
      messageId: '<1@fabula>',
      to: [{ address: 'a@x.example' }],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: 'S',
      html: 'B',
      text: 'B',
      attachments: [],
    };
    const loop = mailers.of(1, () => undefined);
    for (let round = 0; round < 3; round++) await loop.send(mail);
    const ended = loop.send(mail);
    await expect(ended).rejects.toThrow(PermanentJobError);
    await expect(ended).rejects.toThrow('; 3 mails of the loop were sent');
    const next = mailers.of(1, () => undefined).send(mail);
    await expect(next).rejects.toThrow(NotYet);
    await expect(next).rejects.toMatchObject({ waitMs: expect.any(Number) });
    expect(sent).toHaveLength(3);
  });
});

describe('a mail server of a tenant’s own', () => {
  it('takes the mails of that tenant alone, from its own senders', async () => {
    const own = await newServer();
    const fabula = await start();
    const set = await settings(fabula, {
      smtp_url: own.url,
      mail_from: 'Acme <security@acme.example>',
      mail_from_allow: ['*@acme.example'],
    });
    expect(set.body).toEqual({
      smtp_server: own.url,
      smtp_user: null,
      smtp_oauth: null,
      mail_from: 'Acme <security@acme.example>',
      mail_from_allow: ['*@acme.example'],
      updated_at: expect.any(String),
    });
    await send(fabula, { sender_address: 'soc@acme.example' });
    const mail = await eventually(() => own.mails[0]);
    expect([mail.from, mail.header('from')]).toEqual(['security@acme.example', 'Acme <soc@acme.example>']);
    expect(shared.mails).toEqual([]);

    await settings(fabula, { smtp_url: null });
    await eventually(async () => {
      await send(fabula, { sender_address: 'soc@acme.example' });
      return shared.mails[0];
    });
    expect(shared.mails[0]!.header('from')).toBe('Fabula <fabula@example.org>');
  });

  it('is not reached at addresses that are not public', async () => {
    const inside = await newServer();
    const fabula = await start({ OUTBOUND_ALLOW: '' });
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      await settings(fabula, { smtp_url: `smtp://${host}:${inside.port}`, mail_from: 'a@acme.example' });
      const logs = await send(fabula, {});
      expect(logs.join()).toMatch(/private or reserved network|is not in OUTBOUND_ALLOW_HOSTS/);
    }
    expect(inside.mails).toEqual([]);
    expect(shared.mails).toEqual([]);
  });

  it('is not given a password in clear', async () => {
    const plain = await newServer();
    const fabula = await start();
    const url = `smtp://user:hush-hush@127.0.0.1:${plain.port}`;
    await settings(fabula, { smtp_url: url, mail_from: 'a@acme.example' });
    const logs = await send(fabula, {});
    expect(logs.join()).toContain('the connection to the mail server could not be encrypted');
    expect(logs.join()).not.toContain('hush-hush');
    expect(plain.mails).toEqual([]);
  });

  it('its password is stored encrypted, never shown, and follows the key', async () => {
    const own = await newServer();
    const fabula = await start();
    const url = `smtp://user:hush-hush@127.0.0.1:${own.port}`;
    const set = await settings(fabula, { smtp_url: url, mail_from: 'a@acme.example' });
    expect(set.body).toMatchObject({ smtp_server: `smtp://127.0.0.1:${own.port}`, smtp_user: 'user' });
    const kept = await settings(fabula, { mail_from: 'b@acme.example' });
    expect(kept.body).toMatchObject({ smtp_user: 'user', mail_from: 'b@acme.example' });
    const got = await call(fabula, 'GET /api/v1/tenants/current/mail_settings');
    expect(JSON.stringify([set.body, kept.body, got.body])).not.toContain('hush');
    const stored = () =>
      stores.db.read((session) =>
        session.rows<{ url: Buffer }>('SELECT encrypted_smtp_url AS url FROM tenant_mail_settings'),
      );
    const [before] = await stored();
    expect(before!.url.toString('latin1')).not.toContain('hush');

    const rotated = await runCli(['credential', 'rotate-key'], {
      env: fabulaEnvironment(stores, {
        ENCRYPTION_KEY: 'cd'.repeat(32),
        ENCRYPTION_KEY_PREVIOUS: 'ab'.repeat(32),
      }),
    });
    expect([rotated.err, rotated.out]).toEqual([
      '',
      expect.stringContaining('Re-encrypted 1 tenant mail servers'),
    ]);
    // The running process has the old key alone: it says so.
    const unknown = await call(fabula, 'GET /api/v1/tenants/current/mail_settings');
    expect(unknown.status).toBe(409);
    const restored = await runCli(['database', 'restored'], { env: fabulaEnvironment(stores) });
    expect([restored.code, restored.out]).toEqual([
      1,
      expect.stringContaining('The mail server was encrypted with another ENCRYPTION_KEY'),
    ]);
    const env = fabulaEnvironment(stores, { ENCRYPTION_KEY: 'cd'.repeat(32) });
    const cli = await runCli(['tenant', 'mail', '--mail-from', 'c@acme.example'], { env });
    expect([cli.err, cli.out]).toEqual(['', expect.stringMatching(/user +c@acme\.example/)]);
    const changed = await runCli(['tenant', 'mail', '--smtp-url-file', '-', '--allow', 'acme.example'], {
      env,
      input: 'smtps://other:secret@mail.acme.example\n',
    });
    expect(changed.out).toMatch(/smtps:\/\/mail\.acme\.example +other +c@acme\.example +acme\.example/);
  });

  it.each([
    [{ smtp_url: 'smtps://mail.example?tls.rejectUnauthorized=false', mail_from: 'a@b.example' }, 'smtp_url'],
    [{ smtp_url: 'https://mail.example', mail_from: 'a@b.example' }, 'smtp_url'],
    [{ smtp_url: 'smtps://mail.example', mail_from: 'A <a@b.example>\r\nBcc: c@d.example' }, 'mail_from'],
    [{ mail_from: 'a@b.example' }, 'smtp_url'],
    [{ smtp_url: 'smtps://mail.example' }, 'mail_from'],
    [{ smtp_url: 'smtps://mail.example', mail_from: 'a@b', mail_from_allow: ['a b'] }, 'mail_from_allow[0]'],
  ])('%j is refused', async (body, details) => {
    const fabula = await start();
    const response = await settings(fabula, body);
    expect(response.status).toBe(422);
    expect((response.body as { errors: object[] }).errors).toMatchObject([{ details }]);
  });

  it('is for Owners to see and to set', async () => {
    const fabula = await start();
    const as = await buildAccount(stores.db, { team: fabula.account.team, role: 'TEAM_ADMIN' });
    const path = '/api/v1/tenants/current/mail_settings';
    expect((await call(fabula, `GET ${path}`, { as })).status).toBe(403);
    expect((await call(fabula, `PUT ${path}`, { as, body: { mail_from: 'a@b.example' } })).status).toBe(403);
  });
});
