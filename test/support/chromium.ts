import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A Chromium of this machine; undefined where there is none: then tests that need one are left out. */
export const CHROMIUM = [process.env['CHROMIUM'], ...PLACES].find(
  (file) => file !== undefined && existsSync(file),
);

/** Starts the Chromium of this machine, for tests of pages that people use. @throws Error where there is none. */
export function startChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium on this machine; set CHROMIUM');
  // Chromium refuses to run as root with its sandbox; its pages are ours.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: 120_000 });
}
