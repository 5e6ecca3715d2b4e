import type { Page } from 'playwright-core';

/*
 * What takes time in a page, told by the page itself: from the moment at which the browser got the key or the press until what
 * comes of it was drawn. The time that this process and the protocol take is no part of it.
 */

/**
 * For `addInitScript`. `shownAfter(kind, isShown)` resolves once `isShown()` was drawn, with the ms since the next event of this
 * kind; `idleAfter` with the ms since the page was asked for, once an action was drawn and nothing is left to do.
 */
export const PAGE_CLOCK = `
window.drawn = () => new Promise((done) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = done;
  port1.postMessage(0);
}));
window.shownAfter = (kind, isShown) => new Promise((done) => {
  let began;
  const look = async () => {
    if (began === undefined || !isShown()) return;
    watcher.disconnect();
    await drawn();
    done(performance.now() - began);
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
  addEventListener(kind, ({ timeStamp }) => {
    began = timeStamp;
    queueMicrotask(look);
  }, { capture: true, once: true });
});
window.idleAfter = new Promise((done) => {
  const watcher = new MutationObserver(async () => {
    if (document.querySelector('.react-flow__node') === null) return;
    watcher.disconnect();
    await drawn();
    requestIdleCallback(() => done(performance.now()));
  });
  watcher.observe(document, { childList: true, subtree: true });
});
window.longest = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
}).observe({ type: 'longtask', buffered: true });
window.frames = (ms) => new Promise((done) => {
  const times = [];
  const began = performance.now();
  let place;
  let moves = 0;
  const frame = (now) => {
    times.push(now);
    const next = document.querySelector('.react-flow__node.dragging')?.style.transform;
    if (next !== place) moves += 1;
    place = next;
    if (now - began < ms) return requestAnimationFrame(frame);
    const gaps = times.slice(1).map((time, at) => time - times[at]);
    const second = (times.at(-1) - times[0]) / 1000;
    done({ rate: gaps.length / second, moves: moves / second, longest: Math.max(...gaps) });
  };
  requestAnimationFrame(frame);
});`;

/** What a page draws. */
interface Drawn {
  /** Frames a second. */
  rate: number;
  /** Frames a second in which an action that is dragged stands elsewhere than in the one before. */
  moves: number;
  /** The longest frame in ms. */
  longest: number;
}

/** Returns the ms from the event that `act` causes until `isShown`, a condition of the page, was drawn. */
export async function shownAfter(
  page: Page,
  { kind, isShown }: { kind: string; isShown: string },
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`window.waited = shownAfter(${JSON.stringify(kind)}, () => ${isShown}); 0`);
  await act();
  return page.evaluate<number>('waited');
}

/** Returns the frames that the page draws in two seconds, while `act` is done again and again. */
export async function framesWhile(page: Page, act: (turn: number) => Promise<unknown>): Promise<Drawn> {
  const over = new AbortController();
  const frames = page.evaluate<Drawn>('frames(2000)').finally(() => over.abort());
  for (let turn = 0; !over.signal.aborted; turn += 1) await act(turn);
  return frames;
}

/** Returns the longest task of the page in ms while `act` is done; 0 for none over 50. */
export async function longestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate('longest = 0');
  await act();
  // What was done last is told a little later.
  await page.evaluate('new Promise((done) => requestIdleCallback(done)).then(drawn)');
  return page.evaluate<number>('longest');
}

/** Returns the middle one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
