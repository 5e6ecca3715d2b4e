import { useQuery } from '@tanstack/react-query';
import type { Action, ActiveStory, Run } from '../../../../../clients/typescript/api.js';
import { api, sendText } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { isWebhook } from '../../../story-model/entry.js';
import { hasEntries, parseExact } from '../../../text/exact-json.js';
import { firstEvent } from '../../gallery/sample/sample-input.js';

/** A payload to begin with, and what it was taken from. */
export interface FirstPayload {
  text: string;
  from: 'event' | 'run' | 'sample' | 'nothing';
}

/** Larger texts are no pleasure in a field. */
const MOST_CHARACTERS = 200_000;

const isEntry = (action: Action) => isWebhook(action) || action.sources.length === 0;

/** Returns the actions at which a run usually starts, webhooks first, and the others. */
export function startsOf(actions: readonly Action[]): { entries: Action[]; others: Action[] } {
  const entries = actions.filter(isEntry);
  return {
    entries: entries.toSorted((one, other) => Number(isWebhook(other)) - Number(isWebhook(one))),
    others: actions.filter((action) => !isEntry(action)),
  };
}

/** Returns the payload of the last run that began at the action, else the sample of its story in the gallery. */
export function useFirstPayload(story: ActiveStory, action: Action | undefined) {
  return useQuery({
    queryKey: keys.story(story.id).firstPayload(action?.id ?? 0),
    enabled: action !== undefined,
    // A dialog that is open keeps what it began with; the next one reads it again.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<FirstPayload> => {
      if (action === undefined) throw new Error('No action is chosen.');
      return (
        (isWebhook(action) ? await lastEvent(action.id) : await lastInput(action)) ??
        (await sampleOf(story, action)) ?? { text: isWebhook(action) ? EMPTY : '{}', from: 'nothing' }
      );
    },
  });
}

const EMPTY = '{\n  "body": {}\n}';

async function lastEvent(actionId: number): Promise<FirstPayload | undefined> {
  const { events } = await api.actions.events.list({
    id: actionId,
    per_page: 1,
    exclude_previous_event_payloads: true,
  });
  const [last] = events;
  if (last === undefined || last.incomplete) return undefined;
  // As text, so that its numbers keep their digits.
  const text = await sendText('GET', `/api/v1/events/${last.id}?exclude_previous_event_payloads=true`);
  return written(inside(parseExact(text), 'payload'), 'event');
}

/** The input of the newest run, if it began at this action. */
async function lastInput({ id, story_id: storyId }: Action): Promise<FirstPayload | undefined> {
  const { story_runs: runs } = await api.stories.runs.list({ id: storyId, per_page: 1 });
  const [last] = runs;
  if (last === undefined) return undefined;
  const text = await sendText('GET', `/api/v1/stories/${storyId}/runs/${last.guid}?per_page=1`);
  const run = parseExact(text);
  const events = inside(run, 'story_run_events');
  const first = Array.isArray(events) ? inside(events[0], 'agent_id') : undefined;
  return first === id ? written(inside(run, 'input'), 'run') : undefined;
}

async function sampleOf(story: ActiveStory, action: Action): Promise<FirstPayload | undefined> {
  const { gallery_slug: slug } = story;
  if (slug === null || !isWebhook(action)) return undefined;
  const { GALLERY } = await import('../../gallery/gallery-stories.js');
  const ready = GALLERY.find((each) => each.slug === slug);
  return ready && written(parseExact(firstEvent(ready.event, true)), 'sample');
}

function written(payload: unknown, from: FirstPayload['from']): FirstPayload | undefined {
  if (!hasEntries(payload) || Array.isArray(payload)) return undefined;
  const text = JSON.stringify(payload, null, 2);
  return text.length > MOST_CHARACTERS ? undefined : { text, from };
}

const inside = (value: unknown, key: string): unknown =>
  hasEntries(value) ? Reflect.get(value, key) : undefined;

/** Starts a run at an action; the payload is JSON text, so that its numbers keep their digits. */
export async function startRun(
  storyId: number,
  { actionId, payload }: { actionId: number; payload: string },
): Promise<Pick<Run, 'guid' | 'story_id'>> {
  const body = `{"agent_id":${actionId},"payload":${payload}}`;
  return JSON.parse(await sendText('POST', `/api/v1/stories/${storyId}/runs`, body)) as Run;
}

/** Returns why a text is no payload, in a sentence; undefined if it is one. */
export function payloadFault(text: string): string | undefined {
  try {
    const value = parseExact(text);
    return hasEntries(value) && !Array.isArray(value)
      ? undefined
      : 'A payload is a JSON object, such as {"body": {}}.';
  } catch (error) {
    return error instanceof Error ? error.message : 'Invalid JSON.';
  }
}
