import { lazy, Suspense, useMemo } from 'react';
import type { Statistics } from '../../../../clients/typescript/api.js';
import { useAddress } from '../../ui/browser/use-address.js';
import { Card, Figure } from '../../ui/card.js';
import { Answer, Loading, Nothing } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { countWords, shareWords } from '../../ui/words/figures.js';
import { useHours, useLastHour } from './home-data.js';
import { useMinute } from './minute.js';
import { exactWords } from '../../ui/words/time.js';
import { countedPart, firstKept, gapWords, type RunSpan } from './chart-data.js';

const RunsChart = lazy(async () => ({ default: (await import('./runs-chart.js')).RunsChart }));

const TITLES = { minutes: 'Runs per minute, last hour', hours: 'Runs per hour, last 24 hours' };

/** How many runs there are, and how they end: figures, and bars by minute or by hour. */
export function Runs() {
  const [query, change] = useAddress();
  const chosen = query.get('runs') === 'hours' ? 'hours' : 'minutes';
  const hours = useHours();
  const lastDay = () =>
    // The figures above it tell why there is no response.
    hours.data && (
      <RunsOfSpans
        spans={hours.data.hours}
        unit="hour"
        barSeconds={3_600}
        together="the last 24 hours"
        countedSince={hours.data.counted_since}
        countedUntil={hours.data.counted_until}
      />
    );
  return (
    <Card title={TITLES[chosen]} aside={<Legend />}>
      <Answer of={hours} lines={2}>
        {(data) => <Figures hours={data.hours} />}
      </Answer>
      <Tabs
        label="Time range"
        tabs={[
          { key: 'minutes', name: 'Last hour', content: () => <LastHour /> },
          { key: 'hours', name: '24 hours', content: lastDay },
        ]}
        chosen={chosen}
        onChoose={(key) => change({ runs: key === 'hours' ? key : undefined })}
      />
    </Card>
  );
}

function LastHour() {
  const minutes = useLastHour();
  return (
    <Answer of={minutes} lines={5}>
      {(data) => (
        <RunsOfSpans
          spans={data.minutes}
          unit="minute"
          barSeconds={60}
          together="the last hour"
          countedSince={data.counted_since}
          countedUntil={data.counted_until}
        />
      )}
    </Answer>
  );
}

function Figures({ hours }: { hours: Statistics[] }) {
  const minute = useMinute();
  const sum = (name: 'runs_started' | 'runs_ended' | 'runs_failed' | 'events') =>
    hours.reduce((total, hour) => total + (hour[name] ?? 0), 0);
  const ended = sum('runs_ended');
  return (
    <dl className="figures few">
      <Figure
        name="In the last minute"
        value={countWords(minute.started)}
        note={minute.isWhole ? 'live' : 'since this page loaded'}
      />
      <Figure name="Runs" value={countWords(sum('runs_started'))} note="last 24 hours" />
      <Figure
        name="Failed"
        value={countWords(sum('runs_failed'))}
        note={ended === 0 ? 'no finished runs' : `${shareWords(sum('runs_failed') / ended)} of finished runs`}
        {...(sum('runs_failed') > 0 && { tone: 'bad' })}
      />
      <Figure
        name="Events"
        value={countWords(sum('events'))}
        note={`${countWords(minute.events)} in the last minute`}
      />
    </dl>
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
function RunsOfSpans({ spans, together, countedUntil, ...bars }: RunsOfSpansProps) {
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
          {until} {gap} Call a webhook, or start a run manually: it appears within half a minute.
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
