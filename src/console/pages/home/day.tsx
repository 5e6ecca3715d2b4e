import './day.css';
import { Link } from 'wouter';
import type { Statistics } from '../../../../clients/typescript/api.js';
import { useIsOwner } from '../../api/signed-in.js';
import { Card, Figure } from '../../ui/card.js';
import { Answer } from '../../ui/states.js';
import { countWords, shareWords } from '../../ui/words/figures.js';
import { firstKept } from './chart-data.js';
import { bandOf, type Hour } from './day-band.js';
import { useHours, usePublications } from './home-data.js';
import { useMinute } from './minute.js';

const HOUR_SECONDS = 3_600;
/** Every so many hours the band has a time below. */
const TIMES_EVERY = 4;

/** The last 24 hours: how many runs, how they ended, and when something was published; an hour leads to its runs. */
export function Day() {
  const hours = useHours();
  const publications = usePublications(useIsOwner()).data ?? [];
  return (
    <Card title="Runs, last 24 hours" aside={<Legend hasPublications={publications.length > 0} />}>
      <Answer of={hours} lines={5}>
        {({ hours: all, counted_since: since, counted_until: until }) => (
          <>
            <Figures hours={all} />
            <Band
              hours={bandOf(all, {
                firstKept: firstKept(all, HOUR_SECONDS, since),
                countedUntil: until,
                publications,
              })}
            />
          </>
        )}
      </Answer>
    </Card>
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
        name="Runs"
        value={countWords(sum('runs_started'))}
        note={`${countWords(sum('events'))} events`}
      />
      <Figure
        name="Failed"
        value={countWords(sum('runs_failed'))}
        note={ended === 0 ? 'no finished runs' : `${shareWords(sum('runs_failed') / ended)} of finished runs`}
        {...(sum('runs_failed') > 0 && { tone: 'bad' })}
      />
      <Figure
        name="In the last minute"
        value={countWords(minute.started)}
        note={minute.isWhole ? `${countWords(minute.events)} events, live` : 'since this page loaded'}
      />
    </dl>
  );
}

/** An hour each: the bar is as high as its runs, its foot as high as those that failed. */
function Band({ hours }: { hours: Hour[] }) {
  return (
    <ol className="band" aria-label="Runs by hour">
      {hours.map(({ from, path, words, time, height, badHeight, marks, isKept }, at) => (
        <li key={from}>
          <Link
            href={path}
            className={`band-hour ${isKept ? '' : 'unknown'}`}
            aria-label={words}
            title={words}
          >
            {marks > 0 && <span className="band-mark" aria-hidden="true" />}
            <span className="band-bar" style={{ height: `${height}%` }} aria-hidden="true">
              <span className="band-bad" style={{ height: `${badHeight}%` }} />
            </span>
          </Link>
          <span className="band-time" aria-hidden="true">
            {at % TIMES_EVERY === 0 && time}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Legend({ hasPublications }: { hasPublications: boolean }) {
  return (
    <span className="row legend" aria-hidden="true">
      <i className="legend-ok" /> ended <i className="legend-bad" /> failed
      {hasPublications && (
        <>
          <i className="band-mark" /> published
        </>
      )}
    </span>
  );
}
