import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const LETTERS = 14;

describeInBrowser('a canary retry in the console', () => {
  const { fabula, signIn } = useConsole(stores);
  let target: HttpTarget;
  let page: Page;

  beforeEach(async () => {
    target = await startHttpTarget({ rules: { '/ask': { status: 400 } } });
    page = await signIn();
    // An answer of 400 is final.
    const ask = { url: `${target.url}/ask`, method: 'post', payload: '=hook.body', fail_on_status: ['400'] };
    const data = storyOf({ Hook: ['Webhook', {}], Ask: ['HTTPRequest', ask] }, ['Hook > Ask']);
    const { webhooks } = await fabula.importStory(data, { new_name: 'Tickets' });
    for (let n = 1; n <= LETTERS; n++) await fabula.fire(webhooks['Hook']!, { n });
    await eventually(async () => (await fabula.deadLetters()).length === LETTERS);
    target.clear();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Dead letters' }).click();
    await page.locator('.group-place a').click();
  });

  afterEach(() => target.close());

  const retryOneFirst = async () => {
    await page.getByRole('button', { name: 'Retry 1 first' }).click();
    await page.getByRole('heading', { name: `Retry ${LETTERS} dead letters, 1 first?` }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry 1 first' }).click();
  };
  const line = (of: Page = page) => of.getByRole('region', { name: 'Canary retry' });

  test('the same error stops it after one, and a mended cause takes all but those that still fail', async () => {
    await retryOneFirst();
    await line().getByText('Stopped: the same error came back').waitFor();
    await line().getByText('0 passed, 1 failed, 13 not retried').waitFor();
    expect(target.requests).toHaveLength(1);

    // One of them is wrong by itself.
    target.on('/ask', ({ text }) => ({ status: text === '{"n":14}' ? 400 : 200 }));
    await retryOneFirst();
    await line().getByText('Retry completed').waitFor({ timeout: 30_000 });
    await line().getByText('13 passed, 1 failed').waitFor();
    await page.getByText('1 dead letter', { exact: true }).waitFor();
    await page.reload();
    await line().getByText('13 passed, 1 failed').waitFor();
  });

  test('another person sees it and stops it, and its result stays when no letter is left', async () => {
    // The first one goes on until it is stopped, however long a person takes for that.
    const stop = new EventEmitter();
    target.on('/ask', { status: 200, after: once(stop, 'seen') });
    await retryOneFirst();
    await line().getByText('Retrying 1 first').waitFor();
    const colleague = await signIn();
    await colleague.goto(page.url());
    await line(colleague).getByRole('button', { name: 'Stop' }).click();
    await line(colleague)
      .getByText(/^Stopped by/)
      .waitFor();
    await line(page)
      .getByText(/^Stopped by/)
      .waitFor();
    await line(page).getByText('0 passed, 0 failed, 1 still running, 13 not retried').waitFor();
    stop.emit('seen');
    await line(page).getByText('1 passed, 0 failed, 13 not retried').waitFor({ timeout: 15_000 });
    expect(target.requests).toHaveLength(1);

    target.on('/ask', { status: 200 });
    await page.getByRole('button', { name: 'Retry all 13' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry all' }).click();
    await page.getByText('No dead letters left in this group.').waitFor();
    // Nothing is left to retry or to drop, and the page still says what it was about.
    await page.getByRole('heading', { level: 1, name: '400 · Bad Request' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Retry|Drop) all/ }).count()).toBe(0);
    await page.reload();
    await line(page)
      .getByText(/^Stopped by/)
      .waitFor();
  });
});
