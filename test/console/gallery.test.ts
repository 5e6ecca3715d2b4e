import type { Browser, Page } from 'playwright-core';
import { CHROMIUM } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { type ConsoleOrigin, openConsole } from '../support/console/console-origin.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { galleryFolders } from '../support/gallery.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const PATIENCE_MS = 120_000;

const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser(`the gallery (${CHROMIUM ?? 'left out: no Chromium on this machine'})`, () => {
  let fabula: TestFabula;
  let browser: Browser;
  let origin: ConsoleOrigin;
  let page: Page;

  beforeAll(async () => {
    fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
    origin = openConsole(stores, fabula);
    browser = await startChromium();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    page = await context.newPage();
    await page.goto(await origin.newLink());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await fabula?.close();
  });

  const cards = () => page.locator('.gallery-card');
  const dialog = () => page.getByRole('dialog');

  // One test: data does not outlive a test.
  test('a person finds a story, uses it, tries its sample event, and starts a run with it', async () => {
    await page.goto(`${origin.url}/console/gallery`);
    await page.getByRole('heading', { name: 'Alert triage' }).waitFor();
    expect(await cards().count()).toBe(galleryFolders().length);
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('report');
    await page.getByRole('heading', { name: 'Alert triage' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search the gallery' }).fill('nothing like it');
    await page.getByRole('button', { name: 'Show all of them' }).click();
    await page.getByRole('searchbox', { name: 'Search the gallery' }).fill('gathers what comes in');
    await page.waitForURL(/search=gathers/);
    expect(await cards().count()).toBe(1);
    await cards().getByText('Needs 1 value').click();
    await cards().getByText('a list of mail addresses').waitFor();

    await cards().getByRole('button', { name: 'Use this story' }).click();
    await dialog().getByText('nothing is wrong with it').waitFor();
    await dialog().getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'A sample for Daily digest' }).waitFor();

    await dialog().getByText('The team lacks 1 value').waitFor();
    await dialog().getByRole('button', { name: 'Make them with samples' }).click();
    await dialog().getByText('The team lacks 1 value').waitFor({ state: 'detached' });
    const body = dialog().getByRole('textbox', { name: 'Body of the call' });
    await body.fill('{"kind": ');
    await dialog().getByRole('alert').waitFor();
    expect(await dialog().getByRole('button', { name: 'Start the run' }).isDisabled()).toBe(true);
    await body.fill('{"kind": "release", "title": "Seen in a test"}');
    await dialog().getByRole('button', { name: 'Try without sending' }).click();
    await dialog().getByText('it would pass').waitFor();
    await dialog().getByText('Mail the digest').waitFor();

    await dialog().getByRole('button', { name: 'Start the run' }).click();
    await page.waitForURL(/\/runs\/\d+\//);
    await page
      .getByRole('treeitem', { name: /Keep the essence/ })
      .first()
      .click();
    await page.getByText('"Seen in a test"').first().waitFor();

    await page.goBack();
    await page.getByRole('heading', { name: 'A sample for Daily digest' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.action-box').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });
});
