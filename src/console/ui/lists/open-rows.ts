import type { MouseEvent } from 'react';
import { useKeys } from '../../keys/use-keys.js';

/** Marks the link or button that opens what its row stands for. A press anywhere on the row does the same. */
export const OPENS_ROW = { 'data-opens-row': '' };

const OPENER = '[data-opens-row]';
const ROW = 'tr, .line';
const CONTROLS = 'a, button, input, select, textarea, label, summary, [role="button"]';
const MIDDLE = 1;

/**
 * Returns handlers for an element with lists: a press on a row opens it, with the middle button or Ctrl in a tab of its
 * own. A press on another control of the row is left to it, and text can still be marked. On every page `j` and `k` lead
 * from row to row, and Enter opens the one with the focus.
 */
export function useOpenRows() {
  useKeys('frame', { j: () => stepRow(1), k: () => stepRow(-1) });
  return {
    onClick: (event: MouseEvent) => openRow(event, event.ctrlKey || event.metaKey),
    onAuxClick: (event: MouseEvent) => event.button === MIDDLE && openRow(event, true),
    // The middle button would scroll the page.
    onMouseDown: (event: MouseEvent) => {
      if (event.button === MIDDLE && pressedRow(event) !== undefined) event.preventDefault();
    },
  };
}

function openRow(event: MouseEvent, inTab: boolean) {
  const opener = pressedRow(event);
  if (opener === undefined || event.defaultPrevented || isMarking()) return;
  if (inTab && opener instanceof HTMLAnchorElement) open(opener.href, '_blank', 'noopener');
  else opener.click();
}

/** Returns what opens the row of a press; undefined beside rows, and on a control of its own. */
function pressedRow({ target }: MouseEvent): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  const row = target.closest(ROW);
  const control = target.closest(CONTROLS);
  if (row === null || (control !== null && row.contains(control))) return undefined;
  return row.querySelector<HTMLElement>(OPENER) ?? undefined;
}

/** Whether the press has just marked text. */
const isMarking = () => getSelection()?.isCollapsed === false;

/**
 * Gives the focus to the next row of a place, or the one before, and returns what opens it. The row that is open counts as
 * chosen, if none has the focus. Without a place: of the last dialog, or else of the document.
 */
export function stepRow(step: 1 | -1, place?: Element): HTMLElement | undefined {
  const within = place ?? [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document;
  const openers = [...within.querySelectorAll<HTMLElement>(OPENER)];
  const focused = openers.findIndex(
    (opener) => opener.closest(ROW)?.contains(document.activeElement) === true,
  );
  const at = focused === -1 ? openers.findIndex((opener) => opener.hasAttribute('aria-current')) : focused;
  const first = step === 1 ? 0 : openers.length - 1;
  const next = openers[at === -1 ? first : Math.min(Math.max(at + step, 0), openers.length - 1)];
  next?.focus();
  next?.closest(ROW)?.scrollIntoView({ block: 'nearest' });
  return next;
}
