import type { ActiveStory } from '../../../../clients/typescript/api.js';

/** Why the actions of a story may not be changed, whoever asks. */
export type Guard = 'locked' | 'change control';

/** Each guard in a sentence. */
export const GUARD_WORDS: Record<Guard, string> = {
  locked: 'The story is locked: it runs, but its actions cannot be changed.',
  'change control': 'The story runs, but its actions only change through promoted change requests.',
};

/** Returns the guards of a story; none: its actions may be changed. A guarded story itself may still be disabled. */
export function guardsOf(story: Pick<ActiveStory, 'locked' | 'change_control_enabled'>): Guard[] {
  const guards: Guard[] = [];
  if (story.locked) guards.push('locked');
  if (story.change_control_enabled) guards.push('change control');
  return guards;
}
