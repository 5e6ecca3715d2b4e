import { MutationCache, QueryClient } from '@tanstack/react-query';
import { isForbidden, mayPass, sentencesOf } from '../text/problems.js';
import { onNews } from './live.js';

/** How old an answer may be before a page that opens asks again. */
const FRESH_MS = 10_000;
/** News come in bursts: queries are asked again this often at most. */
const GATHER_MS = 1_500;

/** First keys of the queries that news of a kind make old. The second key of a query is its story, if it has one. */
const MADE_OLD: Record<string, readonly string[]> = {
  run_ended: ['runs', 'stats', 'activity'],
  counts: ['activity', 'stats'],
  log: ['logs'],
  dead_letter: ['dead-letters', 'status', 'activity', 'queues'],
  case_changed: ['cases'],
  audit_log_changed: ['audit'],
  story_changed: ['stories', 'story', 'graph', 'activity', 'schedules'],
};

declare module '@tanstack/react-query' {
  interface Register {
    /** `did` is told to the person when a change has succeeded; one that is `quiet` shows its failure by itself. */
    mutationMeta: { did?: string; quiet?: boolean };
  }
}

/** Makes the store of answers. `tell` shows what came of changes to the person. */
export function createQueryClient(tell: (text: string, tone: 'ok' | 'bad') => void): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (count, error) => count < 2 && mayPass(error),
        refetchOnWindowFocus: true,
      },
    },
    mutationCache: new MutationCache({
      onSuccess: (_answer, _variables, _result, { meta }) => {
        if (meta?.did !== undefined) tell(meta.did, 'ok');
      },
      onError: (error, _variables, _result, { meta }) => {
        if (meta?.quiet !== true) tell(sentencesOf(error).join(' '), 'bad');
        // The role was changed since the session was read: its rights are read again.
        if (isForbidden(error)) void client.invalidateQueries({ queryKey: ['session'] });
      },
    }),
  });
  return client;
}

/** Lets live news make answers old, gathered over a moment. Returns the function that ends that. */
export function followNews(client: QueryClient): () => void {
  const old = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const keys = new Set(old);
    old.clear();
    const isOld = ({ queryKey }: { queryKey: readonly unknown[] }) =>
      keys.has('all') || keys.has(String(queryKey[0]));
    void client.invalidateQueries({ predicate: isOld });
  };
  const end = onNews(({ kind }) => {
    // From a resync on, nothing is missed: what was read before may lack something.
    if (kind === 'resync') old.add('all');
    for (const key of MADE_OLD[kind] ?? []) old.add(key);
    if (old.size > 0) timer ??= setTimeout(flush, GATHER_MS);
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}
