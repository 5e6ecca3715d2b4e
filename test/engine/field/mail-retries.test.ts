import type { JsonObject } from '../../../src/platform/json.js';
import { eventually } from '../../support/eventually.js';
import { startFabula } from '../../support/fabula.js';
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.js';
import { startHttpTarget } from '../../support/http-target.js';
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

const asText = (contents: string) => ({ filename: 'a.png', base64encodedcontents: `<<${contents}>>` });
const asFormula = (contents: string) => `={filename: "a.png", base64encodedcontents: ${contents}}`;

describe('I6: attachments of 25 MiB together', () => {
  const MB = 1024 * 1024;

  /** A story that gets a file of so many bytes, and mails it as two attachments, which hold parts of these sizes. */
  async function mailFile(sizes: number[], attachments: (contents: string) => unknown) {
    const rules = Object.fromEntries(
      sizes.map((size, index) => [
        `/${index}`,
        { body: Buffer.alloc(size, 0xff), headers: { 'content-type': 'image/png' } },
      ]),
    );
    const target = await startHttpTarget({ rules });
    const fabula = await startFabula(stores, {
      env: { SMTP_URL: smtp.url, MAIL_FROM: 'fabula@example.org', HTTP_MAX_RESPONSE_BYTES: String(40 * MB) },
    });
    const gets = sizes.map(
      (_, index) =>
        [`Get${index}`, ['HTTPRequest', { url: `${target.url}/${index}`, method: 'get' }]] as const,
    );
    const names = gets.map(([name]) => name);
    const story = await fabula.importStory(
      storyOf(
        {
          Receive: ['Webhook', { path: `files${Math.random()}`, secret: 's3cret', verbs: 'post' }],
          ...Object.fromEntries(gets),
          Mail: [
            'Email',
            {
              subject: 'S',
              body: 'B',
              recipients: 'ann@example.com',
              attachments: sizes.map((_, index) => attachments(`get${index}.body`)),
            },
          ],
        } as never,
        [['Receive', ...names, 'Mail'].join(' > ')],
      ),
    );
    await fabula.fire(story.webhooks['Receive']!);
    // A busy machine takes long to encode and send these.
    await fabula.settled(90_000);
    await target.close();
    return fabula;
  }

  test.each([
    ['two of 9 MB', [9 * MB, 9 * MB], asText],
    ['one of 18 MB', [18 * MB], asText],
    ['24 MB in two, as objects', [12 * MB, 12 * MB], asFormula],
  ])('I6: %s are sent', async (_what, sizes, attachments) => {
    const fabula = await mailFile(sizes, attachments);
    expect(await fabula.deadLetters()).toEqual([]);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(smtp.mails[0]!.raw.length).toBeGreaterThan((bytes * 4) / 3);
  });

  test('I6: more than that is named', async () => {
    const fabula = await mailFile([13 * MB, 13 * MB], asText);
    expect(await fabula.deadLetters()).toMatchObject([
      { error: 'attachments: together larger than 26214400 bytes' },
    ]);
    expect(smtp.mails).toEqual([]);
  });
});
