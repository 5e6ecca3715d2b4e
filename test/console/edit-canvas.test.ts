import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { useKeyboard } from '../support/console/keyboard.js';
import { faultsInThemes } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { call, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const LOOKED_AT_MS = 10 * 60_000;
const PORT_MS = 60_000;

describeInBrowser('the canvas of the editor', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;

  beforeEach(async () => {
    page = await signIn({
      viewport: { width: 1500, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  });

  const box = (name: string) => page.locator('.react-flow__node').filter({ hasText: name });
  const link = (from: string, to: string) =>
    page.locator(`.react-flow__edge[aria-label="Link from ${from} to ${to}"]`);
  const port = (name: string, kind: 'in' | 'DEFAULT' | 'NO_MATCH' | 'FAILURE') =>
    kind === 'in'
      ? box(name).locator('.react-flow__handle.target')
      : box(name).locator(`[data-handleid="${kind}"]`);
  const kind = (name: string) =>
    page.getByRole('region', { name: 'Actions to add' }).getByRole('option', { name, exact: true });
  const focused = (name: string) => page.locator('.react-flow__node:focus').filter({ hasText: name });
  const undo = () => page.getByRole('button', { name: /^Undo/ });

  /** Opens a story of two linked actions for editing. */
  async function openStory(name = 'Small'): Promise<number> {
    const agents: Parameters<typeof storyOf>[0] = {
      Hook: ['Webhook', { path: 'alerts', secret: 'open sesame' }],
      Split: says({ host: '<<hook.body.host>> <<CREDENTIAL.jira>>' }),
    };
    const { id } = await fabula.importStory(storyOf(agents, ['Hook > Split'], { name }));
    await open(page, `/stories/${id}/edit`);
    await box('Hook').waitFor();
    return id;
  }

  /** The graph as the server has it: names, and links as `A > B kind`. */
  async function stored(id: number): Promise<{ names: string[]; links: string[] }> {
    const { body } = await call(fabula, `GET /api/v1/stories/${id}/graph`);
    const { agents, links } = body as {
      agents: { name: string }[];
      links: { source: number; receiver: number; link_type?: string | null }[];
    };
    const names = agents.map((agent) => agent.name);
    return {
      names,
      links: links.map((each) =>
        `${names[each.source]} > ${names[each.receiver]} ${each.link_type ?? ''}`.trim(),
      ),
    };
  }
  const saved = () => page.getByText('Saved', { exact: true }).waitFor();

  async function dragFrom(from: Locator, to: Locator) {
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    if (a === null || b === null) throw new Error('Not in view.');
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width / 2 + 4, b.y + b.height / 2 + 8, { steps: 8 });
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 4 });
    await page.mouse.up();
  }

  test(
    'adds, links, removes and undoes with the mouse',
    async () => {
      const id = await openStory();
      await box('Split').click();
      await kind('Trigger').click();
      await box('Trigger').waitFor();
      await link('Split', 'Trigger').waitFor({ state: 'attached' });

      await dragFrom(port('Hook', 'DEFAULT'), port('Trigger', 'in'));
      await link('Hook', 'Trigger').waitFor({ state: 'attached' });
      await port('Trigger', 'NO_MATCH').click({ timeout: PORT_MS });
      await port('Split', 'in').click({ timeout: PORT_MS });
      await link('Trigger', 'Split').waitFor({ state: 'attached' });
      await saved();
      expect(await stored(id)).toEqual({
        names: ['Hook', 'Split', 'Trigger'],
        links: ['Hook > Split', 'Split > Trigger', 'Hook > Trigger', 'Trigger > Split secondary'],
      });

      await box('Trigger').click({ button: 'right' });
      await page.getByRole('menuitem', { name: /^Delete/ }).click();
      await box('Trigger').waitFor({ state: 'detached' });
      await undo().click();
      await link('Trigger', 'Split').waitFor({ state: 'attached' });
      for (let step = 0; step < 3; step += 1) await undo().click();
      await box('Trigger').waitFor({ state: 'detached' });
      await saved();
      expect(await stored(id)).toEqual({ names: ['Hook', 'Split'], links: ['Hook > Split'] });
    },
    LOOKED_AT_MS,
  );

  test(
    'adds, links, moves, removes and undoes with the keyboard alone',
    async () => {
      const id = await openStory();
      const { keyboard } = page;
      await page.getByRole('button', { name: 'Outline' }).focus();
      // The canvas is one tab stop after the actions to add.
      for (let presses = 0; presses < 12 && (await focused('Hook').count()) === 0; presses += 1)
        await keyboard.press('Tab');
      await keyboard.press('ArrowDown');
      await focused('Split').waitFor();

      await keyboard.press('a');
      await keyboard.type('trigg');
      await keyboard.press('Enter');
      await link('Split', 'Trigger').waitFor({ state: 'attached' });
      await focused('Trigger').waitFor();

      await keyboard.press('l');
      await page.getByRole('dialog', { name: 'Link Trigger to' }).waitFor();
      await page
        .getByRole('combobox', { name: 'Carries' })
        .selectOption({ label: 'Events that do not match' });
      // The port is chosen before the action, which has the focus first.
      await page.getByRole('combobox', { name: 'Action' }).focus();
      await keyboard.type('spl');
      await keyboard.press('Enter');
      await link('Trigger', 'Split').waitFor({ state: 'attached' });
      await focused('Trigger').waitFor();
      const before = await box('Trigger').boundingBox();
      await keyboard.press('Alt+ArrowRight');
      await keyboard.press('m');
      await keyboard.press('ArrowRight');
      await keyboard.press('Escape');
      await saved();
      expect((await box('Trigger').boundingBox())?.x).toBeGreaterThan(before?.x ?? 0);
      expect((await stored(id)).links).toEqual([
        'Hook > Split',
        'Split > Trigger',
        'Trigger > Split secondary',
      ]);

      await keyboard.press('Delete');
      await box('Trigger').waitFor({ state: 'detached' });
      await focused('Split').waitFor();
      for (let step = 0; step < 5; step += 1) await keyboard.press('Control+z');
      await box('Trigger').waitFor({ state: 'detached' });
      await saved();
      expect(await stored(id)).toEqual({ names: ['Hook', 'Split'], links: ['Hook > Split'] });

      await keyboard.press('Enter');
      await page.locator('aside[aria-label="Selected action"]:focus').waitFor();
      await keyboard.press('Escape');
      await focused('Split').waitFor();
      await keyboard.press('F2');
      await page.locator('input:focus[data-name-field]').waitFor();
      await keyboard.press('Escape');
      await focused('Split').waitFor();
      expect(await faultsInThemes(page)).toEqual([]);
    },
    LOOKED_AT_MS,
  );

  test(
    'goes through the outline with the keyboard alone, and never loses the focus',
    async () => {
      const id = await openStory();
      await open(page, `/stories/${id}/edit?view=outline`);
      const row = (name: string) => page.getByRole('treeitem', { name });
      const { goTo, isAt, press, type } = await useKeyboard(page);
      await goTo(row('Hook'));
      await press('ArrowDown');
      await isAt(row('Split'));
      await press('a');
      await isAt(page.getByRole('combobox', { name: 'Actions to add' }));
      await press('Escape');
      await isAt(row('Split'));
      await press('a');
      await isAt(page.getByRole('combobox', { name: 'Actions to add' }));
      await type('trigger');
      await press('Enter');
      await isAt(row('Trigger'));
      await press('Enter');
      await isAt(page.getByRole('complementary', { name: 'Selected action' }));
      await press('Escape');
      await isAt(row('Trigger'));
      await press('F2');
      await isAt(page.getByRole('textbox', { name: 'Name', exact: true }));
      await press('Escape');
      await isAt(row('Trigger'));
      await press('Delete');
      await isAt(row('Split'));
      await press('l');
      await isAt(page.getByRole('combobox', { name: 'Action' }));
      await press('Escape');
      await isAt(row('Split'));
      await press('/');
      await isAt(page.getByRole('combobox', { name: 'Action' }));
      await type('hook');
      await press('Enter');
      await isAt(row('Hook'));
    },
    LOOKED_AT_MS,
  );

  test('opens the outline at the action of the address, and no panel for one that is gone', async () => {
    const id = await openStory();
    const { body } = await call(fabula, `GET /api/v1/stories/${id}/graph`);
    const [, split] = (body as { agents: { guid: string }[] }).agents;
    await open(page, `/stories/${id}/edit?view=outline&action=${split?.guid}`);
    await page.locator('[role="treeitem"][tabindex="0"]', { hasText: 'Split' }).waitFor();
    await page.getByRole('complementary', { name: 'Selected action' }).waitFor();
    await open(page, `/stories/${id}/edit?view=outline&action=gone`);
    await page.getByRole('treeitem', { name: 'Split' }).waitFor();
    expect(await page.getByRole('complementary', { name: 'Selected action' }).count()).toBe(0);
  });

  test(
    'copies and pastes between two stories, also without secrets',
    async () => {
      await openStory('From');
      await box('Hook').click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Control+c');
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(JSON.parse(text)).toMatchObject({ fabula: 'fragment', links: [{ source: 0, receiver: 1 }] });
      expect(text).toContain('open sesame');

      const to = await openStory('To');
      await box('Hook').click();
      await page.keyboard.press('Control+v');
      await box('Split 2').waitFor();
      await box('Split 2').getByText('missing credential jira').waitFor();
      await saved();
      expect(await stored(to)).toEqual({
        names: ['Hook', 'Split', 'Hook 2', 'Split 2'],
        links: ['Hook > Split', 'Hook 2 > Split 2'],
      });

      await box('Hook 2').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Copy without secrets' }).click();
      await page.getByText('The selection without secrets copied.').first().waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).not.toContain('secret');
      expect(await faultsInThemes(page)).toEqual([]);
    },
    LOOKED_AT_MS,
  );
});
