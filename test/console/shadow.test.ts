import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { says } from '../support/run-api.js';
import { type ShadowWorld, shadowWorld } from '../support/shadows.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

describeInBrowser('stories as software: a shadow in the console', () => {
  const { fabula, open, signIn } = useConsole(stores, () => ({ env: { SHADOW_CPU_SHARE: '1' } }));
  let page: Page;
  let w: ShadowWorld;

  beforeEach(async () => {
    page = await signIn({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(30_000);
    w = await shadowWorld(
      fabula,
      storyOf(
        {
          Hook: ['Webhook', { include_headers: false }],
          Grade: says({ grade: '=IF(hook.n > 5, "high", "low")' }),
          Report: says({ text: '=grade.grade' }),
        },
        ['Hook > Grade > Report'],
        { name: 'Grading' },
      ),
    );
    await w.fire([1, 2, 6, 7, 9]);
  });

  test('says that all runs gave the same, then names the action that differs, with its runs and values', async () => {
    await open(page, `/stories/${w.id}/edit?draft=${w.draft}`);
    await page.getByRole('button', { name: 'Publish…' }).click();
    const card = page.getByRole('region', { name: 'Shadow' });
    await card.getByRole('button', { name: 'Last 1,000 runs' }).click();
    await card.getByText('All 5 runs gave the same.', { exact: true }).waitFor();
    await page.getByText('Shadow: All 5 runs gave the same.').waitFor();

    await w.change('Grade', says({ grade: '=IF(hook.n > 6, "high", "low")' })[1]);
    await page.reload();
    await card.getByText('All 5 runs gave the same. The draft has changed since.').waitFor();
    await card.getByRole('button', { name: 'Last 1,000 runs' }).click();
    await card.getByText('1 of 5 runs differs.', { exact: true }).waitFor();
    const node = page.locator('.react-flow__node').filter({ hasText: 'Grade' });
    await node.getByText('differs in 1 run').waitFor();
    await card.getByText('grade differs', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Grade' }).click();
    await node.locator('.chosen').waitFor();
    await card.getByRole('button', { name: '1 run', exact: true }).first().click();
    await card.getByText('high', { exact: true }).waitFor();
    expect(await faultsInThemes(page, 'shadow')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await card.getByRole('listitem').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
});
