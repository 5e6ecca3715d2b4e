import type { AttemptSummary } from '../../../../../clients/typescript/api.js';
import { LOCALE } from '../../../text/locale.js';
import { isHeld, shortWait } from '../../../text/wait-words.js';
import { spanWords } from '../../../ui/words/since.js';
import { isWarned, type Step } from '../run-tree.js';
import type { Span } from './row-place.js';

/** The looks of a part of a bar, and their words in the legend. */
export const SHADES = [
  ['queue', 'queued'],
  ['work', 'running'],
  ['warned', 'ran with errors'],
  ['attempt', 'failed attempt'],
  ['pause', 'waiting for the retry'],
  ['waits', 'delayed by its options'],
  ['open', 'pending'],
] as const;

/** One part of the time of a step. */
export interface Segment extends Span {
  shade: (typeof SHADES)[number][0];
  /** As in the legend, with the number of an attempt and what it got. */
  words: string;
}

type Look = Pick<Segment, 'shade' | 'words'>;

/** Returns the parts of the time of a step, oldest first; `waits`: its action waits by its options, as a delay does. */
export function segmentsOf(step: Step, waits: boolean): Segment[] {
  const { from, began, to, open, dead, attempts } = step;
  const segments: Segment[] = [];
  let at = from;
  const until = (end: number, look: Look, mayBeShort = false) => {
    // The worker's clock measures attempts, the database's the other times.
    const next = Math.min(Math.max(end, at), to);
    if (next > at || mayBeShort) segments.push({ ...look, from: at, to: next });
    at = next;
  };
  // An attempt that went on is the work of the step itself.
  const failed = attempts.filter(({ outcome }) => outcome !== 'continued');
  for (const [index, attempt] of failed.entries()) {
    const start = attempt.started_at === null ? at : Date.parse(attempt.started_at);
    until(start, idle(index > 0, waits));
    until(Date.parse(attempt.failed_at), { shade: 'attempt', words: attemptWords(attempt) }, true);
  }
  if (dead !== undefined) {
    // A failure whose attempts are not known is a bar of its own.
    if (failed.length === 0) until(to, { shade: 'attempt', words: 'failed' }, true);
    return segments;
  }
  if (open !== undefined) {
    until(to, failed.length > 0 ? idle(true, waits) : { shade: 'open', words: openWords(open) });
    return segments;
  }
  until(began, idle(failed.length > 0, waits));
  until(
    to,
    isWarned(step) ? { shade: 'warned', words: 'ran with errors' } : { shade: 'work', words: 'ran' },
    true,
  );
  return segments;
}

/** Returns a segment in words with its times: `queued 3.2 s, 21:26:01.120 – 21:26:04.300`. */
export function segmentWords({ words, from, to }: Segment): string {
  return `${words} ${spanWords(to - from)}, ${clock.format(from)} – ${clock.format(to)}`;
}

/** Returns a segment as a line of a list, which goes on where it ends: `21:26:01.120 queued 3.2 s`. */
export function segmentLine({ words, from, to }: Segment): string {
  return `${clock.format(from)} ${words} ${spanWords(to - from)}`;
}

const clock = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

const openWords = ({ reason }: NonNullable<Step['open']>) =>
  isHeld(reason) ? `waits (${shortWait(reason)})` : 'pending';

/** The time before an attempt or before the work. */
function idle(isAfterAttempt: boolean, waits: boolean): Look {
  if (isAfterAttempt) return { shade: 'pause', words: 'waited for the retry' };
  return waits ? { shade: 'waits', words: 'delayed by its options' } : { shade: 'queue', words: 'queued' };
}

function attemptWords({ number, status }: AttemptSummary): string {
  const which = number === null ? 'attempt' : `attempt ${number}`;
  return status === null ? `${which} failed` : `${which}: ${statusWords(status)}`;
}

/** Returns a status as people say it: `502`, or that there was no response. */
export const statusWords = (status: number) => (status === 0 ? 'no response' : String(status));
