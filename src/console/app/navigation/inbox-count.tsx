import './inbox-count.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { countWords } from '../../ui/words/figures.js';

const AGAIN_MS = 30_000;

/** How many entries of the inbox need attention; nothing if none does. */
export function InboxCount() {
  const { data } = useQuery({
    queryKey: keys.inbox.counts,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    // The counts are of all entries, and few are snoozed: a short response.
    queryFn: async () => (await api.inbox.list({ state: 'SNOOZED' })).counts,
  });
  const count = (data?.errors ?? 0) + (data?.warnings ?? 0);
  if (data === undefined || count === 0) return null;
  return (
    <span className={`side-count ${data.errors > 0 ? 'bad' : 'warn'}`}>
      <span aria-hidden="true">{countWords(count)}</span>
      <span className="unseen">({countWords(count)} need attention)</span>
    </span>
  );
}
