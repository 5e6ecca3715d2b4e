import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import type { GetStatusResponse } from '../../../../clients/typescript/api.js';
import { Card, Figure } from '../../ui/card.js';
import { countWords, sizeWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import { isUnreachable } from '../../text/problems.js';
import { AWAY_WORDS, useLasts } from '../../ui/away.js';
import { Answer } from '../../ui/states.js';
import { exactWords, Time } from '../../ui/words/time.js';
import { useStatus } from './home-data.js';

const HEADS = {
  ok: { words: 'All systems normal', icon: CircleCheck },
  warning: { words: 'Needs attention', icon: TriangleAlert },
  error: { words: 'Critical problem', icon: CircleX },
};
/** Beyond this, the figure is told in the colour of a warning. */
const LATE_SECONDS = 60;

/** Whether all is well, why not, and the figures behind it. */
export function Health() {
  const status = useStatus();
  const isOld = useLasts(status.data !== undefined && isUnreachable(status.failureReason));
  return (
    <Card
      title="Status"
      aside={
        <span className="faint">
          {isOld && status.data !== undefined ? (
            <>
              Last checked {exactWords(status.data.checked_at)}. {AWAY_WORDS}
            </>
          ) : (
            <Time at={status.data?.checked_at} prefix="checked " />
          )}
        </span>
      }
      className={isOld ? 'old' : ''}
    >
      <Answer of={status} lines={3}>
        {(data) => (
          <>
            <Headline status={data} />
            <Figures status={data} />
          </>
        )}
      </Answer>
    </Card>
  );
}

function Headline({ status }: { status: GetStatusResponse }) {
  const { words, icon: Icon } = HEADS[status.state];
  return (
    <div className={`headline ${status.state}`}>
      <Icon aria-hidden="true" />
      <div className="grow">
        <p className="headline-words">{words}</p>
        {status.reasons.length > 0 && (
          <ul>
            {status.reasons.map(({ text, remedy, since }) => (
              <li key={text} className="wrap">
                {text}{' '}
                <span className="faint">
                  {since !== null && (
                    <>
                      <Time at={since} prefix="Began " />.{' '}
                    </>
                  )}
                  {remedy}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function Figures({ status }: { status: GetStatusResponse }) {
  const { installation, stories } = status;
  const queues = installation?.queues ?? [];
  const sum = (name: 'waiting' | 'active' | 'delayed') =>
    queues.reduce((total, queue) => total + queue[name], 0);
  const oldest = Math.max(0, ...queues.map(({ oldest_seconds: seconds }) => seconds));
  const workers = Math.max(0, ...queues.map((queue) => queue.workers ?? 0));
  const letters = stories?.dead_letters ?? 0;
  return (
    <dl className="figures">
      <Figure
        name="Dead letters"
        value={`${countWords(letters)}${stories?.dead_letters_complete === false ? '+' : ''}`}
        {...(letters > 0 && { tone: 'bad' })}
      />
      <Figure name="Failing stories" value={countWords(stories?.failing.length ?? 0)} />
      {installation && (
        <>
          <Figure
            name="Jobs waiting"
            value={countWords(sum('waiting'))}
            note={`${countWords(sum('active'))} running`}
          />
          <Figure
            name="Oldest waiting"
            value={oldest === 0 && sum('waiting') === 0 ? '–' : spanWords(oldest * 1_000)}
            {...(oldest > LATE_SECONDS && { tone: 'warn' })}
          />
          <Figure name="Relay lag" value={lag(installation.relay_lag_seconds)} />
          <Figure name="Workers" value={countWords(workers)} {...(workers === 0 && { tone: 'bad' })} />
          <Figure
            name="MySQL"
            value={ping(installation.mysql_ms)}
            {...(installation.mysql_ms === null && { tone: 'bad' })}
          />
          <Figure
            name="Redis"
            value={ping(installation.redis_ms)}
            {...(installation.redis_ms === null && { tone: 'bad' })}
          />
          <Figure name="Spool" value={installation.spool ? sizeWords(installation.spool.bytes) : 'unknown'} />
        </>
      )}
    </dl>
  );
}

const lag = (seconds: number | null) => (seconds === null ? 'unknown' : spanWords(seconds * 1_000));
const ping = (ms: number | null) => (ms === null ? 'no response' : spanWords(ms));
