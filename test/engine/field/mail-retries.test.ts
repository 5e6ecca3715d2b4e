import type { JsonObject } from '../../../src/platform/json.js';
import { eventually } from '../../support/eventually.js';
import { startFabula } from '../../support/fabula.js';
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let smtp: SmtpTestServer;

beforeAll(async () => {
  smtp = await startSmtpServer();
});
beforeEach(() => smtp.clear());
afterAll(() => smtp.close());

const progressOf = () =>
  stores.db.read((session) =>
    session.rows<{ progress: string | null; attempts: number }>(
      "SELECT mail_progress AS progress, attempts FROM deliveries WHERE queue = 'email'",
    ),
  );
const start = () =>
  startFabula(stores, { env: { SMTP_URL: smtp.url, MAIL_FROM: 'Fabula <fabula@example.org>' } });

async function fire(options: JsonObject) {
  const fabula = await start();
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: `hook${Math.random()}`, secret: 's3cret', verbs: 'post' }],
        Mail: ['Email', { subject: 'S', body: 'B', ...options }],
      },
      ['Receive > Mail'],
    ),
  );
  await fabula.fire(story.webhooks['Receive']!);
}

describe('B5: who has a mail is stored with the delivery, so nobody gets it twice', () => {
  test('one greylisted address of two', async () => {
    smtp.refuse('grey@example.com', 450, 'Greylisted');
    await fire({ recipients: 'ann@example.com, grey@example.com' });
    const [row] = await eventually(async () => {
      const rows = await progressOf();
      return typeof rows[0]?.progress === 'string' && rows;
    });
    expect(row!.attempts).toBeGreaterThan(0);
    expect(row!.progress).not.toContain('example.com');
    smtp.accept('grey@example.com');
    await eventually(async () => (await progressOf()).length === 0);
    expect(smtp.mails.map(({ to }) => to)).toEqual([['ann@example.com'], ['grey@example.com']]);
  });

  test('a list that is too long for one transaction, in a loop', async () => {
    smtp.limitRecipients(2);
    const recipients = ['a@example.com', 'b@example.com', 'c@example.com'];
    await fire({ recipients, loop: [1, 2] });
    await eventually(() => smtp.mails.length === 4);
    await eventually(async () => (await progressOf()).length === 0);
    expect(smtp.mails.map(({ to }) => to.length)).toEqual([2, 1, 2, 1]);
  });
});
