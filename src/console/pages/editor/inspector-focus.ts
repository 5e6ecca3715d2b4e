import { useEffect } from 'react';

/** Marks the inspector, so that the canvas can give it the focus. */
export const INSPECTOR = { id: 'editor-inspector', tabIndex: -1 };

/** Gives the focus to the inspector, which is drawn in a moment when an action has just been chosen. */
export function focusInspector(): void {
  requestAnimationFrame(() => document.getElementById(INSPECTOR.id)?.focus());
}

/** Escape in the inspector leads back to the canvas, which hands the focus on to the part that had it. */
export function useEscapeToCanvas(): void {
  useEffect(() => {
    // At the window, so that a menu or a list of completions inside has taken its own Escape before.
    addEventListener('keydown', toCanvas);
    return () => removeEventListener('keydown', toCanvas);
  }, []);
}

function toCanvas({ key, target, defaultPrevented }: KeyboardEvent): void {
  if (key !== 'Escape' || defaultPrevented || !(target instanceof Element)) return;
  if (target.closest(`#${INSPECTOR.id}`) === null) return;
  document.querySelector<HTMLElement>('[data-keys="canvas"]')?.focus();
}
