import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { CHROMIUM } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { openConsole } from '../support/console/console-origin.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { agentIds, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const PATIENCE_MS = 120_000;
const LOOKED_AT_MS = 10 * 60_000;

const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser(`branches of a story (${CHROMIUM ?? 'left out: no Chromium on this machine'})`, () => {
  let browser: Browser;
  let context: BrowserContext;
  let fabula: TestFabula;
  let page: Page;

  beforeAll(async () => {
    fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
    browser = await startChromium();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    page = await context.newPage();
    await page.goto(await openConsole(stores, fabula).newLink());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await fabula?.close();
  });

  async function faults(): Promise<string[]> {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).analyze();
      found.push(...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`));
    }
    return found;
  }

  test(
    'a branch folds and unfolds by keyboard, and an action shows what it sees',
    async () => {
      const agents = {
        Hook: ['Webhook', {}] as ['Webhook', object],
        Split: says({ host: '<<hook.body.host>>' }),
        'Ask about it': says({ answer: 'fine' }),
        'Write it down': says({ done: true }),
        Aside: says({ aside: true }),
      };
      const links = ['Hook > Split > Ask about it > Write it down', 'Hook > Aside'];
      const story = await fabula.importStory(storyOf(agents as Parameters<typeof storyOf>[0], links));
      await fabula.fire(story.webhooks['Hook']!, { host: 'web-7' });
      await fabula.settled();
      const { Split: split } = await agentIds(fabula, story.id);
      const [origin] = page.url().split('/console');
      await page.goto(`${origin}/console/stories/${story.id}?action=${split}`);

      const box = (name: string) => page.locator('.action-box', { hasText: name });
      await box('Write it down').waitFor();
      await page.getByRole('button', { name: 'Fold 2 actions below' }).press('Enter');
      await box('Write it down').waitFor({ state: 'detached' });
      await page.waitForURL(`**?action=${split}&folded=${split}`);
      const block = page.getByRole('button', { name: 'Unfold 2 actions below Split' });
      await block.waitFor();
      expect(await box('Aside').count()).toBe(1);
      expect(await faults()).toEqual([]);
      await block.press('Enter');
      await box('Write it down').waitFor();

      await page.getByRole('button', { name: 'Fold 2 actions below' }).click();
      await page.getByRole('searchbox', { name: /Find an action/ }).fill('write it');
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Action Write it down' }).waitFor();
      await box('Write it down').waitFor();

      await page.getByRole('tab', { name: 'What it sees' }).click();
      const tree = page.getByRole('tree', { name: 'What the action sees' });
      await tree.getByText('split').waitFor();
      await tree.getByText('"fine"').click();
      await page.getByText('ask_about_it.answer', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Copy Formula' }).waitFor();
      await page.getByRole('button', { name: 'Copy Liquid' }).waitFor();
      expect(await faults()).toEqual([]);
    },
    LOOKED_AT_MS,
  );
});
