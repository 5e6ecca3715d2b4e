import './inbox-count.css';
import { useQuery } from '@tanstack/react-query';
import type { ListInboxResponse } from '../../../../clients/typescript/api.js';
import { openInbox } from '../../api/open-inbox.js';
import { countWords } from '../../ui/words/figures.js';

const AGAIN_MS = 30_000;

const countsIn = ({ counts }: ListInboxResponse) => counts;

/** How many entries of the inbox need attention; nothing if none does. */
export function InboxCount() {
  const { data } = useQuery({ ...openInbox, refetchInterval: AGAIN_MS, select: countsIn });
  const count = (data?.errors ?? 0) + (data?.warnings ?? 0);
  if (data === undefined || count === 0) return null;
  return (
    <span className={`side-count ${data.errors > 0 ? 'bad' : 'warn'}`}>
      <span aria-hidden="true">{countWords(count)}</span>
      <span className="unseen">({countWords(count)} need attention)</span>
    </span>
  );
}
