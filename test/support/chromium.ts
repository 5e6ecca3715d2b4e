import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './browser.js';

/** Starts the Chromium of this machine, for tests of pages that people use. @throws Error where there is none. */
export function startChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium on this machine; set CHROMIUM');
  // Chromium refuses to run as root with its sandbox; its pages are ours.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: 120_000 });
}
