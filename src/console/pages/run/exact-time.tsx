const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** A time of day to the millisecond, in the viewer's zone; the date when the pointer rests on it. In milliseconds. */
export function ExactTime({ at }: { at: number }) {
  const time = new Date(at);
  return (
    <time dateTime={time.toISOString()} title={exact.format(time)} className="nowrap">
      {clock.format(time)}
    </time>
  );
}
