import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** Where pictures go: `canvas-dark-narrow.png`. */
const FOLDER = path.resolve(__dirname, '../../../.cache/shots');
/** Where pictures of the guide go. */
const GUIDE = path.join(FOLDER, 'guide');
const QUALITY = 82;

export const SIZES = {
  wide: { width: 1440, height: 900 },
  middle: { width: 900, height: 900 },
  narrow: { width: 390, height: 844 },
};
export type Size = keyof typeof SIZES;
/** A4 at 96 pixels an inch, without margins of 1 cm. */
const PAPER = { width: 718, height: 1046 };
const THEMES = ['light', 'dark'] as const;

/** Charts and the canvas are drawn in the frame after their data has come. */
const AFTER_TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
/** Panels that slide, colours that fade. */
const MOTION_MS = 250;

/** Returns the sizes in which pictures of a state are wanted: `SHOTS` in the environment is a pattern of `name-size`. */
export function wantedSizes(name: string): [Size, { width: number; height: number }][] {
  const wanted = new RegExp(process.env['SHOTS'] ?? '');
  return (Object.entries(SIZES) as [Size, typeof SIZES.wide][]).filter(([size]) =>
    wanted.test(`${name}-${size}`),
  );
}

interface Shot {
  name: string;
  size: Size;
  /** The name under which the guide shows it, in its light form unless the name ends in `-dark`. */
  guide?: string | undefined;
}

/** Takes pictures of the page as it is, in both themes. */
export async function shootThemes(page: Page, { name, size, guide }: Shot): Promise<void> {
  mkdirSync(GUIDE, { recursive: true });
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(AFTER_TWO_FRAMES);
    await page.waitForTimeout(MOTION_MS);
    await page.screenshot({ path: path.join(FOLDER, `${name}-${colorScheme}-${size}.png`) });
    if (guide !== undefined && colorScheme === (guide.endsWith('-dark') ? 'dark' : 'light'))
      writeFileSync(path.join(GUIDE, `${guide}.webp`), await webpOf(page));
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Takes pictures of the page as it is, in both themes and each wanted size. `guide`: as in {@link shootThemes}, of the wide one. */
export async function shootSizes(page: Page, name: string, guide?: string): Promise<void> {
  for (const [size, viewport] of wantedSizes(name)) {
    await page.setViewportSize(viewport);
    await shootThemes(page, { name, size, guide: size === 'wide' ? guide : undefined });
  }
  await page.setViewportSize(SIZES.wide);
}

/** Takes a picture of what is printed of the page, on the width of A4 with its margins. */
export async function shootPrint(page: Page, name: string): Promise<void> {
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(AFTER_TWO_FRAMES);
  await page.waitForTimeout(MOTION_MS);
  await page.screenshot({ path: path.join(FOLDER, `print-${name}.png`), fullPage: true });
  await page.setViewportSize(SIZES.wide);
  await page.emulateMedia({ media: 'screen' });
}

/** Returns the picture of a page as WebP, which is a third as large as PNG. */
async function webpOf(page: Page): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await browser.detach();
  return Buffer.from(data, 'base64');
}
