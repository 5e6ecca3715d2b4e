import type { StoryTrial, TriedAction, TriedEvent } from '../../../../../clients/typescript/api.js';
import type { TrialMark } from '../../../canvas/draft-elements.js';
import { type DraftLink, kindOfLink, type StoryDraft } from '../../../story-model/story-draft.js';
import type { PayloadChange } from '../../event/payload-changes.js';

/** Returns what each action of a draft did in a trial, by its key. */
export function marksOf(trial: StoryTrial, { actions }: StoryDraft): Map<string, TrialMark> {
  const keyOf = keysOf(actions);
  const marks = new Map<string, TrialMark>([...actions.keys()].map((key) => [key, 'not reached']));
  const mark = (action: TriedAction | null, as: TrialMark) => {
    const key = action === null ? undefined : keyOf(action);
    if (key !== undefined) marks.set(key, as);
  };
  const { events, silent, requests, mails, records, prompts, calls, logs, waiting, errors } = trial;
  const parts = [events, silent, requests, mails, records, prompts, calls, logs, waiting].flat();
  for (const { action } of parts) mark(action, 'ran');
  if (trial.stopped === null)
    for (const { receivers } of events) for (const receiver of receivers) mark(receiver, 'ran');
  for (const { action } of trial.difference?.actions ?? []) mark(action, 'differs');
  const handled = events.filter(({ port }) => port === 'failure');
  for (const { action } of [...errors, ...handled]) mark(action, 'failed');
  return marks;
}

const LINK_KINDS = { default: 'DEFAULT', no_match: 'NO_MATCH', failure: 'FAILURE' } as const;

/** Returns the keys of the links that events of a trial took. */
export function takenIn({ events }: Pick<StoryTrial, 'events'>, { actions, links }: StoryDraft): Set<string> {
  const keyOf = keysOf(actions);
  const bySource = new Map<string, [key: string, link: DraftLink][]>();
  for (const [key, link] of links)
    bySource.set(link.source, [...(bySource.get(link.source) ?? []), [key, link]]);
  const taken = new Set<string>();
  for (const { action, port, receivers } of events) {
    const source = action === null ? undefined : keyOf(action);
    if (source === undefined) continue;
    for (const receiver of receivers) {
      const leading = (bySource.get(source) ?? []).filter(([, link]) => link.receiver === keyOf(receiver));
      const ofPort = leading.filter(([, link]) => port !== null && kindOfLink(link) === LINK_KINDS[port]);
      for (const [key] of ofPort.length > 0 ? ofPort : leading) taken.add(key);
    }
  }
  return taken;
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
  | { kind: 'event'; event: TriedEvent; isAdded: boolean; changes: readonly PayloadChange[] }
  /** The action ended without an event. */
  | { kind: 'silent'; action: TriedAction | null }
  | { kind: 'error'; action: TriedAction | null; error: string };

/**
 * Returns the events of a trial in order, each with its difference to the past run; a failure, and an action without an event,
 * follow the event that they had.
 */
export function stepsOf({ events, silent, errors, difference }: StoryTrial): TrialStep[] {
  const actions = difference?.actions ?? [];
  const added = new Set(actions.flatMap((each) => each.added));
  const changes = new Map(
    actions.flatMap((each) => each.changed.map((event) => [event.event_id, event.changes] as const)),
  );
  const shown = new Set(events.map(({ id }) => id));
  const others = [...silent.map(ofSilent), ...errors.map(ofError)];
  const stepsAfter = (isOf: (parent: number | null) => boolean) =>
    others.filter(({ parent }) => isOf(parent)).map(({ step }) => step);
  return [
    ...stepsAfter((parent) => parent === null || !shown.has(parent)),
    ...events.flatMap((event): TrialStep[] => [
      { kind: 'event', event, isAdded: added.has(event.id), changes: changes.get(event.id) ?? [] },
      ...stepsAfter((parent) => parent === event.id),
    ]),
  ];
}

interface PlacedStep {
  parent: number | null;
  step: TrialStep;
}

const ofSilent = ({ action, parent_id: parent }: StoryTrial['silent'][number]): PlacedStep => ({
  parent,
  step: { kind: 'silent', action },
});

const ofError = ({ action, parent_id: parent, error }: StoryTrial['errors'][number]): PlacedStep => ({
  parent,
  step: { kind: 'error', action, error },
});
