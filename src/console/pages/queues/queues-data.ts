import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';

/** The server reads the queues that often. */
const AGAIN_MS = 5_000;

/** Returns what waits in each queue for the teams of the person. */
export function useQueues() {
  return useQuery({
    queryKey: keys.queues,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    queryFn: () => api.queues.list({}),
  });
}
