import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 200;

/** Returns a value once it has not changed for a moment: one request for a word, not one for each letter. */
export function useLater<Value>(value: Value): Value {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

/**
 * Returns the text of a field and what sets it. `onText` is told a text once it has not changed for a moment. A change of
 * `given` alone, as by the browser's back, becomes the text and is not told.
 */
export function useLaterText(
  given: string,
  onText: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(given);
  const [taken, setTaken] = useState(given);
  if (taken !== given) {
    setTaken(given);
    setText(given);
  }
  const later = useLater(text);
  const tell = useEffectEvent((typed: string) => {
    if (typed !== given) onText(typed);
  });
  useEffect(() => tell(later), [later]);
  return [text, setText];
}
