import type { GraphAction, StoryTrial } from '../../../../../clients/typescript/api.js';
import { portsOf } from '../../../canvas/draft-elements.js';
import { nounWords } from '../../../ui/words/figures.js';

/** The words for where the response to a request came from. */
export const RESPONSE_FROM = {
  recorded: 'from the run',
  rule: 'from a rule',
  sent: 'really sent',
  none: 'no response',
} as const;

/** Whether an action has a port for events that do not match. */
export const hasNoMatchPort = (action: Pick<GraphAction, 'type'> | undefined): boolean =>
  action !== undefined && portsOf(action).includes('NO_MATCH');

/** Returns how a trial ended, in few words. */
export function summaryOf({
  errors,
  stopped,
  difference,
  unanswered,
  not_runnable: idle,
}: StoryTrial): string {
  if (stopped !== null) return 'stopped early';
  const failed = errors.length > 0 ? nounWords(errors.length, 'failure') : undefined;
  const differs =
    difference === null
      ? undefined
      : difference.same
        ? 'no difference from the run'
        : nounWords(difference.count, 'difference from the run', 'differences from the run');
  const open =
    unanswered.length > 0
      ? nounWords(unanswered.length, 'request without a response', 'requests without a response')
      : undefined;
  const idles = idle.length > 0 ? 'cannot run completely' : undefined;
  return [idles, failed, differs, open].filter(Boolean).join(', ') || 'completed';
}

/** Returns how a trial ended in one word, and how that feels. */
export function endOf({ ok, errors, difference }: Pick<StoryTrial, 'ok' | 'errors' | 'difference'>): {
  word: string;
  tone: 'ok' | 'warn' | 'bad';
} {
  if (errors.length > 0) return { word: 'failed', tone: 'bad' };
  if (!ok) return { word: 'incomplete', tone: 'bad' };
  return difference?.same === false ? { word: 'differs', tone: 'warn' } : { word: 'ran', tone: 'ok' };
}
