import { useQuery } from '@tanstack/react-query';
import type { StartedRun } from '../../../../../clients/typescript/api.js';
import { sendText } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { useGraph } from '../../story/story-data.js';
import { useEvent } from '../run-data.js';
import type { Step } from '../run-tree.js';

/** An action at which a new run can begin, and whether it works on the event itself or on what was before it. */
export interface Target {
  actionId: number;
  name: string;
  payload: 'before' | 'after';
}

/** More than that is no text to be edited in a field. */
const MOST_CHARACTERS = 500_000;

/** Returns where a run can begin from a step: at its action, or at those that received its event. */
export function useTargets(step: Step, storyId: number): Target[] {
  const actions = useGraph({ storyId, draftId: undefined }).data?.actions ?? [];
  const own = actions.find(({ id }) => id === step.actionId);
  if (own === undefined) return [];
  const receivers = step.event === undefined ? [] : actions.filter(({ id }) => own.receivers.includes(id));
  return [
    { actionId: own.id, name: own.name, payload: 'before' },
    ...receivers.map(({ id, name }): Target => ({ actionId: id, name, payload: 'after' })),
  ];
}

/** Returns the JSON with which the run would begin: what the action saw; for the first action, what it put out. */
export function usePayload(step: Step, input: unknown, payload: Target['payload'] | undefined) {
  const isFirst = step.inputId === undefined;
  const before = useEvent(isFirst ? undefined : step.inputId, 'whole');
  const own = useEvent(isFirst && payload === 'before' ? step.event?.id : undefined, 'own');
  const after = useEvent(payload === 'after' ? step.event?.id : undefined, 'whole');
  const source = payload === 'after' ? after : isFirst ? own : before;
  const value = isFirst && payload === 'before' && isGiven(input) ? input : source.data?.payload;
  return useQuery({
    queryKey: keys.payloadText(step.key, payload, value === undefined),
    enabled: value !== undefined,
    gcTime: 0,
    queryFn: () => textOf(value),
  });
}

/** Starts a run at an action. The payload is sent as the text that it is, so its numbers keep their digits. */
export async function startRun(actionId: number, text: string): Promise<StartedRun> {
  const response = await sendText('POST', `/api/v1/actions/${actionId}/run`, `{"event":${text}}`);
  return JSON.parse(response) as StartedRun;
}

/** Returns why a text cannot be the payload of a run; undefined if it can. */
export function payloadFault(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    return isObject ? undefined : 'The payload must be an object: { … }';
  } catch (error) {
    return error instanceof Error ? error.message : 'Invalid JSON.';
  }
}

interface PayloadText {
  text: string;
  tooLarge: boolean;
  /** It has numbers that this browser has rounded. */
  isRounded: boolean;
}

function textOf(value: unknown): PayloadText {
  let isRounded = false;
  const look = (_key: string, part: unknown) => {
    if (typeof part === 'number' && Math.abs(part) > Number.MAX_SAFE_INTEGER) isRounded = true;
    return part;
  };
  const text = JSON.stringify(value, look, 2);
  return { text, tooLarge: text.length > MOST_CHARACTERS, isRounded };
}

const isGiven = (input: unknown) => input !== null && input !== undefined;
