import type { StoryTrial, TriedAction, TriedEvent } from '../../../../../clients/typescript/api.js';
import type { TrialMark } from '../../../canvas/draft-elements.js';
import { kindOfLink, type StoryDraft } from '../../../story-model/story-draft.js';

const TRIGGER_TYPE = 'Agents::TriggerAgent';

/** Returns what each action of a draft did in a trial, by its key. */
export function marksOf(trial: StoryTrial, { actions, links }: StoryDraft): Map<string, TrialMark> {
  const keyOf = keysOf(actions);
  const marks = new Map<string, TrialMark>([...actions.keys()].map((key) => [key, 'not reached']));
  const mark = (action: TriedAction | null, as: TrialMark) => {
    const key = action === null ? undefined : keyOf(action);
    if (key !== undefined) marks.set(key, as);
  };
  const { events, requests, mails, records, prompts, calls, logs, waiting, errors } = trial;
  const parts = [events, requests, mails, records, prompts, calls, logs, waiting].flat();
  for (const { action } of parts) mark(action, 'ran');
  // A receiver of an event ran even if it did nothing that shows. Whether a trigger has matched, its event does not tell.
  for (const { action } of events) {
    const source = action === null ? undefined : keyOf(action);
    if (source === undefined || actions.get(source)?.type === TRIGGER_TYPE) continue;
    for (const link of links.values()) {
      const receiver = actions.get(link.receiver);
      if (link.source !== source || kindOfLink(link) !== 'DEFAULT' || receiver?.disabled === true) continue;
      if (trial.stopped === null) marks.set(link.receiver, 'ran');
    }
  }
  for (const { action } of trial.difference?.actions ?? []) mark(action, 'differs');
  for (const { action } of errors) mark(action, 'failed');
  return marks;
}

/** Returns the function that finds the key of an action: by its guid, else by its id. */
export function keysOf(actions: StoryDraft['actions']): (action: TriedAction) => string | undefined {
  const known = new Map<unknown, string>(
    [...actions].flatMap(([key, { guid, id }]): [unknown, string][] => [
      [id ?? key, key],
      [guid ?? key, key],
    ]),
  );
  return ({ guid, id }) => known.get(guid) ?? known.get(id);
}

/** A line in the course of a trial. */
export type TrialStep =
  | { kind: 'event'; event: TriedEvent; isAdded: boolean; changes: readonly Change[] }
  | { kind: 'error'; action: TriedAction | null; error: string };

/** A part of an event that is another one than in the past run. */
export interface Change {
  path: string;
  before: unknown;
  after: unknown;
}

/** Returns the events of a trial in order, each with its difference to the past run; a failure follows what it is of. */
export function stepsOf({ events, errors, difference }: StoryTrial): TrialStep[] {
  const actions = difference?.actions ?? [];
  const added = new Set(actions.flatMap((each) => each.added));
  const changes = new Map(
    actions.flatMap((each) => each.changed.map((event) => [event.event_id, event.changes] as const)),
  );
  const shown = new Set(events.map(({ id }) => id));
  return [
    ...errors.filter(({ parent_id: id }) => id === null || !shown.has(id)).map(ofError),
    ...events.flatMap((event): TrialStep[] => [
      { kind: 'event', event, isAdded: added.has(event.id), changes: changes.get(event.id) ?? [] },
      ...errors.filter(({ parent_id: id }) => id === event.id).map(ofError),
    ]),
  ];
}

function ofError({ action, error }: StoryTrial['errors'][number]): TrialStep {
  return { kind: 'error', action, error };
}
