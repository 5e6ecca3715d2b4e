import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { useConsole } from '../support/console/use-console.js';
import { galleryFolders } from '../support/gallery.js';
import { call } from '../support/run-api.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const stores = useStores();

describeInBrowser('the gallery', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;

  const cards = () => page.locator('.gallery-card');
  const dialog = () => page.getByRole('dialog');

  // One test: data does not outlive a test.
  test('a person finds a story, uses it, tries its sample event, and starts a run with it', async () => {
    page = await signIn();
    await open(page, '/gallery');
    await page.getByRole('heading', { name: 'Alert triage' }).waitFor();
    expect(await cards().count()).toBe(galleryFolders().length);
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('report');
    await page.getByRole('heading', { name: 'Alert triage' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search the gallery' }).fill('nothing like it');
    await page.getByRole('button', { name: 'Show all stories' }).click();
    await page.getByRole('searchbox', { name: 'Search the gallery' }).fill('gathers what comes in');
    await page.waitForURL(/search=gathers/);
    expect(await cards().count()).toBe(1);
    await cards().getByText('Needs 1 value').click();
    await cards().getByText('a list of mail addresses').waitFor();

    await cards().getByRole('button', { name: 'Use this story' }).click();
    await dialog().getByText('can be imported, with missing values').waitFor();
    await dialog().getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Sample for Daily digest' }).waitFor();

    await dialog().getByText('The team is missing 1 value').waitFor();
    await dialog()
      .getByRole('link', { name: /^Create / })
      .click();
    const name = dialog().getByRole('textbox', { name: 'Name', exact: true });
    expect(await name.inputValue()).toMatch(/\w/);
    await page.goBack();
    await dialog().getByRole('button', { name: 'Create with sample values' }).click();
    await dialog().getByText('The team is missing 1 value').waitFor({ state: 'detached' });
    const body = dialog().getByRole('textbox', { name: 'Request body' });
    await body.fill('{"kind": ');
    await dialog().getByRole('alert').waitFor();
    expect(await dialog().getByRole('button', { name: 'Start the run' }).isDisabled()).toBe(true);
    await body.fill('{"kind": "release", "title": "Seen in a test"}');
    await dialog().getByRole('button', { name: 'Run trial' }).click();
    await dialog().getByText('would succeed').waitFor();
    await dialog().getByText('Mail the digest').waitFor();

    await dialog().getByRole('button', { name: 'Start the run' }).click();
    await page.waitForURL(/\/runs\/\d+\//);
    // A step that is still to come is another one than the event that comes of it.
    await page
      .getByRole('treeitem', { name: /Keep the essence/ })
      .filter({ has: page.locator('.step-dot.done') })
      .first()
      .click();
    await page.getByText('"Seen in a test"').first().waitFor();

    await page.goBack();
    await page.getByRole('heading', { name: 'Sample for Daily digest' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.action-box').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sample event' }).click();
    await page.getByRole('heading', { name: 'Sample for Daily digest' }).waitFor();

    // Its own mark says what it was made of: neither its words, nor those of another story.
    const [, id] = /\/stories\/(\d+)/.exec(page.url()) ?? [];
    const words = { name: 'Renamed', description: 'Other words' };
    const { description } = (await call(fabula, `GET /api/v1/stories/${id}`)).body;
    await call(fabula, `PUT /api/v1/stories/${id}`, { body: words });
    await open(page, `/stories/${id}`);
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sample event' }).waitFor();
    const alike = await fabula.importStory(smallExport({ description }), { new_name: 'Alike' });
    await open(page, `/stories/${alike.id}`);
    await page.getByRole('heading', { name: 'Alike' }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Export' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Sample event' }).count()).toBe(0);
  });
});
