import { MutationCache, QueryClient } from '@tanstack/react-query';
import { isForbidden, isUnreachable, isUnsigned, mayPass, sentencesOf } from '../text/problems.js';
import { keys } from './keys.js';
import { onLiveEvent } from './live.js';
import { agedBy, type LiveEvent } from './live-invalidation.js';

/** How old a response may be before a page that opens asks again. */
const FRESH_MS = 10_000;
/** Minimum interval between invalidations: live events come in bursts. */
const GATHER_MS = 1_500;
/** Tries after an answer that may pass, such as a fault of the server. */
const TRIES = 2;
/** The longest pause before the next try. */
const LONGEST_PAUSE_MS = 3_000;

declare module '@tanstack/react-query' {
  interface Register {
    /** `did` is told to the person when a change has succeeded; one that is `quiet` shows its failure by itself. */
    mutationMeta: { did?: string; quiet?: boolean };
  }
}

/** Makes the store of responses. `tell` shows what came of changes to the person. */
export function createQueryClient(tell: (text: string, tone: 'ok' | 'bad') => void): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A server that is away is asked until it is back.
        retry: (count, error) => isUnreachable(error) || (count < TRIES && mayPass(error)),
        retryDelay: (count) => Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** count),
        networkMode: 'always',
        refetchOnWindowFocus: true,
      },
      // Nothing is sent later by itself.
      mutations: { networkMode: 'always' },
    },
    mutationCache: new MutationCache({
      onSuccess: (_response, _variables, _result, { meta }) => {
        if (meta?.did !== undefined) tell(meta.did, 'ok');
      },
      onError: (error, _variables, _result, { meta }) => {
        // A refusal of a session that is over is told by the sign-in over the page.
        if (meta?.quiet !== true && !isUnsigned(error)) tell(sentencesOf(error).join(' '), 'bad');
        // The role was changed since the session was read: its rights are read again.
        if (isForbidden(error)) void client.invalidateQueries({ queryKey: keys.session });
      },
    }),
  });
  return client;
}

/** Lets live events make answers old, gathered over a moment. Returns the function that ends that. */
export function followLiveEvents(client: QueryClient): () => void {
  let gathered: LiveEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const isOld = agedBy(gathered);
    timer = undefined;
    gathered = [];
    void client.invalidateQueries({ predicate: ({ queryKey }) => isOld(queryKey) });
  };
  const end = onLiveEvent((event) => {
    gathered.push(event);
    timer ??= setTimeout(flush, GATHER_MS);
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}
