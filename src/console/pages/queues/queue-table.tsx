import '../../ui/lists/table.css';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Queue } from '../../../../clients/typescript/api.js';
import { addressOf } from '../../api/console-place.js';
import { Spark } from '../../ui/charts/spark.js';
import { Explained } from '../../ui/overlay/explained.js';
import { countWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import { Time } from '../../ui/words/time.js';
import { useNow } from '../../ui/words/use-now.js';
import { LATE_SECONDS, reasonsOf } from './queue-reasons.js';
import { barsOf, type QueueSums, sumsOf, total } from './queue-sums.js';
import { FIGURE_WORDS as WORDS, QUEUE_WORDS } from './queue-words.js';

interface QueueTableProps {
  queues: Queue[];
  /** All of them together. */
  all: QueueSums;
  /** The path of the queue board; null for those who may not see it. */
  board: string | null;
}

/** One column: its name, what it means, and its figure of a queue. */
interface Column {
  name: string;
  help: string;
  figure: (sums: QueueSums) => ReactNode;
  isWide?: boolean;
}

/** All queues, a row each, after the sums: what Redis holds, what waits in MySQL, why, and the last hour. */
export function QueueTable({ queues, all, board }: QueueTableProps) {
  const columns = columnsOf(all);
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Figures of the queues">
      <table className="table queue-table">
        <thead>
          <tr>
            <th>Queue</th>
            {columns.map(({ name, help, isWide }) => (
              <th key={name} className={`number ${isWide === true ? 'wider' : ''}`}>
                <Explained by={help}>{name}</Explained>
              </th>
            ))}
            <th className="fill">Why work waits</th>
          </tr>
        </thead>
        <tbody>
          <QueueRow name="All queues" note="of all stories you can view" sums={all} columns={columns} />
          {queues.map((queue) => (
            <QueueRow
              key={queue.queue}
              name={queue.queue}
              note={QUEUE_WORDS[queue.queue]}
              sums={sumsOf(queue)}
              columns={columns}
              jobs={board === null ? undefined : `${board}/queue/${encodeURIComponent(queue.queue)}`}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface QueueRowProps {
  name: string;
  note: string | undefined;
  sums: QueueSums;
  columns: Column[];
  /** The path of its jobs on the queue board. */
  jobs?: string | undefined;
}

function QueueRow({ name, note, sums, columns, jobs }: QueueRowProps) {
  const now = useNow();
  return (
    <tr>
      <th scope="row" className="queue-name">
        {jobs === undefined ? (
          name
        ) : (
          <a
            href={addressOf(jobs)}
            aria-label={`Jobs of ${name} on the queue board`}
            title="Jobs on the queue board"
          >
            {name}
          </a>
        )}
        {note !== undefined && <div className="faint queue-purpose">{note}</div>}
      </th>
      {columns.map(({ name: column, figure, isWide }) => (
        <td key={column} className={`number nowrap ${isWide === true ? 'wider' : ''}`}>
          {figure(sums)}
        </td>
      ))}
      <td className="fill queue-why">
        {reasonsOf(sums, now).map(({ words, isUrgent, path }) => (
          <div key={words} className={isUrgent ? 'warn' : ''}>
            {path === undefined ? words : <Link href={path}>{words}</Link>}
          </div>
        ))}
      </td>
    </tr>
  );
}

/** The columns of what can be read: Redis or MySQL may not respond, and jobs are not for everybody. */
function columnsOf({ jobs, deliveries }: QueueSums): Column[] {
  return [
    ...(jobs === null ? [] : JOB_COLUMNS),
    ...(deliveries === null ? [] : [...(jobs === null ? PENDING_COLUMNS : []), ...WAIT_COLUMNS]),
    ...(jobs === null ? [] : [HOUR_COLUMN]),
  ];
}

const JOB_COLUMNS: Column[] = [
  { name: 'Waiting', help: WORDS.waiting, figure: ({ jobs }) => <Count of={jobs?.waiting} /> },
  {
    name: 'Running',
    help: WORDS.running,
    figure: ({ jobs }) => (
      <>
        <Count of={jobs?.active} />
        {jobs !== null && jobs.slots !== null && <span className="faint"> of {countWords(jobs.slots)}</span>}
      </>
    ),
  },
  {
    name: 'Oldest',
    help: WORDS.oldest,
    figure: ({ jobs }) =>
      jobs === null || (jobs.oldest_seconds === 0 && jobs.waiting === 0) ? (
        <span className="faint">–</span>
      ) : (
        <span className={jobs.oldest_seconds > LATE_SECONDS ? 'warn' : ''}>
          {spanWords(jobs.oldest_seconds * 1_000)}
        </span>
      ),
  },
];

const PENDING_COLUMNS: Column[] = [
  { name: 'In Redis', help: WORDS.pending, figure: ({ deliveries }) => <Count of={deliveries?.pending} /> },
  {
    name: 'Oldest created',
    help: WORDS.oldestDelivery,
    figure: ({ deliveries }) => <Time at={deliveries?.oldest_at} />,
  },
];

const WAIT_COLUMNS: Column[] = [
  { name: 'Held', help: WORDS.held, figure: ({ deliveries }) => <Count of={deliveries?.held} /> },
  {
    name: 'To be retried',
    help: WORDS.retrying,
    figure: ({ deliveries }) => (
      <>
        <Count of={deliveries?.retrying} tone="warn" />
        {deliveries?.next_retry_at && (
          <div className="faint">
            <Time at={deliveries.next_retry_at} prefix="next " />
          </div>
        )}
      </>
    ),
  },
  { name: 'Sleeping', help: WORDS.sleeping, figure: ({ deliveries }) => <Count of={deliveries?.sleeping} /> },
  { name: 'Parked', help: WORDS.parked, figure: ({ deliveries }) => <Count of={deliveries?.parked} /> },
  {
    name: 'Dead letters',
    help: WORDS.letters,
    figure: ({ deliveries }) =>
      deliveries === null || deliveries.failed === 0 ? (
        <Count of={deliveries?.failed} />
      ) : (
        <Link href="/dead-letters" className="bad queue-letters">
          {countWords(deliveries.failed)}
        </Link>
      ),
  },
];

const HOUR_COLUMN: Column = {
  name: 'Last hour',
  help: WORDS.hour,
  isWide: true,
  figure: ({ jobs }) => (jobs === null ? <Count of={undefined} /> : <LastHour jobs={jobs} />),
};

function LastHour({ jobs: { ended, failed } }: { jobs: NonNullable<QueueSums['jobs']> }) {
  const words = `${countWords(total(ended))} ended, ${countWords(total(failed))} failed`;
  return (
    <span title={words}>
      <Spark bars={barsOf({ ended, failed })} label={`Last hour: ${words}`} />
    </span>
  );
}

/** A figure; nothing at all is faint, so that what is there is seen. */
function Count({ of, tone = '' }: { of: number | undefined; tone?: 'warn' | '' }) {
  if (of === undefined) return <span className="faint">–</span>;
  return <span className={of === 0 ? 'faint' : tone}>{countWords(of)}</span>;
}
