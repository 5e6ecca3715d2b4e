import { useEffect, useState } from 'react';

const TICK_MS = 30_000;

/** Returns the time in milliseconds; it goes on every half minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
