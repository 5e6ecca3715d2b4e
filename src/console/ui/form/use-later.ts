import { useEffect, useState } from 'react';

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
