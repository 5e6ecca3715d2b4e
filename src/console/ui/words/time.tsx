import { sinceWords } from './since.js';
import { useNow } from './use-now.js';
import { LOCALE } from '../../text/locale.js';

const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'long' });

interface TimeProps {
  at: string | null | undefined;
  prefix?: string;
  /** Another zone that counts for the thing, told beside the exact time. */
  zone?: string;
}

/** A time as people say it; the exact one, in the viewer's zone, when the pointer rests on it. */
export function Time({ at, prefix = '', zone }: TimeProps) {
  const now = useNow();
  if (!at) return <span className="faint">–</span>;
  return (
    <time dateTime={at} title={exactWords(at, zone)} className="nowrap">
      {prefix}
      {sinceWords(Date.parse(at), now)}
    </time>
  );
}

/** Returns a time to the second in the viewer's zone, and in another one if it is given. */
export function exactWords(at: string, zone?: string): string {
  const here = exact.format(new Date(at));
  return zone === undefined ? here : `${here} · ${inZone(at, zone)}`;
}

/** The browser may not know a zone that the server knows. */
function inZone(at: string, timeZone: string): string {
  try {
    const there = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone });
    return `${there.format(new Date(at))} in ${timeZone}`;
  } catch {
    return timeZone;
  }
}
