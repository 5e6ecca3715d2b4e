import { useEffect, useEffectEvent, useState } from 'react';
import { useLater } from './use-later.js';

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
