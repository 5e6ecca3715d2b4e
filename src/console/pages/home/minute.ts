import { useEffect, useState } from 'react';
import { onNews } from '../../api/live.js';

const MINUTE_MS = 60_000;
const TICK_MS = 1_000;

/** Sums over the last minute, as the stream told of it. */
export interface Minute {
  started: number;
  events: number;
  deadLetters: number;
}

/** Counts what the stream tells, over the last minute; it begins at nothing when the page opens. */
export function useMinute(): Minute {
  const [minute, setMinute] = useState<Minute>({ started: 0, events: 0, deadLetters: 0 });
  useEffect(() => {
    let told: (Minute & { at: number })[] = [];
    const end = onNews(({ kind, data }) => {
      if (kind !== 'counts') return;
      const { runs_started: started = 0, events = 0, dead_letters: deadLetters = 0 } = data;
      told.push({ at: Date.now(), started, events, deadLetters });
    });
    const timer = setInterval(() => {
      told = told.filter(({ at }) => at > Date.now() - MINUTE_MS);
      const next = sumOf(told);
      setMinute((last) => (isSame(last, next) ? last : next));
    }, TICK_MS);
    return () => {
      end();
      clearInterval(timer);
    };
  }, []);
  return minute;
}

function sumOf(told: readonly Minute[]): Minute {
  const sum = { started: 0, events: 0, deadLetters: 0 };
  for (const { started, events, deadLetters } of told) {
    sum.started += started;
    sum.events += events;
    sum.deadLetters += deadLetters;
  }
  return sum;
}

const isSame = (a: Minute, b: Minute) =>
  a.started === b.started && a.events === b.events && a.deadLetters === b.deadLetters;
