import { createFailureNotifier } from '../../src/operate/monitoring/notices/failure-notifier.js';
import type { Mail } from '../../src/platform/outbound/mail/mail.js';
import { createMailer } from '../../src/platform/outbound/mail/mailer.js';
import { makeNoticesDue, noticeSender } from '../support/notices.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { makeTeam, smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useStoryApi } from '../support/story-api.js';

const stores = useStores();
const api = useStoryApi(stores);
const MONITORED = { monitor_failures: true, recipients: ['soc@example.test', 'it@example.test'] };

let sent: { tenantId: number; mail: Mail }[] = [];
let fails = false;
let tried: string[] = [];
const settings = () => ({ database: stores.db, baseUrl: 'https://fabula.example', logger: stores.logger });
/** Tells of failures, and sends what is due. */
const notifier = () => ({
  async tick() {
    await createFailureNotifier(settings()).tick();
    await noticeSender(stores, {
      async mail(mail, tenantId) {
        tried.push(mail.messageId);
        if (fails) throw new Error('no mail server');
        sent.push({ tenantId, mail });
      },
    }).tick();
  },
});

beforeEach(() => {
  sent = [];
  fails = false;
  tried = [];
});

async function withStory(settings: object) {
  const actor = await makeTeam(stores.db);
  const data = smallExport({ ...settings });
  const { story } = await api.stories.import(actor, { new_name: 'Triage', data });
  const agents = await stores.db.read((session) =>
    session.rows<{ id: number; name: string }>(
      'SELECT id, name FROM agents WHERE story_id = ? ORDER BY position',
      [story.id],
    ),
  );
  const fail = (agent: number, error: string, minutesAgo = 0) =>
    stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, error, due_at, failed_at)
       VALUES ('r', ?, ?, 1, 'email', 1, 'failed', ?, NOW(3) - INTERVAL ? MINUTE, NOW(3))`,
      [story.id, agents[agent]!.id, error, minutesAgo],
    );
  return { actor, story, agents, fail };
}

const later = (minutes: number) =>
  stores.sql(
    `UPDATE story_failure_notices SET tried_at = tried_at - INTERVAL ? MINUTE,
       told_up_to = told_up_to - INTERVAL ? MINUTE`,
    [minutes, minutes],
  );

test('recipients of a monitored story get one mail about all that failed', async () => {
  const { actor, story, agents, fail } = await withStory(MONITORED);
  await fail(1, 'No such host <a>');
  await fail(1, 'No such host <a>');
  await fail(2, `See https://fabula.example/webhook/small/${'s'.repeat(32)}`);
  await notifier().tick();
  const [{ tenantId, mail } = { tenantId: 0, mail: undefined }] = sent;
  expect([sent.length, tenantId]).toEqual([1, actor.tenantId]);
  expect(mail?.bcc).toEqual([{ address: 'soc@example.test' }, { address: 'it@example.test' }]);
  expect(mail?.subject).toBe(`[Story ${story.id}] Failures in Triage`);
  expect(mail?.text).toContain(
    `- ${agents[1]!.name} (2 times): No such host <a>\n- ${agents[2]!.name} (once)`,
  );
  expect(mail?.text).toContain(`https://fabula.example/api/v1/dead_letters?story_id=${story.id}`);
  expect(mail?.text).not.toContain('ssss');
  expect(mail?.html).toContain('No such host &lt;a&gt;');
});

test('the mail quotes the cause of the last failure, and leads to its group in the console', async () => {
  const { story, agents, fail } = await withStory(MONITORED);
  await fail(1, '192.0.2.7:443 answered 500', 2);
  await fail(1, '192.0.2.8:443 answered 500');
  await stores.sql("UPDATE deliveries SET cause = '500 · The store is closed' WHERE error LIKE '192.0.2.8%'");
  await createFailureNotifier({ ...settings(), consoleUrl: 'https://console.example/console/' }).tick();
  await notifier().tick();
  const query = `of=${story.id}&action=${agents[1]!.id}&kind=%3Caddress%3E+answered+500`;
  expect(sent[0]?.mail.text).toContain(
    `- ${agents[1]!.name} (2 times): 500 · The store is closed\n  https://console.example/console/dead-letters?${query}\n`,
  );
});

test('the mail names the owner, quotes the beginning of the runbook, and leads to the rest', async () => {
  const steps = Array.from({ length: 20 }, (_, step) => `${step + 1}. Step`).join('\n');
  const { actor, story, fail } = await withStory({ ...MONITORED, runbook: `\n# Triage\n${steps}\n` });
  await stores.sql("UPDATE users SET first_name = 'Ada', last_name = 'Lovelace' WHERE id = ?", [
    actor.userId,
  ]);
  await stores.sql('UPDATE stories SET owner_user_id = ? WHERE id = ?', [actor.userId, story.id]);
  await fail(1, 'No such host');
  await createFailureNotifier({ ...settings(), consoleUrl: 'https://console.example/console/' }).tick();
  await notifier().tick();
  const text = sent[0]?.mail.text;
  expect(text).toContain('\n\nOwner: Ada Lovelace\n\n');
  const link = `https://console.example/console/stories/${story.id}?view=settings`;
  expect(text).toContain(`\nRunbook: ${link}\n# Triage\n1. Step\n`);
  expect(text).toContain('7. Step\n…\n');
  expect(text).not.toContain('8. Step');
});

test('the mail goes to each recipient through a mail server', async () => {
  const smtp = await startSmtpServer();
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    mailFrom: 'Fabula <fabula@example.test>',
    dataDir: '/nonexistent',
  });
  stores.onClose(async () => {
    await mailer.close();
    await smtp.close();
  });
  const { fail } = await withStory(MONITORED);
  await fail(1, 'No such host');
  await createFailureNotifier(settings()).tick();
  await noticeSender(stores, { mail: (mail) => mailer.send(mail) }).tick();
  expect(smtp.mails).toHaveLength(1);
  expect(JSON.stringify(smtp.mails[0])).toContain('soc@example.test');
  expect(JSON.stringify(smtp.mails[0])).toContain('it@example.test');
});

test('there is one mail in ten minutes, about what failed since the last one', async () => {
  const { fail } = await withStory(MONITORED);
  await fail(1, 'first');
  await Promise.all([notifier().tick(), notifier().tick()]);
  await fail(1, 'second');
  await notifier().tick();
  expect(sent).toHaveLength(1);
  await later(9);
  await notifier().tick();
  expect(sent).toHaveLength(1);
  await later(2);
  await notifier().tick();
  await notifier().tick();
  expect(sent.map(({ mail }) => mail.text.includes('second'))).toEqual([false, true]);
});

test('processes that tell of stories at the same time do not conflict', async () => {
  for (let turn = 0; turn < 20; turn++) {
    const { fail } = await withStory(MONITORED);
    await fail(1, 'first');
    await Promise.all(Array.from({ length: 4 }, () => createFailureNotifier(settings()).tick()));
  }
  await makeNoticesDue(stores);
  await notifier().tick();
  expect(sent).toHaveLength(20);
});

test('a mail that could not be sent is tried again in a minute', async () => {
  const { fail } = await withStory(MONITORED);
  await fail(1, 'first');
  fails = true;
  await notifier().tick();
  fails = false;
  await notifier().tick();
  expect(sent).toEqual([]);
  await makeNoticesDue(stores);
  await notifier().tick();
  expect(sent[0]?.mail.text).toContain('first');
  // Every attempt is the same mail.
  expect([tried.length, new Set(tried).size]).toEqual([2, 1]);
});

test.each([
  ['is not monitored', { monitor_failures: false, recipients: ['soc@example.test'] }, 0],
  ['has no recipients', { monitor_failures: true, recipients: [''] }, 0],
  ['failed long ago', MONITORED, 31],
])('nobody is told of a story that %s', async (_why, settings, minutesAgo) => {
  const { fail } = await withStory(settings);
  await fail(1, 'x', minutesAgo);
  await notifier().tick();
  expect(sent).toEqual([]);
});

test('a failure from before its action was disabled is told', async () => {
  const { agents, fail } = await withStory(MONITORED);
  await fail(1, 'before');
  await stores.sql('UPDATE agents SET disabled = TRUE WHERE id = ?', [agents[1]!.id]);
  await notifier().tick();
  expect(sent[0]?.mail.text).toContain('before');
});

test('a monitored action is told of, the others of its story are not', async () => {
  const [hook, work] = smallExport().agents;
  const watched = { ...work!, monitoring: { monitor_all_events: false, monitor_failures: true } };
  const { fail, agents } = await withStory({
    recipients: ['soc@example.test'],
    agents: [hook!, watched, { ...smallExport().agents[2]!, monitoring: { monitor_failures: false } }],
  });
  await fail(0, 'not told');
  await fail(2, 'not told');
  await notifier().tick();
  expect(sent).toEqual([]);
  await fail(1, 'told');
  await notifier().tick();
  const [{ mail } = { mail: undefined }] = sent;
  expect(mail?.text).toContain(`- ${agents[1]!.name} (once): told\n\n`);
  expect(mail?.text).not.toContain('not told');
});

test('nobody is told of a draft', async () => {
  const { fail, story } = await withStory(MONITORED);
  await fail(1, 'x');
  await stores.sql('UPDATE stories SET draft_of = 1 WHERE id = ?', [story.id]);
  await notifier().tick();
  expect(sent).toEqual([]);
});

test('rows of a day ago are deleted', async () => {
  const { fail } = await withStory(MONITORED);
  await fail(1, 'x', 20);
  await notifier().tick();
  await stores.sql('DELETE FROM deliveries');
  await later(25 * 60);
  await notifier().tick();
  const rows = await stores.db.read((session) => session.rows('SELECT * FROM story_failure_notices'));
  expect(rows).toEqual([]);
});
