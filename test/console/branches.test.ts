import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { faultsInThemes } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { agentIds, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const LOOKED_AT_MS = 10 * 60_000;

describeInBrowser('branches of a story', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;

  beforeEach(async () => {
    page = await signIn();
  });

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
      await open(page, `/stories/${story.id}?action=${split}`);

      const box = (name: string) => page.locator('.action-box', { hasText: name });
      await box('Write it down').waitFor();
      await page.getByRole('button', { name: 'Fold 2 actions below' }).press('Enter');
      await box('Write it down').waitFor({ state: 'detached' });
      await page.waitForURL(`**?action=${split}&folded=${split}`);
      const block = page.getByRole('button', { name: 'Unfold 2 actions below Split' });
      await block.waitFor();
      expect(await box('Aside').count()).toBe(1);
      expect(await faultsInThemes(page)).toEqual([]);
      await block.press('Enter');
      await box('Write it down').waitFor();

      await page.getByRole('button', { name: 'Fold 2 actions below' }).click();
      await page.getByRole('searchbox', { name: /Find an action/ }).fill('write it');
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: 'Action Write it down' }).waitFor();
      await box('Write it down').waitFor();

      await page.getByRole('tab', { name: 'Input' }).click();
      const tree = page.getByRole('tree', { name: 'Input of the action' });
      await tree.getByText('split').waitFor();
      await tree.getByText('"fine"').click();
      await page.getByText('ask_about_it.answer', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Copy Formula' }).waitFor();
      await page.getByRole('button', { name: 'Copy Liquid' }).waitFor();
      expect(await faultsInThemes(page)).toEqual([]);
    },
    LOOKED_AT_MS,
  );
});
