import { type RefObject, useEffect, useRef } from 'react';

const ROW = '[data-entry]';

/**
 * Keeps the place of a person in a list whose rows go away: the focus of a row that went is that of the next one. Returns
 * what tells the key of the row with the focus; undefined: none has it.
 */
export function useKeptPlace(
  list: RefObject<HTMLElement | null>,
  entries: readonly { key: string }[],
): () => string | undefined {
  const last = useRef<{ key: string; at: number }>(undefined);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const row = rowOf(target);
      const at = row === undefined ? -1 : rowsIn(list.current).indexOf(row);
      last.current = at === -1 ? undefined : { key: row?.dataset['entry'] ?? '', at };
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [list]);
  useEffect(() => {
    const before = last.current;
    if (before === undefined || document.activeElement !== document.body) return;
    if (entries.some(({ key }) => key === before.key)) return;
    const next = rowsIn(list.current)[Math.min(before.at, entries.length - 1)];
    next?.querySelector<HTMLElement>('[data-opens-row]')?.focus();
  }, [entries, list]);
  return () => rowOf(document.activeElement)?.dataset['entry'];
}

const rowsIn = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>(ROW) ?? [])];

const rowOf = (target: EventTarget | null) =>
  (target instanceof Element ? target.closest<HTMLElement>(ROW) : null) ?? undefined;
