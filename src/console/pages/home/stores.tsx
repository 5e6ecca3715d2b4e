import type { GetStatusResponse } from '../../../../clients/typescript/api.js';
import { countWords, nounWords, sizeWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';

/** Beyond this, a wait is told in the colour of a warning. */
const LATE_SECONDS = 60;

interface Part {
  name: string;
  value: string;
  tone: 'ok' | 'warn' | 'bad';
}

/** Stores and work in one line of dots; nothing for those who may not see them. */
export function Stores({ status: { installation } }: { status: Pick<GetStatusResponse, 'installation'> }) {
  if (installation === null) return null;
  return (
    <ul className="stores" aria-label="Stores and queues">
      {partsOf(installation).map(({ name, value, tone }) => (
        <li key={name} className={tone}>
          <span>{name}</span> <strong>{value}</strong>
        </li>
      ))}
    </ul>
  );
}

function partsOf(installation: NonNullable<GetStatusResponse['installation']>): Part[] {
  const queues = installation.queues ?? [];
  const sum = (name: 'waiting' | 'active') => queues.reduce((total, queue) => total + queue[name], 0);
  const oldest = Math.max(0, ...queues.map(({ oldest_seconds: seconds }) => seconds));
  const workers = Math.max(0, ...queues.map((queue) => queue.workers ?? 0));
  const { mysql_ms: mysql, redis_ms: redis, relay_lag_seconds: lag, spool } = installation;
  const waiting = `${nounWords(sum('waiting'), 'job')} waiting, ${countWords(sum('active'))} running`;
  return [
    store('MySQL', mysql),
    store('Redis', redis),
    {
      name: 'Relay',
      value: lag === null ? 'unknown' : `${spanWords(lag * 1_000)} behind`,
      tone: late(lag ?? 0),
    },
    { name: 'Workers', value: countWords(workers), tone: workers === 0 ? 'bad' : 'ok' },
    {
      name: 'Queues',
      value: sum('waiting') === 0 ? waiting : `${waiting}, oldest ${spanWords(oldest * 1_000)}`,
      tone: late(oldest),
    },
    {
      name: 'Spool',
      value: spool === null ? 'unknown' : sizeWords(spool.bytes),
      tone: spool === null ? 'warn' : 'ok',
    },
  ];
}

const store = (name: string, ms: number | null): Part => ({
  name,
  value: ms === null ? 'no response' : spanWords(ms),
  tone: ms === null ? 'bad' : 'ok',
});
const late = (seconds: number): Part['tone'] => (seconds > LATE_SECONDS ? 'warn' : 'ok');
