import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Input } from '../../../../clients/typescript/client.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { onLiveEvent } from '../../api/live.js';

const AGAIN_MS = 15_000;
/** The server writes down a call within a second. */
const LOGGED_MS = 1_500;

/** The orders of the list, by the names of the API, with their words. */
export const WEBHOOK_ORDERS = {
  LAST_CALL: 'Last call first',
  REFUSED: 'Most refused first',
  STORY: 'By story',
} as const;
export type WebhookOrder = keyof typeof WEBHOOK_ORDERS;

/** The webhooks that are asked for; all of it stands in the address. */
export interface WebhookFilters {
  /** Part of the name, the story or the path. */
  search: string;
  story: number | undefined;
  order: WebhookOrder;
  page: number;
}

/** Returns a page of the webhooks that the person may see. */
export function useWebhooks({ search, story, order, page }: WebhookFilters) {
  const input: Input<'webhooks.list'> = {
    page,
    per_page: 50,
    order,
    ...(search !== '' && { search }),
    ...(story !== undefined && { story_id: story }),
  };
  return useQuery({
    queryKey: keys.webhooks(input),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    queryFn: () => api.webhooks.list(input),
  });
}

/** Returns one webhook by the id of its action, asked again each `againMs` and after each call that starts a run. */
export function useWebhook(id: number, againMs = AGAIN_MS) {
  const client = useQueryClient();
  const webhook = useQuery({
    queryKey: keys.webhook(id).self,
    refetchInterval: againMs,
    queryFn: () => api.webhooks.get({ id }),
  });
  const storyId = webhook.data?.story.id;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = onLiveEvent(({ kind, data }) => {
      if (kind !== 'run_started' || data.source !== 'webhook' || data.story_id !== storyId) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: keys.webhook(id).self });
      }, LOGGED_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [client, id, storyId]);
  return webhook;
}
