import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useId, useRef } from 'react';
import type { Webhook, WebhookRefusal } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { onLiveEvent } from '../../api/live.js';
import { keys } from '../../api/keys.js';

const AGAIN_MS = 2_000;

/** The outcome of the next call of a webhook. */
export type NextCall =
  | { kind: 'accepted'; run: string; payload: unknown }
  | { kind: 'refused'; refusal: WebhookRefusal };

/**
 * Returns what came of the first call after it began to wait: undefined until it listens, null until a call comes. The
 * stream tells of an accepted call at once; refused ones are only in the list of the webhook, which is read every two
 * seconds. `shown` are runs that are no next call, as they were shown before; the run that is found is added.
 */
export function useNextCall(webhook: Webhook, shown: RefObject<Set<string>>) {
  const client = useQueryClient();
  const queryKey = keys.webhook(webhook.id).nextCall(useId());
  const before = useRef<{ runs: Set<string>; refused: number }>(undefined);
  const next = useQuery({
    queryKey,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data } }) => (data ? false : AGAIN_MS),
    queryFn: async (): Promise<NextCall | null> => {
      const now = await api.webhooks.get({ id: webhook.id });
      before.current ??= { runs: runsOf(now), refused: refusedOf(now) };
      const { runs, refused } = before.current;
      const run = [...runsOf(now)].find((guid) => !runs.has(guid) && !shown.current.has(guid));
      if (run !== undefined) return eventOf(webhook, run);
      const refusal = refusedOf(now) > refused ? now.refusals?.[0] : undefined;
      if (refusal === undefined) return null;
      void client.invalidateQueries({ queryKey: keys.webhook(webhook.id).self });
      return { kind: 'refused', refusal };
    },
  });
  const { data } = next;
  const run = data?.kind === 'accepted' ? data.run : undefined;
  // Only when it is shown no more: until then, another read finds the same run.
  useEffect(() => {
    const runs = shown.current;
    return () => void (run !== undefined && runs.add(run));
  }, [run, shown]);
  const isWaiting = !data;
  const take = useEffectEvent(async (guid: string) => {
    const found = await eventOf(webhook, guid);
    if (found === null) return;
    // A read that is on its way knows less.
    await client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, found);
  });
  const storyId = webhook.story.id;
  useEffect(() => {
    if (!isWaiting) return undefined;
    return onLiveEvent(({ kind, data }) => {
      const { story_id: story, source, story_run_guid: guid } = data;
      if (kind !== 'run_started' || story !== storyId || source !== 'webhook' || !guid) return;
      // The list of calls, which is read again in a moment, names this run too.
      void take(guid).catch(() => undefined);
    });
  }, [isWaiting, storyId]);
  return next;
}

const runsOf = ({ calls }: Webhook) => new Set((calls ?? []).map(({ story_run_guid: run }) => run));
const refusedOf = ({ counts }: Webhook) =>
  Object.values(counts?.refused ?? {}).reduce((sum, count) => sum + count, 0);

/** Returns the event of a call; null if another webhook of the story took it. */
async function eventOf({ id, story }: Webhook, run: string): Promise<NextCall | null> {
  const { events } = await api.stories.runs.get({ id: story.id, guid: run, per_page: 1 });
  const [first] = events;
  return first?.agent_id === id ? { kind: 'accepted', run, payload: first.payload } : null;
}
