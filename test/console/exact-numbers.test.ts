import type { Browser, Page } from 'playwright-core';
import { CHROMIUM } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { type ConsoleOrigin, openConsole } from '../support/console/console-origin.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const PATIENCE_MS = 120_000;
const LONG = '12345678901234567890';
const FINE = '0.12345678901234567891';

const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser('numbers of many digits in the console', () => {
  let browser: Browser;
  let fabula: TestFabula;
  let origin: ConsoleOrigin;
  let page: Page;

  beforeAll(async () => {
    fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
    origin = openConsole(stores, fabula);
    browser = await startChromium();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(PATIENCE_MS);
    page = await context.newPage();
    await page.goto(await origin.newLink());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await fabula?.close();
  });

  test('are shown, found and sent again with all of them', async () => {
    const story = storyOf({ Hook: ['Webhook', {}], Say: says({ id: '<<hook.body.id>>' }) }, ['Hook > Say']);
    const { webhooks } = await fabula.importStory(story, { new_name: 'Digits' });
    await fetch(`${fabula.url}/webhook/${webhooks['Hook']}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"id":${LONG},"ratio":${FINE}}`,
    });
    await fabula.settled();

    await page.goto(`${origin.url}/console/events?path=body.id&value=${LONG}`);
    await page.getByRole('link', { name: 'Hook', exact: true }).click();
    await page.getByRole('treeitem', { name: LONG }).waitFor();
    await page.getByRole('treeitem', { name: FINE }).waitFor();

    await page.goto(`${origin.url}/console/runs`);
    await page.getByRole('link', { name: 'Digits' }).click();
    await page.getByRole('treeitem', { name: /Say/ }).click();
    await page.getByRole('button', { name: 'Run from here…' }).click();
    const payload = page.getByRole('textbox', { name: 'Payload' });
    await payload.waitFor();
    expect(await payload.inputValue()).toContain(`"ratio": ${FINE}`);
    expect(await page.getByText('rounded here').count()).toBe(0);
    const before = page.url();
    await page.getByRole('button', { name: 'Start the run' }).click();
    await eventually(() => Promise.resolve(page.url() !== before), PATIENCE_MS);
    await fabula.settled();
    const stored = await (await fabula.api('GET', '/api/v1/events?per_page=20')).text();
    expect(stored.split(LONG).length - 1).toBeGreaterThan(2);
    expect(stored).toContain(FINE);
  });
});
