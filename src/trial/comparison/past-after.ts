import type { PastEvent, PastRun } from '../story/story-trial.js';
import { parentIdOf } from './past-events.js';

/** The event of a past run that a trial begins with. */
export interface PastBeginning {
  eventId: number;
  /** The one action that receives it in the trial, by its id in the past run; absent: all that received it. */
  actionId?: number | undefined;
}

/** Returns the part of a past run that followed from one of its events. */
export function pastAfter(past: PastRun, { eventId, actionId }: PastBeginning): PastRun {
  const inputs = new Map(
    past.events.filter(({ agentId }) => agentId === 0).map((input) => [input.runGuid, input]),
  );
  const callers = new Map(past.calls.map((call) => [call.runGuid, call]));
  const followed = new Set<number>();
  const follows = (parentId: number | undefined, agentId: number): boolean =>
    parentId === eventId
      ? actionId === undefined || agentId === actionId
      : parentId !== undefined && followed.has(parentId);
  const isOf = (event: PastEvent): boolean => {
    const call = event.agentId === 0 ? callers.get(event.runGuid) : undefined;
    return call === undefined
      ? follows(parentIdOf(event, inputs), event.agentId)
      : follows(call.eventId, call.agentId);
  };
  // An event has a higher id than the one that it came of.
  for (const event of past.events) if (isOf(event)) followed.add(event.id);
  return {
    ...past,
    firstId: eventId,
    events: past.events.filter(({ id }) => id === eventId || followed.has(id)),
    failures: past.failures.filter((failure) => follows(failure.eventId, failure.agentId)),
  };
}
