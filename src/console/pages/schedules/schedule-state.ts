import type { Schedule } from '../../../../clients/typescript/api.js';
import { type Guard, guardsOf } from '../story/story-guards.js';

/** Whether a schedule starts runs, and who may change that. */
export interface ScheduleState {
  /** Whether it starts runs. */
  isOn: boolean;
  /** Why it starts none; empty if it does. */
  reasons: ('paused' | 'action disabled' | 'story disabled')[];
  /** Why the action may not be changed; empty if it may. */
  guards: Guard[];
}

/** Returns the state of a schedule: a locked story still starts runs, a disabled one does not. */
export function stateOf({ action, story, paused_at: pausedAt }: Schedule): ScheduleState {
  const reasons: ScheduleState['reasons'] = [];
  if (pausedAt !== null) reasons.push('paused');
  if (action.disabled) reasons.push('action disabled');
  if (story.disabled) reasons.push('story disabled');
  return { isOn: reasons.length === 0, reasons, guards: guardsOf(story) };
}

/** Returns the schedules that the search and the filter let through. */
export function chosenOf(
  schedules: readonly Schedule[],
  { search, onlyOn }: { search: string; onlyOn: boolean },
): Schedule[] {
  const wanted = search.trim().toLowerCase();
  return schedules.filter((schedule) => {
    const { action, story } = schedule;
    const isNamed = `${action.name} ${story.name}`.toLowerCase().includes(wanted);
    return isNamed && (!onlyOn || stateOf(schedule).isOn);
  });
}
