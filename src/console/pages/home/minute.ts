import { useEffect, useState } from 'react';
import { onLiveEvent } from '../../api/live.js';

const MINUTE_MS = 60_000;
const TICK_MS = 1_000;

/** Sums over the last minute, as the stream told of it. */
export interface Minute {
  started: number;
  events: number;
  deadLetters: number;
  /** False: the page has been live for less than a minute, so the sums are those since then. */
  isWhole: boolean;
}

type Told = Omit<Minute, 'isWhole'> & { at: number };

const NOTHING: Minute = { started: 0, events: 0, deadLetters: 0, isWhole: false };

/** Counts what the stream tells, over the last minute; it begins at nothing when the page opens. */
export function useMinute(): Minute {
  const [minute, setMinute] = useState(NOTHING);
  useEffect(() => {
    let told: Told[] = [];
    let since = Date.now();
    const end = onLiveEvent(({ kind, data }) => {
      // Numbers of what was left out are told all the same; in any other gap they are missing.
      if (kind === 'resync' && data.reason !== 'too_many') since = Date.now();
      if (kind !== 'counts') return;
      const { runs_started: started = 0, events = 0, dead_letters: deadLetters = 0 } = data;
      told.push({ at: Date.now(), started, events, deadLetters });
    });
    const timer = setInterval(() => {
      const now = Date.now();
      told = told.filter(({ at }) => at > now - MINUTE_MS);
      const next = { ...sumOf(told), isWhole: now - since >= MINUTE_MS };
      setMinute((last) => (isSame(last, next) ? last : next));
    }, TICK_MS);
    return () => {
      end();
      clearInterval(timer);
    };
  }, []);
  return minute;
}

function sumOf(told: readonly Told[]): Omit<Minute, 'isWhole'> {
  const sum = { started: 0, events: 0, deadLetters: 0 };
  for (const { started, events, deadLetters } of told) {
    sum.started += started;
    sum.events += events;
    sum.deadLetters += deadLetters;
  }
  return sum;
}

const isSame = (a: Minute, b: Minute) =>
  a.started === b.started &&
  a.events === b.events &&
  a.deadLetters === b.deadLetters &&
  a.isWhole === b.isWhole;
