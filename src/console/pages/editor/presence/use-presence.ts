import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../api/console-api.js';
import { addressOf } from '../../../api/console-place.js';
import { keys } from '../../../api/keys.js';
import { send } from '../../../api/send-to.js';
import { useEdited, useEditor, useView } from '../editor-context.js';
import type { ViewState } from '../view-store.js';
import type { PresentPerson } from './present-people.js';

/** The server forgets a person after 45 seconds. A tab that nobody sees does not ask. */
const AGAIN_MS = 20_000;
/** What is chosen for shorter is told to nobody. */
const REST_MS = 1_500;
const NOBODY: readonly PresentPerson[] = [];

/** Returns the others who have the story open, and tells them what is chosen here; nobody while that cannot be known. */
export function usePresence(): readonly PresentPerson[] {
  const { storyId, draftId } = useEditor();
  const id = draftId ?? storyId;
  const key = useView(theChosen);
  const chosen = useRested(useEdited(({ draft }) => (key && draft.actions.get(key)?.guid) || null));
  const present = useQuery({
    queryKey: keys.presence(id, chosen),
    queryFn: async () => (await api.stories.presence.enter({ id, action_guid: chosen })).people,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    const leave = () => {
      const path = addressOf(`/api/v1/stories/${id}/presence`);
      // The page goes on without an answer: the server forgets the person by itself.
      void send(path, { method: 'DELETE', keepalive: true }).catch(() => undefined);
    };
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [id]);
  return present.isError ? NOBODY : (present.data ?? NOBODY);
}

/** Returns the key of the action that is chosen alone. */
function theChosen({ selection: { actions, notes, links } }: ViewState): string | null {
  return actions.length === 1 && notes.length === 0 && links.length === 0 ? (actions[0] ?? null) : null;
}

/** Returns a choice as it is once it has not changed for a moment. */
function useRested(chosen: string | null): string | null {
  const [rested, setRested] = useState(chosen);
  useEffect(() => {
    const timer = setTimeout(() => setRested(chosen), REST_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  return rested;
}
