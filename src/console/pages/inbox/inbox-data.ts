import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InboxEntry, ListInboxResponse } from '../../../../clients/typescript/api.js';
import type { Input } from '../../../../clients/typescript/client.js';
import { api } from '../../api/console-api.js';
import { keys, ofKind } from '../../api/keys.js';
import { openInbox } from '../../api/open-inbox.js';
import { useSession, useTeamsWith } from '../../api/signed-in.js';
import { useMutation } from '../../api/use-mutation.js';
import { say } from '../../ui/overlay/toasts.js';
import { type InboxFilters, inboxInput } from './inbox-query.js';

/** Held work is counted every five seconds, so that it is here within 15. */
const AGAIN_MS = 8_000;
/** The entries that Home shows first. */
const FIRST_AGAIN_MS = 15_000;
/** What is held of one action is a note beside it. */
const HELD_AGAIN_MS = 60_000;

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
    ...openInbox,
    refetchInterval: FIRST_AGAIN_MS,
    select: noFailures,
  });
}

const noFailures = ({ entries }: ListInboxResponse) => entries.filter(({ kind }) => kind !== 'failures');

/** Returns the work of an action that is held; of a part of the story that the person may see. */
export function useHeldOf(storyId: number, actionId: number) {
  return useQuery({
    queryKey: keys.inbox.list({ storyId, kind: 'held' }),
    queryFn: () => api.inbox.list({ story_id: storyId, kind: 'held', state: 'ALL' }),
    staleTime: HELD_AGAIN_MS,
    refetchInterval: HELD_AGAIN_MS,
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

/** Returns what tells whether the person may assign and snooze an entry: one of no team, with the right in some team, or of their key. */
export function useMayChange(): (entry: Pick<InboxEntry, 'team_id' | 'kind'>) => boolean {
  const teams = useTeamsWith('write');
  return ({ team_id: team, kind }) =>
    (team === null && kind === 'api_key') || teams.some(({ id }) => team === null || id === team);
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
            onDo: () => work.mutate({ entry, change: undo, did: 'Undone.' }),
          },
        ),
      onSettled: () => client.invalidateQueries({ queryKey: ofKind('inbox') }),
    },
    true,
  );
  return work;
}
