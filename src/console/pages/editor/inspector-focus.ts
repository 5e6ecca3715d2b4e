import { useEffect, useEffectEvent } from 'react';
import { useEditor } from './editor-context.js';

/** Marks the inspector, so that the canvas can give it the focus. */
export const INSPECTOR = { id: 'editor-inspector', tabIndex: -1 };
/** In narrower windows the inspector covers canvas and outline. */
export const INSPECTOR_COVERS_PX = 720;

/** Gives the focus to the inspector, which is drawn in a moment when an action has just been chosen. */
export function focusInspector(): void {
  requestAnimationFrame(() => document.getElementById(INSPECTOR.id)?.focus());
}

/** Gives the focus to a control of the inspector, in sight; without it to the inspector. */
export function focusInInspector(selector: string): void {
  requestAnimationFrame(() => {
    const inspector = document.getElementById(INSPECTOR.id);
    const control = inspector?.querySelector<HTMLElement>(selector);
    if (!control) return inspector?.focus();
    control.scrollIntoView({ block: 'nearest' });
    // After a press of the mouse too, for the ring is what leads the eye there.
    const shown: FocusOptions & { focusVisible: boolean } = { focusVisible: true };
    control.focus(shown);
  });
}

/** Gives the focus to the name of the chosen action, which is drawn in a moment. */
export function focusName(): void {
  focusInInspector('[data-name-field]');
}

/** Gives the focus to the row of the outline that had it last, or to the canvas, which hands it on to the part that had it. */
function focusStory(): void {
  const story = document.querySelector<HTMLElement>('[data-keys="canvas"]');
  const row = story?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]');
  (row ?? story)?.focus();
}

/** Returns what closes the inspector. */
export function useCloseInspector(): () => void {
  const { view } = useEditor();
  return () => {
    view.getState().choose({});
    // The view that the inspector covered gets the focus when the inspector closes.
    requestAnimationFrame(focusStory);
  };
}

/** Escape in the inspector leads back to the canvas or the outline; it closes an inspector that covers them. */
export function useEscapeToStory(): void {
  const close = useCloseInspector();
  const leave = useEffectEvent(() => (innerWidth < INSPECTOR_COVERS_PX ? close() : focusStory()));
  useEffect(() => {
    const onKey = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented || !(target instanceof Element)) return;
      if (target.closest(`#${INSPECTOR.id}`) !== null) leave();
    };
    // At the window, so that a menu or a list of completions inside has taken its own Escape before.
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
