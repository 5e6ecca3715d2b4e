import type { Locator, Page } from 'playwright-core';

/** More tab stops than a page of the editor has. */
const MOST_STOPS = 90;
const POINTERS = ['pointerdown', 'pointermove', 'mousedown', 'mousemove', 'touchstart', 'wheel', 'dragstart'];

/** A person who has a keyboard, and no pointer. */
export interface KeyboardUser {
  /** Presses keys one after the other: `Control+a`. */
  press: (...keys: string[]) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Goes on to a control by Tab, or back to it. @throws Error that names the tab stops on the way if it is none of them. */
  goTo: (control: Locator, way?: 'Tab' | 'Shift+Tab') => Promise<void>;
  /** Waits until a control has the focus. */
  isAt: (control: Locator) => Promise<void>;
  /** Returns the events of pointers that the page has had. */
  pointerEvents: () => readonly string[];
}

/** Returns what works a page by the keyboard alone, and notes each event of a pointer. */
export async function useKeyboard(page: Page): Promise<KeyboardUser> {
  const { keyboard } = page;
  const seen: string[] = [];
  await page.exposeFunction('sawPointer', (type: string) => seen.push(type));
  const watch = `for (const type of ${JSON.stringify(POINTERS)})
    addEventListener(type, ({ isTrusted }) => isTrusted && sawPointer(type), true)`;
  await page.addInitScript(watch);
  await page.evaluate(watch);
  const focused = page.locator(':focus');
  const nameOfStop = () =>
    page.evaluate<string>(
      `(({ tagName, ariaLabel, textContent }) => tagName + ' ' + (ariaLabel ?? textContent.slice(0, 30)))(document.activeElement)`,
    );
  return {
    async press(...keys) {
      for (const key of keys) await keyboard.press(key);
    },
    type: (text) => keyboard.type(text),
    async goTo(control, way = 'Tab') {
      await control.first().waitFor();
      const passed: string[] = [];
      while ((await control.and(focused).count()) === 0) {
        passed.push(await nameOfStop());
        if (passed.length > MOST_STOPS) throw new Error(`Tab does not lead to it: ${passed.join(', ')}`);
        await keyboard.press(way);
      }
    },
    isAt: (control) => control.and(focused).waitFor(),
    pointerEvents: () => seen,
  };
}
