import type { Page } from 'playwright-core';
import { failureNotice } from '../../src/operate/monitoring/notices/failure-notice.js';
import { describeInBrowser, NARROW } from '../support/browser.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { agentIds, call } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Nothing listens there: the request ends at once, and the action emits that. */
const REFUSED = 'http://127.0.0.1:9/';

describeInBrowser('mending in the console', () => {
  const { fabula, open, origin, signIn } = useConsole(stores);
  let page: Page;

  beforeEach(async () => {
    page = await signIn();
  });

  test('a group of dead letters is tried, mended, and retried: one first, then all', async () => {
    const options = { url: 'nowhere', method: 'get', retry_on_status: [] };
    const data = storyOf({ Hook: ['Webhook', {}], Ask: ['HTTPRequest', options] }, ['Hook > Ask']);
    const story = await fabula.importStory(data, { new_name: 'Broken' });
    const [address = ''] = Object.values(story.webhooks);
    for (const n of [1, 2, 3]) await fabula.fire(address, { n });
    await fabula.settled();
    const { Ask: ask } = await agentIds(fabula, story.id);

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Dead letters' }).click();
    await page.locator('.group-place a').click();
    await page.getByText('not an address').first().waitFor();

    const look = page.getByRole('button', { name: /^View dead letter/ }).first();
    const tryIt = async () => {
      await look.click();
      await page.getByRole('tab', { name: 'Trial' }).click();
      await page.getByRole('button', { name: 'Run trial' }).click();
    };
    await page.getByText('No HTTP request was recorded for this dead letter.').waitFor();
    await tryIt();
    await page.getByText('would fail').waitFor();

    const mended = await fabula.api('PUT', `/api/v1/actions/${ask}`, {
      options: { ...options, url: REFUSED },
    });
    expect(mended.status).toBe(200);
    await tryIt();
    await page.getByText('would succeed').waitFor();
    expect(await fabula.deadLetters()).toHaveLength(3);

    await page
      .getByRole('button', { name: /^Retry dead letter/ })
      .first()
      .click();
    await page.getByText('succeeded').waitFor();
    await page.getByRole('button', { name: 'Retry all' }).click();
    await page.getByRole('heading', { name: 'Retry 2 dead letters?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry all' }).click();
    await page.getByText('2 of 2 retried').waitFor();
    await page.getByText('No dead letters left in this group.').waitFor();
    await fabula.settled();
    expect(await fabula.deadLetters()).toEqual([]);
  });

  test('a webhook shows its ready call, the event of the next call, and why a call was refused', async () => {
    const data = storyOf({ Hook: ['Webhook', {}] }, []);
    const story = await fabula.importStory(data, { new_name: 'Called' });
    const [address = ''] = Object.values(story.webhooks);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('link', { name: 'Hook', exact: true }).click();
    await page.getByText('openssl dgst -sha256').waitFor();
    const call = page.getByRole('region', { name: 'Example call' });
    const secret = address.split('/').at(-1) ?? '';
    expect(await call.textContent()).not.toContain(secret);
    await page.getByRole('button', { name: 'Show secret' }).click();
    expect(await call.textContent()).toContain(secret);

    await page.getByRole('button', { name: 'Wait for the next call' }).click();
    await page.getByText('Waiting for a call').waitFor();
    await fabula.fire(address, { seen: 'in the console' });
    await page.getByText('"in the console"').waitFor();
    await page.getByRole('button', { name: 'Wait for another call' }).click();
    await page.getByText('Waiting for a call').waitFor();
    expect((await fetch(`${fabula.url}/webhook/${address}x`, { method: 'POST' })).status).toBe(401);
    await page.getByRole('status').getByText('The secret or signature is wrong').waitFor();
  });

  test('a group of dead letters is dropped after a question', async () => {
    const data = storyOf({ Hook: ['Webhook', {}], Ask: ['HTTPRequest', { url: 'nowhere' }] }, ['Hook > Ask']);
    const story = await fabula.importStory(data, { new_name: 'Broken' });
    const [address = ''] = Object.values(story.webhooks);
    for (const n of [1, 2]) await fabula.fire(address, { n });
    await fabula.settled();

    await open(page, `/dead-letters?story=${story.id}`);
    await page.locator('.group-place a').click();
    await page.getByRole('button', { name: 'Drop all' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Sent by hand');
    await page.getByRole('dialog').getByRole('button', { name: 'Drop all' }).click();
    await page.getByText('2 of 2 dropped').waitFor();
    const { body } = await call(fabula, 'GET /api/v1/audit_logs?action=dead_letter.drop_many');
    const reasons = body.audit_logs.map(({ reason }: { reason: string }) => reason);
    expect(reasons).toEqual(['Sent by hand']);
    await page.getByRole('link', { name: 'All dead letters' }).click();
    await page.getByText('No dead letters match these filters.').waitFor();
    expect(await fabula.deadLetters()).toEqual([]);
  });

  test('the link of an alert leads to its group, which a phone shows whole', async () => {
    const data = storyOf({ Hook: ['Webhook', {}], Ask: ['HTTPRequest', { url: 'nowhere' }] }, ['Hook > Ask']);
    const story = await fabula.importStory(data, { new_name: 'Broken' });
    const [address = ''] = Object.values(story.webhooks);
    for (const n of [1, 2]) await fabula.fire(address, { n });
    await fabula.settled();
    const { Ask: ask = 0 } = await agentIds(fabula, story.id);
    const { body } = await call(fabula, 'GET /api/v1/dead_letters');
    const { error } = body.dead_letters[0] as { error: string };
    const now = new Date();
    const { actions } = failureNotice({
      story: { id: story.id, name: 'Broken', runbook: '' },
      ownerName: undefined,
      actions: [{ id: ask, name: 'Ask', failures: 2, error, cause: null, firstAt: now, lastAt: now }],
      baseUrl: fabula.url,
      consoleUrl: `${origin().url}/console/`,
    });

    await page.setViewportSize(NARROW);
    await page.goto(actions[0]?.link ?? '');
    await page.getByRole('heading', { level: 1, name: error }).waitFor();
    await page.getByText('2 dead letters', { exact: true }).waitFor();
    await page.getByText('No HTTP request was recorded for this dead letter.').waitFor();
    expect(await overflowOf(page)).toBe(0);
    // The first and the last failure stand apart, and their words fit.
    const times = page.locator('.group-facts time');
    expect(await times.count()).toBe(2);
    const boxes = [await times.first().boundingBox(), await times.last().boundingBox()];
    const [first, last] = boxes.map((box) => box!);
    const isApart = last!.x >= first!.x + first!.width + 8 || last!.y >= first!.y + first!.height;
    expect(isApart).toBe(true);
    const retry = (await page.getByRole('button', { name: 'Retry all' }).boundingBox())!;
    expect(retry.y + retry.height).toBeLessThan(NARROW.height);
    expect(await faultsInThemes(page, 'a group on a phone')).toEqual([]);
  });
});
