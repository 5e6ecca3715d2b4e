import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { isWebhook } from '../../../story-model/entry.js';
import { slugOf } from '../../../text/action-slug.js';
import { hasEntries } from '../../../text/exact-json.js';
import { readPayload, useSavedEvent } from '../sample/saved-payloads.js';
import { useSampleInput, useShownSample } from '../sample/shown-sample.js';

type Payload = Readonly<Record<string, unknown>>;

/** The payload that a real event would have, or why there is none. */
export type SentPayload = { payload: Payload; fault?: undefined } | { payload?: undefined; fault: string };

/** Returns what a real event would have: the payload as it is typed, else that of the sample. */
export function useSentPayload(entry: GraphAction | undefined, typed: string | undefined): SentPayload {
  const source = useShownSample();
  const saved = useSavedEvent(source);
  const seen = useSampleInput(entry, source).data?.event;
  if (typed !== undefined) return readTyped(typed);
  const isCut = (seen?.cut_texts.length ?? 0) + (seen?.left_out.length ?? 0) > 0;
  if (saved === undefined && isCut) return { fault: 'The sample is too large to be sent. Write a payload.' };
  const input = saved ?? (source === undefined ? undefined : seen?.value);
  const payload =
    entry !== undefined && isWebhook(entry) && hasEntries(input)
      ? Reflect.get(input, slugOf(entry.name))
      : input;
  return hasEntries(payload) && !Array.isArray(payload)
    ? { payload: { ...payload } }
    : { fault: 'The sample has no event to send. Write a payload.' };
}

function readTyped(text: string): SentPayload {
  try {
    return { payload: readPayload(text) };
  } catch {
    return { fault: 'The payload is not a JSON object.' };
  }
}
