import { Link } from 'wouter';
import { Figure } from '../../ui/card.js';
import { countWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import { Spark } from '../../ui/charts/spark.js';
import { Time } from '../../ui/words/time.js';
import { barsOf, type QueueSums, total } from './queue-sums.js';
import { FIGURE_WORDS as WORDS } from './queue-words.js';

/** Beyond this, waiting is told in the colour of a warning. */
const LATE_SECONDS = 60;

type Jobs = NonNullable<QueueSums['jobs']>;
type Deliveries = NonNullable<QueueSums['deliveries']>;

/** The figures of a queue: first what Redis holds, then what waits in MySQL, then the last hour. */
export function QueueFigures({ sums: { jobs, deliveries } }: { sums: QueueSums }) {
  return (
    <dl className="figures queue-figures">
      {jobs !== null && <JobFigures jobs={jobs} />}
      {deliveries !== null && (
        <>
          {jobs === null && <PendingFigures deliveries={deliveries} />}
          <WaitFigures deliveries={deliveries} />
        </>
      )}
      {jobs !== null && <HourFigure jobs={jobs} />}
    </dl>
  );
}

function JobFigures({
  jobs: { waiting, active, delayed, oldest_seconds: oldest, slots, workers, paused },
}: {
  jobs: Jobs;
}) {
  const isDead = workers === 0;
  const of = slots === null ? 'capacity unknown' : `of ${countWords(slots)} slots`;
  return (
    <>
      <Figure
        name="Waiting"
        help={WORDS.waiting}
        value={countWords(waiting)}
        {...(delayed > 0 && { note: `${countWords(delayed)} delayed` })}
      />
      <Figure
        name="Running"
        help={WORDS.running}
        value={countWords(active)}
        note={paused === null ? isDead ? 'no worker' : of : <Paused pause={paused} />}
        {...(isDead && { tone: 'bad' as const })}
        {...(paused !== null && { tone: 'warn' as const })}
      />
      <Figure
        name="Oldest waiting"
        help={WORDS.oldest}
        value={oldest === 0 && waiting === 0 ? '–' : spanWords(oldest * 1_000)}
        {...(oldest > LATE_SECONDS && { tone: 'warn' as const })}
      />
    </>
  );
}

function Paused({ pause: { since, by } }: { pause: NonNullable<Jobs['paused']> }) {
  return (
    <>
      paused {since !== null && <Time at={since} />} {by !== null && `by ${by}`}
    </>
  );
}

function PendingFigures({ deliveries: { pending, oldest_at: oldest } }: { deliveries: Deliveries }) {
  return (
    <>
      <Figure name="In Redis" help={WORDS.pending} value={countWords(pending)} />
      <Figure name="Oldest created" help={WORDS.oldestDelivery} value={<Time at={oldest} />} />
    </>
  );
}

function WaitFigures({ deliveries }: { deliveries: Deliveries }) {
  const { held, retrying, next_retry_at: next, sleeping, parked, failed } = deliveries;
  return (
    <>
      <Figure name="Held" help={WORDS.held} value={countWords(held)} />
      <Figure
        name="To be retried"
        help={WORDS.retrying}
        value={countWords(retrying)}
        {...(next !== null && { note: <Time at={next} prefix="next " /> })}
        {...(retrying > 0 && { tone: 'warn' as const })}
      />
      <Figure name="Sleeping" help={WORDS.sleeping} value={countWords(sleeping)} />
      <Figure name="Parked" help={WORDS.parked} value={countWords(parked)} />
      <Figure
        name="Dead letters"
        help={WORDS.letters}
        value={failed === 0 ? '0' : <Link href="/dead-letters">{countWords(failed)}</Link>}
        {...(failed > 0 && { tone: 'bad' as const })}
      />
    </>
  );
}

function HourFigure({ jobs: { ended, failed } }: { jobs: Jobs }) {
  const words = `${countWords(total(ended))} ended, ${countWords(total(failed))} failed`;
  return (
    <Figure
      name="Last hour"
      help={WORDS.hour}
      wide
      value={<Spark bars={barsOf({ ended, failed })} label={`Last hour: ${words}`} />}
      note={words}
    />
  );
}
