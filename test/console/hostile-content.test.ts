import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW, WIDE } from '../support/browser.js';
import { unvisitedPaths } from '../support/console/console-paths.js';
import { TURNED } from '../support/console/hostile-text.js';
import { hostilePages } from '../support/console/hostile-pages.js';
import { buildHostileWorld } from '../support/console/hostile-world.js';
import { turnedTexts } from '../support/console/turned-texts.js';
import { NO_MISDEEDS, overflowOf, watchPage } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Some 100 pages are opened, each of which takes seconds on a busy machine. */
const LOOKED_AT_MS = 20 * 60_000;
/** The name that a browser sends of itself: the list of sessions shows it to the person's other browsers. */
const USER_AGENT = `<img src=x onerror="window.ran='agent'">${'w'.repeat(300)}`;
/** Elements that only markup of others can have made. */
const FOREIGN_ELEMENTS =
  ':is(main, [role=dialog]) :is(img, iframe, object, embed, link, a[href^="javascript:" i], a[href^="data:" i])';

/** A frame that people cannot reach by keyboard must not hide columns: what does not fit is cut in its cell. */
const WIDE_TABLES = `[...document.querySelectorAll('.table-frame:not([tabindex])')]
  .filter((frame) => frame.scrollWidth > frame.clientWidth).length`;
/** Heads of panels and dialogs leave room for what they are the heads of. */
const TALL_HEADS = `[...document.querySelectorAll('.dialog-head, .panel-head, .story-head')]
  .filter((head) => head.offsetHeight > innerHeight / 2).map((head) => head.className)`;

interface Edge {
  left: number;
  top: number;
}

/** Places of the mark after the name in the title of a dialog, and of the last letter of the name. */
const AFTER_NAME = `(() => {
  const text = document.querySelector('.dialog-title').firstChild;
  const edgeOf = (place) => {
    const range = document.createRange();
    range.setStart(text, place);
    range.setEnd(text, place + 1);
    const { left, top } = range.getBoundingClientRect();
    return { left, top };
  };
  return { letter: edgeOf(text.data.lastIndexOf('w')), mark: edgeOf(text.data.lastIndexOf('?')) };
})()`;

/** Returns what is wrong with the page as it is. */
async function faultsOn(page: Page): Promise<string[]> {
  const found: string[] = [];
  const wider = await overflowOf(page);
  if (wider !== 0) found.push(`it is ${wider} px wider than the window`);
  const ran = await page.evaluate<string | undefined>('window.ran');
  if (ran !== undefined) found.push(`something ran: ${ran}`);
  const tables = await page.evaluate<number>(WIDE_TABLES);
  if (tables > 0) found.push(`${tables} tables are wider than their frames`);
  const heads = await page.evaluate<string[]>(TALL_HEADS);
  if (heads.length > 0) found.push(`heads fill the window: ${heads.join(', ')}`);
  const turned = await turnedTexts(page);
  if (turned.length > 0) found.push(`names turn what follows them: ${turned.join(' | ')}`);
  const elements = await page.locator(FOREIGN_ELEMENTS).count();
  if (elements > 0) found.push(`${elements} elements are made of content`);
  return found;
}

describeInBrowser('hostile content in the console', () => {
  const { fabula, open, origin, signIn } = useConsole(stores);

  test(
    'stays text on every page, and breaks no layout',
    async () => {
      const world = await buildHostileWorld(stores, fabula);
      const pages = hostilePages(world);
      expect(unvisitedPaths(pages.map(({ path }) => path))).toEqual([]);
      const page = await signIn({ userAgent: USER_AGENT });
      const misdeeds = watchPage(page, origin().url);
      const found: string[] = [];
      for (const viewport of [WIDE, NARROW]) {
        await page.setViewportSize(viewport);
        for (const { path, ready } of pages) {
          await open(page, path);
          await ready(page);
          await page.locator('.loading').first().waitFor({ state: 'hidden' });
          found.push(...(await faultsOn(page)).map((fault) => `${path} at ${viewport.width} px: ${fault}`));
        }
      }
      expect(found).toEqual([]);

      await open(page, '/webhooks');
      const turned = page.locator('.webhook-name', { hasText: TURNED }).first();
      const name = await turned.locator('a').boundingBox();
      const after = await turned.locator('.faint').boundingBox();
      expect(name!.x + name!.width).toBeLessThanOrEqual(after!.x + 1);

      await open(page, `/resources/${world.resourceId}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.locator('.dialog-title').waitFor();
      const { letter, mark } = await page.evaluate<Record<'letter' | 'mark', Edge>>(AFTER_NAME);
      expect(mark.top).toBeCloseTo(letter.top, 0);
      expect(mark.left).toBeGreaterThan(letter.left);
      expect(misdeeds).toEqual(NO_MISDEEDS);
    },
    LOOKED_AT_MS,
  );
});
