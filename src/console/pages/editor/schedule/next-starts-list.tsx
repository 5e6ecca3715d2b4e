import { useEffect, useEffectEvent, useState } from 'react';
import styles from './schedule.module.css';
import { LOCALE } from '../../../text/locale.js';

const COUNT = 5;

interface Start {
  at: string;
  words: string;
}

type Shown = { starts: Start[] } | { fault: string };

interface NextStartsProps {
  cron: string;
  timezone: string;
  /** Is called once these have starts. */
  onValid: () => void;
}

/** The next starts of a schedule, in its zone; what is wrong with it if it has none. */
export function NextStarts({ cron, timezone, onValid }: NextStartsProps) {
  const [shown, setShown] = useState<Shown>();
  const told = useEffectEvent(onValid);
  useEffect(() => {
    let isOld = false;
    const show = async () => {
      const next = await readStarts(cron, timezone);
      if (isOld) return;
      setShown(next);
      if ('starts' in next) told();
    };
    void show();
    return () => {
      isOld = true;
    };
  }, [cron, timezone]);
  if (shown === undefined) return null;
  if ('fault' in shown) {
    return (
      <p className="warn wrap" role="status">
        {shown.fault}
      </p>
    );
  }
  return (
    <div>
      <p className="faint">Next starts</p>
      <ol className={styles['starts']} aria-label="Next starts">
        {shown.starts.map((start) => (
          <li key={start.at}>
            <time dateTime={start.at}>{start.words}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}

async function readStarts(cron: string, timezone: string): Promise<Shown> {
  try {
    // The parser is read with the first schedule that is shown.
    const { nextStarts } = await import('./next-starts.js');
    return { starts: nextStarts({ cron, timezone }, COUNT).map((start) => startIn(start, timezone)) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws RangeError for an unknown time zone. */
function startIn(start: Date, timezone: string): Start {
  const words = start.toLocaleString(LOCALE, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timezone || 'UTC',
  });
  return { at: start.toISOString(), words };
}
