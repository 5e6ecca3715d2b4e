import type { Statistics } from '../../../../clients/typescript/api.js';
import { LOCALE } from '../../text/locale.js';

/** A minute or an hour of runs. */
export type RunSpan = Pick<
  Statistics,
  'from' | 'runs_started' | 'runs_ended' | 'runs_failed' | 'runs_cancelled'
>;

const shortTime = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });

/** Returns the spans that are counted, the last one in part: where nothing is counted yet is no zero. */
export function countedPart<Span extends RunSpan>(spans: readonly Span[], countedUntil: string): Span[] {
  return spans.filter(({ from }) => Date.parse(from) < Date.parse(countedUntil));
}

/**
 * Returns times (seconds, the middle of each span) and heights of stacked bars, in runs: all that ended, those that
 * failed or were cancelled, those that were cancelled. Each bar is drawn over the one before.
 */
export function stackOf(
  spans: readonly RunSpan[],
  barSeconds: number,
): [number[], number[], number[], number[]] {
  return [
    spans.map(({ from }) => Date.parse(from) / 1_000 + barSeconds / 2),
    spans.map(({ runs_ended: ended }) => ended ?? 0),
    spans.map(({ runs_failed: failed, runs_cancelled: cancelled }) => (failed ?? 0) + (cancelled ?? 0)),
    spans.map(({ runs_cancelled: cancelled }) => cancelled ?? 0),
  ];
}

/**
 * Returns the place of the first span with figures, or the number of spans if none has figures. Spans that ended before figures
 * were kept have none, unless they have sums: another installation may have counted them.
 */
export function firstKept(spans: readonly RunSpan[], barSeconds: number, keptSince: string | null): number {
  if (keptSince === null) return 0;
  const since = Date.parse(keptSince);
  const isKept = ({ from, runs_started: started, runs_ended: ended }: RunSpan) =>
    Date.parse(from) + barSeconds * 1_000 > since || Boolean(started) || Boolean(ended);
  const first = spans.findIndex(isKept);
  return first === -1 ? spans.length : first;
}

/** Returns the gap before a time in words: `No data before 19:58`. */
export const gapWords = (time: string) => `No data before ${shortTime.format(new Date(time))}`;

/** Returns a bar of the gap in words: `19:57: no data`. */
export const noFiguresWords = ({ from }: RunSpan) => `${shortTime.format(new Date(from))}: no data`;

/** Returns a bar in words: `19:58: 5 started, 3 completed, 1 failed, 0 cancelled`. */
export function barWords(span: RunSpan): string {
  const { runs_started: started, runs_ended: ended, runs_failed: failed, runs_cancelled: cancelled } = span;
  const completed = (ended ?? 0) - (failed ?? 0) - (cancelled ?? 0);
  return `${shortTime.format(new Date(span.from))}: ${started ?? 0} started, ${completed} completed, ${failed ?? 0} failed, ${cancelled ?? 0} cancelled`;
}

/** Returns the highest bar in words. `unit`: what a bar stands for. */
export function highestWords(spans: readonly RunSpan[], unit: string): string {
  const most = spans.toSorted((a, b) => (b.runs_ended ?? 0) - (a.runs_ended ?? 0))[0];
  if (most === undefined) return 'none';
  return `peak: ${most.runs_ended ?? 0} ended in the ${unit} from ${shortTime.format(new Date(most.from))}`;
}
