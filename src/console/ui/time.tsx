import { useEffect, useState } from 'react';
import { sinceWords } from './since.js';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const TICK_MS = 30_000;

/** A time as people say it; the exact one, in the viewer's zone, when the pointer rests on it. */
export function Time({ at, prefix = '' }: { at: string | null | undefined; prefix?: string }) {
  const now = useNow();
  if (!at) return <span className="faint">–</span>;
  return (
    <time dateTime={at} title={exact.format(new Date(at))} className="nowrap">
      {prefix}
      {sinceWords(Date.parse(at), now)}
    </time>
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
