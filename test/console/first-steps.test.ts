import type { Page } from 'playwright-core';
import { READY_STORY } from '../../src/console/pages/home/first-steps/ready-story.js';
import { describeInBrowser, NARROW, WIDE } from '../support/browser.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const LOOKED_AT_MS = 15 * 60_000;
const READY = storyOf({ Hook: ['Webhook', {}], Say: says({ ok: true }) }, ['Hook > Say'], { name: 'Demo' });

describeInBrowser('the first steps', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;
  const card = () => page.getByRole('region', { name: 'First steps' });
  const done = () => card().getByRole('img', { name: 'Done' });

  async function faults(place: string): Promise<string[]> {
    const found: string[] = [];
    for (const viewport of [NARROW, WIDE]) {
      await page.setViewportSize(viewport);
      found.push(...(await faultsInThemes(page, `${place}, ${viewport.width} px`)));
      const wider = await overflowOf(page);
      if (wider !== 0) found.push(`${place} is ${wider} px wider than ${viewport.width} px`);
    }
    return found;
  }

  test(
    'lead from an empty home to a story of one’s own that answers its webhook, with the mouse',
    async () => {
      await fabula.importStory(READY);
      page = await signIn();
      await card().getByText('Create a story of your own').waitFor();
      expect(await faults('home with first steps')).toEqual([]);
      await card().getByRole('button', { name: 'New story' }).click();
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('My first story');
      // The proposed name gives way to the first letter.
      await page.keyboard.type('Mine');
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Mine');
      await page.getByRole('button', { name: 'Create and edit' }).click();

      await card().getByText('Step 2 of 4').waitFor();
      expect(await faults('editor with first steps')).toEqual([]);
      await page.getByRole('button', { name: 'Answer with a transformation' }).click();
      await page.getByRole('heading', { name: 'Answer', exact: true }).waitFor();
      // The value of the sample stands below the field.
      await page.getByText('Received Ada').first().waitFor();
      await card().getByText('Step 3 of 4').waitFor();
      await card().getByRole('button', { name: 'Open the webhook' }).click();
      // It leads to what is pressed next.
      await page.locator('button:focus-visible', { hasText: 'Send test call' }).click();
      const response = page.getByRole('form', { name: 'Test call' });
      await response.getByText('"message": "Received Ada"').waitFor();
      await card().getByText('All first steps are done.').waitFor();
      expect(await faults('editor after first steps')).toEqual([]);
      await response.getByRole('link', { name: 'the run' }).click();
      await page.getByRole('heading', { name: 'Answer', exact: true }).waitFor();

      await open(page, '/');
      const end = page.getByRole('region', { name: 'Your story answers calls' });
      await end.getByText('See the response').waitFor();
      await end.getByRole('button', { name: 'Hide the first steps' }).click();
      await page.reload();
      await page.getByRole('region', { name: 'Status' }).waitFor();
      expect(await page.getByText('Create a story of your own').count()).toBe(0);
    },
    LOOKED_AT_MS,
  );

  test('are ticked by a call from outside, whose program has the response', async () => {
    page = await signIn();
    await card().getByRole('button', { name: 'New story' }).click();
    await page.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('button', { name: 'Answer with a transformation' }).click();
    await card().getByText('Step 3 of 4').waitFor();
    await card().getByRole('button', { name: 'Open the webhook' }).click();
    const shown = page.getByRole('region', { name: 'curl call' });
    expect(await shown.textContent()).toContain(`-d '{"name":"Ada","city":"London"}'`);
    const url = await webhookUrl();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Grace"}',
    });
    expect([response.status, await response.json()]).toEqual([200, { message: 'Received Grace' }]);
    await card().getByText('All first steps are done.').waitFor();
  });

  test('need no mouse', async () => {
    page = await signIn();
    const press = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true });
      await button.waitFor();
      await tabTo(page, name);
      await page.keyboard.press('Enter');
    };
    await press('New story');
    await page.getByRole('dialog').waitFor();
    await press('Create and edit');
    await card().getByText('Step 2 of 4').waitFor();
    await press('Answer with a transformation');
    await page.getByRole('heading', { name: 'Answer', exact: true }).waitFor();
    await press('Open the webhook');
    await press('Send test call');
    await page.getByRole('form', { name: 'Test call' }).getByText('"message": "Received Ada"').waitFor();
    await card().getByText('All first steps are done.').waitFor();
  });

  test('are not shown where there are runs, and not begun again', async () => {
    const { webhooks } = await fabula.importStory(READY);
    await fabula.fire(webhooks['Hook']!, { n: 1 });
    await fabula.settled();
    page = await signIn();
    await page.getByRole('region', { name: 'Status' }).waitFor();
    await eventually(
      async () => (await page.evaluate(`localStorage.getItem('fabula.first-steps')`)) === 'off',
    );
    expect(await card().count()).toBe(0);
  });

  test('are shown also once the printed call of the ready story was sent', async () => {
    const { webhooks } = await fabula.importStory({ ...READY, name: READY_STORY });
    await fabula.fire(webhooks['Hook']!, { name: 'Ada' });
    await fabula.settled();
    page = await signIn();
    await card().getByRole('button', { name: 'New story' }).waitFor();
  });

  test('begin again when their story was deleted', async () => {
    page = await signIn();
    await card().getByRole('button', { name: 'New story' }).click();
    await page.getByRole('button', { name: 'Create and edit' }).click();
    await card().getByText('Step 2 of 4').waitFor();
    const id = /stories\/(\d+)/.exec(page.url())?.[1];
    await fabula.api('DELETE', `/api/v1/stories/${id}`);
    await open(page, '/');
    await card().getByRole('button', { name: 'New story' }).waitFor();
    expect(await done().count()).toBe(0);
  });

  async function webhookUrl(): Promise<string> {
    const response = await fabula.api('GET', '/api/v1/webhooks');
    const { webhooks } = (await response.json()) as { webhooks: { url: string }[] };
    return webhooks[0]!.url;
  }
});

/** Presses Tab until a button has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const MOST = 200;
  for (let tabs = 0; tabs < MOST; tabs += 1) {
    const focused = await page.evaluate(`document.activeElement?.textContent?.trim()`);
    if (focused === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${MOST} presses of Tab do not lead to ${name}`);
}
