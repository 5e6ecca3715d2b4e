import './queues.css';
import { Layers } from 'lucide-react';
import type { ListQueuesResponse } from '../../../../clients/typescript/api.js';
import { addressOf } from '../../api/console-place.js';
import { useSession } from '../../api/signed-in.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Answer } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { useNow } from '../../ui/words/use-now.js';
import { unservedWords } from './queue-reasons.js';
import { sumOf, sumsOf } from './queue-sums.js';
import { QueueTable } from './queue-table.js';
import { useQueues } from './queues-data.js';

/** Each queue with its work that waits, and why: jobs in Redis, and deliveries in MySQL. */
export function QueuesPage() {
  useTitle('Queues');
  const { board_path: board } = useSession();
  const queues = useQueues();
  return (
    <div className="page">
      <header className="page-head">
        <h1>Queues</h1>
        <span className="faint grow">
          {queues.data && (
            <Time at={queues.data.deliveries_counted_at ?? queues.data.checked_at} prefix="counted " />
          )}
        </span>
        {board !== null && (
          <a className="button" href={addressOf(board)}>
            <Layers aria-hidden="true" /> Queue board
          </a>
        )}
      </header>
      <Answer of={queues} lines={12}>
        {(data) => <Found data={data} board={board} />}
      </Answer>
    </div>
  );
}

function Found({ data: { queues }, board }: { data: ListQueuesResponse; board: string | null }) {
  const all = sumOf(queues);
  const now = useNow();
  const unserved = queues.flatMap((queue) => unservedWords(queue.queue, sumsOf(queue), now) ?? []);
  return (
    <>
      {unserved.map(({ queue, words, waiting }) => (
        <p key={queue} className="queue-note bad">
          <span role="status">{words}</span> <span>{waiting}</span>
        </p>
      ))}
      {notesOf({ hasJobs: all.jobs !== null, hasWork: all.deliveries !== null, board }).map((note) => (
        <p key={note} className="queue-note" role="status">
          {note}
        </p>
      ))}
      <QueueTable queues={queues} all={all} board={board} />
    </>
  );
}

/** Returns what a reader must know of figures that are missing. */
function notesOf(found: { hasJobs: boolean; hasWork: boolean; board: string | null }): string[] {
  const { hasJobs, hasWork, board } = found;
  return [
    ...(hasJobs || board === null
      ? []
      : ['Redis did not respond in time: jobs, slots and the last hour are unavailable.']),
    ...(hasJobs || board !== null
      ? []
      : ['Jobs, slots and rates cover all tenants, so only an owner of the only tenant can view them.']),
    ...(hasWork
      ? []
      : ['MySQL did not respond in time: held, sleeping and failed deliveries are unavailable.']),
  ];
}
