import '../../ui/lines.css';
import './home.css';
import { lazy, Suspense } from 'react';
import { useIsOwner } from '../../app/signed-in.js';
import { useTitle } from '../../app/use-title.js';
import { Card, Figure } from '../../ui/card.js';
import { countWords, shareWords } from '../../ui/words/figures.js';
import { Answer, Loading, Nothing } from '../../ui/states.js';
import { Changes } from './changes.js';
import { Failing } from './failing.js';
import { Findings } from './findings.js';
import { Health } from './health.js';
import { useHours } from './home-data.js';
import { useMinute } from './minute.js';

const RunsChart = lazy(async () => ({ default: (await import('./runs-chart.js')).RunsChart }));

/** Is it well, and what happens: the page on which a person on call begins. */
export function HomePage() {
  useTitle('Home');
  const isOwner = useIsOwner();
  return (
    <div className="page home">
      <h1 className="unseen">Home</h1>
      <Health />
      <Runs />
      <div className="home-columns">
        <Failing />
        {isOwner && <Findings />}
        {isOwner && <Changes />}
      </div>
    </div>
  );
}

function Runs() {
  const hours = useHours();
  const minute = useMinute();
  const sum = (name: 'runs_started' | 'runs_ended' | 'runs_failed' | 'events') =>
    (hours.data?.hours ?? []).reduce((total, hour) => total + (hour[name] ?? 0), 0);
  const ended = sum('runs_ended');
  return (
    <Card title="Runs an hour, last 24 hours" aside={<Legend />}>
      <Answer of={hours} lines={5}>
        {(data) => (
          <>
            <dl className="figures">
              <Figure
                name="In the last minute"
                value={countWords(minute.started)}
                note={minute.isWhole ? 'as seen live' : 'since this page is live'}
              />
              <Figure name="Runs" value={countWords(sum('runs_started'))} note="last 24 hours" />
              <Figure
                name="Failed"
                value={countWords(sum('runs_failed'))}
                note={`${shareWords(ended === 0 ? null : sum('runs_failed') / ended)} of those that ended`}
                {...(sum('runs_failed') > 0 && { tone: 'bad' })}
              />
              <Figure
                name="Events"
                value={countWords(sum('events'))}
                note={`${countWords(minute.events)} in the last minute`}
              />
            </dl>
            {sum('runs_started') === 0 && ended === 0 ? (
              <Nothing title="No run in the last 24 hours.">
                <p>Call a webhook of a story, or start a run by hand.</p>
              </Nothing>
            ) : (
              <Suspense fallback={<Loading lines={5} />}>
                <RunsChart hours={data.hours} />
              </Suspense>
            )}
          </>
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
