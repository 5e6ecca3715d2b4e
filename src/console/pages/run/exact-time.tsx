import { LOCALE } from '../../text/locale.js';

const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });
const precise = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'long' });

/**
 * A time of day in the viewer's zone, to the millisecond where it is known; the date when the pointer rests on it. In
 * milliseconds: a time of whole seconds is one that the server keeps in seconds.
 */
export function ExactTime({ at }: { at: number }) {
  const time = new Date(at);
  return (
    <time dateTime={time.toISOString()} title={exact.format(time)} className="nowrap">
      {(at % 1_000 === 0 ? clock : precise).format(time)}
    </time>
  );
}
