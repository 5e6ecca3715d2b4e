import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '../../../api/keys.js';
import { useOwner } from '../../../api/signed-in.js';
import { useMutation } from '../../../api/use-mutation.js';
import { entryOf, inputOfPayload } from '../../../story-model/entry.js';
import { hasEntries, parseExact } from '../../../text/exact-json.js';
import { useEdited, useEditor } from '../editor-context.js';
import {
  forgetPayload,
  type PayloadPlace,
  savedPayloads,
  type SavedPayload,
  savePayload,
} from './payload-store.js';
import type { SampleSource } from './sample-source.js';

/** An object as JSON has it. */
type Payload = Readonly<Record<string, unknown>>;

/** Returns the payload in a text. @throws Error with a sentence for a text that is no JSON object. */
export function readPayload(text: string): Payload {
  const value = parseExact(text);
  if (hasEntries(value) && !Array.isArray(value)) return value as Payload;
  throw new Error('A payload is a JSON object, such as {"body": {}}.');
}

function usePlace(): PayloadPlace {
  return { owner: useOwner(), storyId: useEditor().storyId };
}

const keyOf = ({ owner, storyId }: PayloadPlace) => keys.sample(storyId, 'saved', owner);

/** Returns the payloads that this browser keeps for the story; none where it keeps nothing. */
export function useSavedPayloads() {
  const place = usePlace();
  return useQuery({
    queryKey: keyOf(place),
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => savedPayloads(place),
  });
}

/** Returns what keeps a payload under a name, or forgets the one of that name if its text is undefined. */
export function useSavePayload() {
  const place = usePlace();
  const client = useQueryClient();
  return useMutation({
    networkMode: 'always',
    meta: { quiet: true },
    mutationFn: ({ name, text }: { name: string; text: string | undefined }) =>
      text === undefined ? forgetPayload(place, name) : savePayload(place, { name, text }),
    onSuccess: (_, { name, text }) =>
      client.setQueryData<SavedPayload[]>(keyOf(place), (known = []) => [
        ...known.filter((each) => each.name !== name),
        ...(text === undefined ? [] : [{ name, text }]),
      ]),
  });
}

/** Returns what actions see of the payload that a sample names; undefined for other samples, and without that payload. */
export function useSavedEvent(source: SampleSource | undefined): Payload | undefined {
  const name = source?.kind === 'saved' ? source.name : undefined;
  const text = useSavedPayloads().data?.find((each) => each.name === name)?.text;
  const entry = useEdited(({ draft }) => entryOf(draft));
  return useMemo(() => {
    if (text === undefined) return undefined;
    return inputOfPayload(entry, readPayload(text));
  }, [text, entry]);
}
