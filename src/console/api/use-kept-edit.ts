import { useState } from 'react';
import { readText, useTextKey, writeText } from './use-kept-text.js';

/** A text of others that a person changes. */
export interface KeptEdit {
  text: string;
  setText: (text: string) => void;
  /** The text as it was when the person began; undefined: it is as it is now, and nothing was changed. */
  base: string | undefined;
  /** A colleague has changed the text since the person began. */
  isContested: boolean;
  /** The person has seen the colleague's text, and goes on with the own one. */
  keepMine: () => void;
  /** Goes back to the text as it is now: it was sent, or given up. */
  forget: () => void;
}

interface Edit {
  text: string;
  base: string;
}

/**
 * Returns a person's change of a text that others may change too, kept as `useKeptText` keeps one. With it is kept what it
 * began with: so a colleague's newer text is seen, and not overwritten. `present` is the text as it is now.
 */
export function useKeptEdit(place: string, present: string): KeptEdit {
  const key = useTextKey(`${place}.edit`);
  const [edit, setEdit] = useState(() => editIn(readText(key)));
  const change = (next: Edit | undefined) => {
    setEdit(next);
    writeText(key, next === undefined ? null : JSON.stringify(next));
  };
  const { text, base } = edit ?? { text: present, base: present };
  return {
    text,
    setText: (next) => change(next === base ? undefined : { text: next, base }),
    base: edit?.base,
    isContested: edit !== undefined && !isSameText(base, present) && !isSameText(text, present),
    keepMine: () => change(isSameText(text, present) ? undefined : { text, base: present }),
    forget: () => change(undefined),
  };
}

/** Returns whether the person's change of a text is kept at `place`, as of when the page is drawn. */
export function useHasKeptEdit(place: string): boolean {
  return editIn(readText(useTextKey(`${place}.edit`))) !== undefined;
}

/** Whether a text differs from the one that the person began with. */
export const isChanged = ({ text, base }: KeptEdit): boolean => base !== undefined && !isSameText(text, base);

/** Compares a text, read again just before an edit of it is sent. @throws Error if a colleague has changed it. */
export function requireUnchanged(noun: string, now: string, { text, base = '' }: KeptEdit): void {
  if ([text, base].some((known) => isSameText(now, known))) return;
  throw new Error(`A colleague has just changed the ${noun}. Nothing was saved.`);
}

/** Whether two texts are the same: a field has line ends of one kind, what is stored may have another. */
function isSameText(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

/** Returns the kept change; undefined: there is none that can be read. */
function editIn(kept: string | null): Edit | undefined {
  if (kept === null) return undefined;
  try {
    const { text, base } = JSON.parse(kept) as Partial<Edit>;
    return typeof text === 'string' && typeof base === 'string' ? { text, base } : undefined;
  } catch {
    return undefined;
  }
}
