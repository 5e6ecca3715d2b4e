import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { buildRecordWorld } from '../support/console/record-world.js';
import { dropFile } from '../support/console/drop-file.js';
import { useConsole } from '../support/console/use-console.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const shell = promisify(execFile);
const PATIENCE_MS = 120_000;
const DAY_MS = 20 * 60_000;
/** The wrong address that the story has until a person mends it. */
const WRONG = 'sandbox.example';
const STORY = storyOf(
  {
    Receive: ['Webhook', {}],
    Ask: ['HTTPRequest', { url: '<<RESOURCE.sandbox>>/hosts/<<receive.body.severity>>', method: 'get' }],
    Say: ['EventTransformation', { mode: 'message_only', payload: { status: '<<ask.status>>' } }],
  },
  ['Receive > Ask > Say'],
  { name: 'Look up hosts' },
);

describeInBrowser('a day with the console', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;

  const goTo = async (name: string) => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  };
  const dialog = () => page.getByRole('dialog');
  const region = (name: string) => page.getByRole('region', { name, exact: true });

  // One test: each step needs the one before.
  test(
    'a person imports a story, sees it fail, mends it, and does the work of the day',
    async () => {
      page = await signIn({ acceptDownloads: true });

      // The story needs a resource, which a person makes with a slip in it.
      await goTo('Resources');
      await page.getByRole('button', { name: 'New resource' }).click();
      await dialog().getByLabel('Name').fill('Sandbox');
      await dialog().getByLabel('Value').fill(WRONG);
      await dialog().getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Sandbox', level: 1 }).waitFor();
      const resource = page.url();

      await goTo('Stories');
      await dropFile(page, JSON.stringify(STORY));
      await dialog().getByRole('button', { name: 'Import' }).click();
      await page.getByRole('heading', { name: 'Look up hosts' }).waitFor();
      await page.locator('.action-box', { hasText: 'Ask' }).waitFor();
      const story = page.url();

      // Its webhook is called with the command that the console gives.
      await goTo('Webhooks');
      await page.getByRole('link', { name: 'Receive', exact: true }).click();
      await page.getByRole('button', { name: 'Show secret' }).click();
      const told = (await region('Example call').textContent()) ?? '';
      // This server listens on any free port, which the console does not know.
      const command = told.replace(/url='http:[^/]*\/\/[^/]+/, `url='${fabula.url}`);
      await page.goto(story);
      await page.locator('.action-box', { hasText: 'Ask' }).waitFor();
      for (let call = 0; call < 2; call += 1) await shell('sh', ['-c', command], { timeout: PATIENCE_MS });
      // The page is not loaded again: it hears of it.
      await page.locator('.action-box.failed', { hasText: 'Ask' }).waitFor();

      await goTo('Runs');
      await page.getByRole('row').filter({ hasText: 'failed' }).first().getByRole('link').first().click();
      await page.getByRole('treeitem', { name: /Ask/ }).click();
      await page.getByRole('tab', { name: 'Request and response' }).click();
      await page.getByText(`${WRONG}/hosts/high`).first().waitFor();
      await page.getByRole('link', { name: 'Full page' }).click();
      await page.waitForURL(/\/runs\/\d+\//);
      const run = page.url().split('?')[0] ?? '';

      await page.goto(resource);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('textbox', { name: 'Value' }).fill(fabula.url);
      await page.getByRole('button', { name: 'Save value' }).click();
      await page.getByText(fabula.url).first().waitFor();

      await goTo('Dead letters');
      await page.getByRole('row').filter({ hasText: 'Ask' }).getByRole('link').first().click();
      await page.getByRole('button', { name: 'Retry all' }).click();
      await dialog().getByRole('button', { name: 'Retry all' }).click();
      await page.getByText('2 of 2 retried').waitFor();
      await page.getByText('No dead letters left in this group.').waitFor();
      await page.goto(run);
      await page.getByRole('treeitem', { name: /Say/ }).waitFor();
      await page.getByText('completed', { exact: true }).first().waitFor();

      await buildRecordWorld(stores, fabula);
      await goTo('Records');
      await page.getByText('64 records').waitFor();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Field').selectOption({ label: 'Verdict' });
      await page.getByLabel('Value').selectOption('malicious');
      await page.getByText('25 records').waitFor();
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      expect(readFileSync(await (await saving).path(), 'utf8').split('\r\n')).toHaveLength(27);

      await goTo('Cases');
      await page.getByRole('button', { name: 'New case' }).first().click();
      await dialog().getByLabel('Name').fill('Phishing mail');
      await dialog().getByRole('button', { name: 'Create case' }).click();
      await page.getByRole('heading', { name: 'Phishing mail' }).waitFor();
      await region('Conditions for closing').getByRole('button', { name: 'Add' }).click();
      await dialog().getByLabel('Name').fill('Has a verdict');
      await dialog().getByLabel('Formula').fill('team_case.metadata.verdict');
      await dialog().getByRole('button', { name: 'Add condition' }).click();
      await region('Conditions for closing').getByText('not met').waitFor();
      await page.getByRole('button', { name: /^Close (the case|\()/ }).click();
      await region('Conditions for closing').getByRole('alert').waitFor();
      await region('Fields').getByLabel('Field', { exact: true }).fill('verdict');
      await region('Fields').getByLabel('Value', { exact: true }).fill('malicious');
      await region('Fields').getByRole('button', { name: 'Set' }).click();
      await region('Conditions for closing').getByText('met', { exact: true }).waitFor();
      await page.getByRole('button', { name: /^Close (the case|\()/ }).click();
      await page.getByRole('button', { name: 'Reopen the case' }).waitFor();

      // Another browser of the same person is out as soon as its session is ended here.
      const elsewhere = await signIn();
      await open(page, '/sessions');
      await page.getByRole('button', { name: 'End', exact: true }).click();
      await page.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' });
      await elsewhere.getByRole('button', { name: 'Sign in' }).waitFor();
    },
    DAY_MS,
  );
});
