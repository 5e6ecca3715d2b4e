import { eventually } from '../eventually.js';
import type { FabulaOptions, TestFabula } from '../fabula.js';
import { call as callApi } from '../run-api.js';
import { storyOf } from '../stories.js';

/** Queues of a Fabula in which nobody serves `http-request`. */
const SERVED = [
  'webhook-events',
  'story-runs',
  'event-transformation',
  'trigger',
  'email',
  'send-to-story',
] as const;

/** Mails of a day that the tenant may send. */
const MAIL_QUOTA = 5;
const MAILS = 20;
const QUESTIONS = 3;

/** Options of a Fabula whose tenant may send few mails, and in which nobody serves `http-request`. */
export const holding = (smtpUrl: string): FabulaOptions => ({
  queues: SERVED,
  env: {
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Fabula <fabula@example.org>',
    QUOTA_MAILS_PER_DAY: String(MAIL_QUOTA),
  },
});

/** Has 20 mails meet a quota of five, and three requests wait in a queue that nobody serves. Returns the ids of both stories. */
export async function buildHeldWork(fabula: TestFabula): Promise<{ mails: number; questions: number }> {
  const mails = await fabula.importStory(
    storyOf(
      {
        Hook: ['Webhook', {}],
        'Tell the shift': ['Email', { recipients: ['shift@example.com'], subject: 'Alert', body: 'Look.' }],
      },
      ['Hook > Tell the shift'],
      { name: 'Shift mails' },
    ),
  );
  const questions = await fabula.importStory(
    storyOf(
      {
        Hook: ['Webhook', {}],
        'Ask the inventory': ['HTTPRequest', { url: 'https://inventory.example/hosts' }],
      },
      ['Hook > Ask the inventory'],
      { name: 'Inventory' },
    ),
  );
  // The quota is met once the process has added up what it sent.
  for (let call = 0; call < MAIL_QUOTA; call += 1) await fabula.fire(mails.webhooks['Hook']!, { call });
  await usedUp(fabula);
  for (let call = MAIL_QUOTA; call < MAILS; call += 1) await fabula.fire(mails.webhooks['Hook']!, { call });
  for (let call = 0; call < QUESTIONS; call += 1) await fabula.fire(questions.webhooks['Hook']!, { call });
  return { mails: mails.id, questions: questions.id };
}

/** Waits until the tenant has used up its quota of mails; processes add up what they sent every few seconds. */
async function usedUp(fabula: TestFabula): Promise<void> {
  await eventually(async () => {
    const { body } = await callApi(fabula, 'GET /api/v1/tenants/current/usage');
    const { quotas } = body as { quotas: { name: string; used: number }[] };
    return quotas.some(({ name, used }) => name === 'mails_per_day' && used >= MAIL_QUOTA);
  });
}
