import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * In the page: there are no types of a browser here. Colours that still fade would have too little contrast. axe describes every
 * violation, but only one element for a rule that passes: reports of all elements take seconds.
 */
const run = (skipped: readonly string[]) => `(async () => {
  const moving = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(moving.map(({ finished }) => finished));
  const rules = Object.fromEntries(${JSON.stringify(skipped)}.map((rule) => [rule, { enabled: false }]));
  const { violations } = await axe.run(document, { resultTypes: ['violations'], rules });
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => ({ rule: id, impact, html })));
})()`;

/** An element that a rule of axe finds fault with. */
export interface AxeFault {
  rule: string;
  impact: string | null;
  html: string;
}

/**
 * Returns all that axe finds on the page as it is.
 * @param skipped rules that have nothing to say
 * @throws Error for a page with frames
 */
export async function axeFaults(page: Page, skipped: readonly string[] = []): Promise<AxeFault[]> {
  // Each frame would need axe in it, too.
  if (page.frames().length > 1) throw new Error(`axe does not look into the frames of ${page.url()}`);
  // It has more than a megabyte: a document receives it once.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(`${axe.source};0`);
  return page.evaluate<AxeFault[]>(run(skipped));
}
