import { lazy, Suspense, useMemo } from 'react';
import { Loading, Nothing } from '../../ui/states.js';
import { exactWords } from '../../ui/words/time.js';
import { countedPart, firstKept, gapWords, type RunSpan } from './chart-data.js';

const RunsChart = lazy(async () => ({ default: (await import('./runs-chart.js')).RunsChart }));

interface RunsOfSpansProps {
  /** The oldest first. */
  spans: RunSpan[];
  /** The time that a bar stands for. */
  unit: string;
  barSeconds: number;
  /** All spans together: `the last hour`. */
  together: string;
  /** Earlier spans have no figures; null: all have. */
  countedSince: string | null;
  countedUntil: string;
}

/** Bars of the spans that are counted, or why there are none. */
export function RunsOfSpans({ spans, together, countedUntil, ...bars }: RunsOfSpansProps) {
  const { barSeconds, countedSince } = bars;
  const counted = useMemo(() => countedPart(spans, countedUntil), [spans, countedUntil]);
  const until = `Data until ${exactWords(countedUntil)}.`;
  if (counted.length === 0) {
    return (
      <Nothing title={`No data for ${together} yet.`}>
        <p>{until} The worker that counts runs is lagging.</p>
      </Nothing>
    );
  }
  const first = firstKept(counted, barSeconds, countedSince);
  const gap = countedSince !== null && first > 0 && `${gapWords(counted[first]?.from ?? countedSince)}.`;
  if (counted.every(({ runs_started: started, runs_ended: ended }) => !started && !ended)) {
    return (
      <Nothing title={`No runs in ${together}.`}>
        <p>
          {until} {gap} Call a webhook, or start a run manually.
        </p>
      </Nothing>
    );
  }
  return (
    <Suspense fallback={<Loading lines={5} />}>
      <RunsChart spans={counted} countedUntil={countedUntil} {...bars} />
    </Suspense>
  );
}
