import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';

const AGAIN_MS = 15_000;

/** Returns a page of the webhooks that the person may see, perhaps of one story. */
export function useWebhooks(page: number, story: number | undefined) {
  return useQuery({
    queryKey: keys.webhooks(page, story),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    queryFn: () => api.webhooks.list({ page, per_page: 50, ...(story !== undefined && { story_id: story }) }),
  });
}

/** Returns one webhook by the id of its action, asked again each `againMs`. */
export function useWebhook(id: number, againMs = AGAIN_MS) {
  return useQuery({
    queryKey: keys.webhook(id).self,
    refetchInterval: againMs,
    queryFn: () => api.webhooks.get({ id }),
  });
}
