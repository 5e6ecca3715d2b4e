import { readConfig } from '../../../src/config/config.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let smtp: SmtpTestServer;
let fabula: TestFabula;

beforeEach(async () => {
  smtp = await startSmtpServer();
  fabula = await startFabula(stores, { env: { SMTP_URL: smtp.url } });
});

afterEach(async () => {
  await fabula.close();
  await smtp.close();
});

/** The address that a mail asks its reader to follow. */
async function sentLink(): Promise<string> {
  const mail = [
    'Email',
    { recipients: ['a@example.com'], subject: 'May I?', body: '<<PROMPT("Yes, do it")>>' },
  ];
  const story = storyOf({ Hook: ['Webhook', {}], Ask: mail as ['Email', object] as never }, ['Hook > Ask']);
  const { webhooks } = await fabula.importStory(story);
  await fabula.fire(webhooks['Hook']!);
  await fabula.settled();
  const raw = smtp.mails.map((sent) => sent.raw.replaceAll('=\r\n', '')).join('');
  return fabula.url + String(/\/prompts\/[0-9a-f]{32}/.exec(raw)?.[0]);
}

const answers = async () => (await fabula.events()).filter(({ agent }) => agent === 'Ask').length - 1;

it('prompts ask before they act unless told otherwise', () => {
  const env = { DATABASE_URL: 'mysql://h/d', REDIS_URL: 'redis://h' };
  expect(readConfig(env).promptConfirm).toBe(true);
  expect(readConfig({ ...env, PROMPT_CONFIRM: 'false' }).promptConfirm).toBe(false);
});

it('opening the links of a mail answers no prompt', async () => {
  const link = await sentLink();
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    for (const scanner of ['Mozilla/5.0', 'Slackbot-LinkExpanding 1.0', 'BingPreview/1.0b']) {
      const response = await fetch(link, { method, headers: { 'user-agent': scanner } });
      expect([200, 204]).toContain(response.status);
    }
  }
  expect((await fetch(`${link}/`)).status).toBe(200);
  expect((await fetch(`${link}?confirm=true&_method=post`)).status).toBe(200);
  await fabula.settled();
  expect(await answers()).toBe(0);
  expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  await fabula.settled();
  expect(await answers()).toBe(1);
});

it('the page that asks runs nothing, cannot be framed, and tells nobody its address', async () => {
  const page = await fetch(await sentLink());
  expect(await page.text()).toContain('<form method="post"><button type="submit">Yes, do it</button></form>');
  const policy = page.headers.get('content-security-policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]) {
    expect(policy.split('; ')).toContain(rule);
  }
  expect(policy).not.toContain('script-src');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
});
