import { useCallback, useState } from 'react';
import { useOwner } from './signed-in.js';

const PREFIX = 'fabula.text.';

/**
 * Returns a text that a person writes, what changes it, and what forgets it once it is sent. It is kept for this tab and this
 * person: it outlives a reload of the page, a restart of the server and the end of the session. It is not for secrets.
 * `place` names where it is written, `given` is the text to begin with.
 */
export function useKeptText(
  place: string,
  given = '',
): [text: string, setText: (text: string) => void, forget: () => void] {
  const key = useTextKey(place);
  const [text, setText] = useState(() => readText(key) ?? given);
  const change = useCallback(
    (next: string) => {
      setText(next);
      writeText(key, next === given ? null : next);
    },
    [key, given],
  );
  const forget = useCallback(() => {
    setText(given);
    writeText(key, null);
  }, [key, given]);
  return [text, change, forget];
}

/** Returns the key under which a text of this person is kept. */
export const useTextKey = (place: string) => `${PREFIX}${useOwner()}.${place}`;

/** Forgets all kept texts of this tab: the person has signed out, or another one has signed in. */
export function forgetTexts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // A browser that stores nothing has nothing to forget.
  }
}

/** Returns the kept text; null: there is none. */
export function readText(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text; null forgets it. */
export function writeText(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // The text stays in the field; a browser that stores nothing loses it with the page alone.
  }
}
