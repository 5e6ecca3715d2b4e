import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InboxEntry } from '../../../../clients/typescript/api.js';
import type { Input } from '../../../../clients/typescript/client.js';
import { api } from '../../api/console-api.js';
import { keys, ofKind } from '../../api/keys.js';
import { useSession } from '../../api/signed-in.js';
import { useMutation } from '../../api/use-mutation.js';
import { say } from '../../ui/overlay/toasts.js';
import { type InboxFilters, inboxInput } from './inbox-query.js';

/** The server reads it for all callers every few seconds. */
const AGAIN_MS = 15_000;

/** Returns what needs a person, the most severe first. */
export function useInbox(filters: Omit<InboxFilters, 'search'>) {
  const input = inboxInput(filters, useSession().user.id);
  return useQuery({
    queryKey: keys.inbox.list(input),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    queryFn: () => api.inbox.list(input),
  });
}

/** Returns the most severe open entries that are no failures: work that is held, and what will hold it. */
export function useHeldFirst() {
  return useQuery({
    queryKey: keys.inbox.list('held first'),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    queryFn: async () => (await api.inbox.list({})).entries.filter(({ kind }) => kind !== 'failures'),
  });
}

/** Returns the work of an action that is held; of a part of the story that the person may see. */
export function useHeldOf(storyId: number, actionId: number) {
  return useQuery({
    queryKey: keys.inbox.list({ storyId, kind: 'held' }),
    queryFn: () => api.inbox.list({ story_id: storyId, kind: 'held', state: 'ALL' }),
    refetchInterval: AGAIN_MS,
    select: ({ entries }) =>
      entries.flatMap((entry) =>
        (entry.held ?? [])
          .filter(({ agent_id: id }) => id === actionId)
          .map(({ count, oldest_at: oldest }) => ({
            reason: entry.reason,
            until: entry.until,
            count,
            oldest,
          })),
      ),
  });
}

type Change = Omit<Input<'inbox.update'>, 'entry_key'>;

/** A change of an entry, with what is said once it is made. */
interface InboxWork {
  entry: Pick<InboxEntry, 'key'>;
  change: Change;
  did: string;
  /** What undoes it. */
  undo?: Change;
}

/** Returns what assigns and snoozes entries. Its message undoes what takes an entry off the list. */
export function useInboxWork() {
  const client = useQueryClient();
  // The undo of a message may come while the list is still read again.
  const work = useMutation(
    {
      mutationFn: ({ entry: { key }, change }: InboxWork) => api.inbox.update({ entry_key: key, ...change }),
      onSuccess: (_response, { entry, did, undo }) =>
        say(
          did,
          'ok',
          undo && {
            name: 'Undo',
            onDo: () => work.mutate({ entry, change: undo, did: 'It is as before.' }),
          },
        ),
      onSettled: () => client.invalidateQueries({ queryKey: ofKind('inbox') }),
    },
    true,
  );
  return work;
}
