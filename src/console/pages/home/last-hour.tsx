import { lazy, Suspense, useMemo } from 'react';
import { Link } from 'wouter';
import { Card } from '../../ui/card.js';
import { Answer, Loading, Nothing } from '../../ui/states.js';
import { exactWords } from '../../ui/words/time.js';
import { runsPath } from '../runs/run-query.js';
import { countedPart, firstKept, gapWords, type RunSpan } from './chart-data.js';
import { useLastHour } from './home-data.js';

const RunsChart = lazy(async () => ({ default: (await import('./runs-chart.js')).RunsChart }));

const MINUTE_SECONDS = 60;

/** How the runs of the last hour ended, by minute; a link leads to them. */
export function LastHour() {
  return (
    <Card
      title="Runs per minute, last hour"
      aside={
        <>
          <Legend />
          <Link href={runsPath({ span: '1h' })}>Show runs</Link>
        </>
      }
    >
      <Answer of={useLastHour()} lines={5}>
        {(data) => (
          <Minutes spans={data.minutes} countedSince={data.counted_since} countedUntil={data.counted_until} />
        )}
      </Answer>
    </Card>
  );
}

function Legend() {
  return (
    <span className="row legend" aria-hidden="true">
      <i className="legend-ok" /> completed <i className="legend-bad" /> failed <i className="legend-off" />{' '}
      cancelled
    </span>
  );
}

interface MinutesProps {
  /** The oldest first. */
  spans: RunSpan[];
  /** Earlier spans have no figures; null: all have. */
  countedSince: string | null;
  countedUntil: string;
}

/** Bars of the spans that are counted, or why there are none. */
function Minutes({ spans, countedSince, countedUntil }: MinutesProps) {
  const counted = useMemo(() => countedPart(spans, countedUntil), [spans, countedUntil]);
  const until = `Data until ${exactWords(countedUntil)}.`;
  if (counted.length === 0) {
    return (
      <Nothing title="No data for the last hour yet.">
        <p>{until} The worker that counts runs is lagging.</p>
      </Nothing>
    );
  }
  const first = firstKept(counted, MINUTE_SECONDS, countedSince);
  const gap = countedSince !== null && first > 0 && `${gapWords(counted[first]?.from ?? countedSince)}.`;
  if (counted.every(({ runs_started: started, runs_ended: ended }) => !started && !ended)) {
    return (
      <Nothing title="No runs in the last hour.">
        <p>
          {until} {gap} Call a webhook, or start a run manually: it appears within half a minute.
        </p>
      </Nothing>
    );
  }
  return (
    <Suspense fallback={<Loading lines={5} />}>
      <RunsChart
        spans={counted}
        unit="minute"
        barSeconds={MINUTE_SECONDS}
        {...{ countedSince, countedUntil }}
      />
    </Suspense>
  );
}
