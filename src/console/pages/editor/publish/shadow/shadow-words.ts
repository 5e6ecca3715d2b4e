import type {
  DraftShadow,
  DraftShadowDifference,
  StoryTrial,
} from '../../../../../../clients/typescript/api.js';
import { LOCALE } from '../../../../text/locale.js';
import { countWords, nounWords } from '../../../../ui/words/figures.js';
import { textOf } from '../difference-groups.js';

/** Returns what a shadow says about the draft, in one sentence. */
export function resultWords({ state, same, different, not_compared, draft_changed }: DraftShadow): string {
  const compared = same + different;
  const rest = not_compared === 0 ? '' : ` ${nounWords(not_compared, 'run')} could not be compared.`;
  const old = draft_changed && state !== 'running' ? ' The draft has changed since.' : '';
  const so = state === 'running' ? ' so far' : '';
  if (compared === 0) return `No run was compared${state === 'running' ? ' yet' : ''}.${rest}${old}`;
  if (different === 0) {
    const all = compared === 1 ? 'The one run' : `All ${nounWords(compared, 'run')}`;
    return `${all} gave the same${so}.${rest}${old}`;
  }
  return `${countWords(different)} of ${nounWords(compared, 'run')} ${different === 1 ? 'differs' : 'differ'}${so}.${rest}${old}`;
}

/** Returns how far a shadow has come and what it takes: `Last 1,000 runs`. */
export function kindWords({ kind, runs, percent }: Pick<DraftShadow, 'kind' | 'runs' | 'percent'>): string {
  if (kind === 'sample') return `${percent} % of the next runs`;
  return `${kind === 'last' ? 'Last' : 'Next'} ${nounWords(runs, 'run')}`;
}

const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns when a run began, to the second: many of a list are of the same minute. */
export function runTime(at: string): string {
  return exact.format(new Date(at));
}

/** Says why a run was not compared. */
export const REASON_WORDS: Record<keyof DraftShadow['not_compared_because'], string> = {
  events_deleted: 'their events were deleted',
  too_large: 'too large for a trial',
  incomplete: 'a part is too large or belongs to another team',
  not_ended: 'not ended',
  cancelled: 'cancelled',
  no_start: 'the draft has no action to begin at',
  failed: 'the comparison failed',
};

/** Returns why runs were not compared: `2 cancelled`. */
export function reasonWords({ not_compared_because: because }: DraftShadow): string[] {
  return Object.entries(REASON_WORDS).flatMap(([reason, words]) => {
    const count = because[reason as keyof typeof REASON_WORDS];
    return count === 0 ? [] : [`${count}: ${words}`];
  });
}

/** Returns what an action of the draft does otherwise. */
export function differenceWords({ kind, path, before, after }: DraftShadowDifference): string {
  if (kind !== 'changed') return KIND_WORDS[kind];
  const place = path === '' ? 'The whole event' : path;
  return before === after ? `${place} differs` : `${place}: ${before} became ${after}`;
}

const KIND_WORDS: Record<Exclude<DraftShadowDifference['kind'], 'changed'>, string> = {
  added: 'Emits an event more',
  missing: 'Lacks an event',
  fails: 'Fails',
  recovers: 'No longer fails',
  other_error: 'Fails with another error',
  unanswered: 'Sends a request that the run did not send',
};

/** A value in a run, and in the draft. */
export interface ExampleValue {
  place: string;
  before: string;
  after: string;
}

const MOST_VALUES = 3;

/** Returns the values of a difference in a trial of one of its runs. */
export function exampleValues(
  { action: { id, guid }, kind, path }: DraftShadowDifference,
  { difference, errors }: StoryTrial,
): ExampleValue[] {
  const found = difference?.actions.filter(({ action }) => action?.id === id || action?.guid === guid) ?? [];
  if (kind === 'changed') {
    return found
      .flatMap(({ changed }) => changed.flatMap(({ changes }) => changes))
      .filter((change) => change.path.replaceAll(/\[\d+\]/g, '[]') === path)
      .slice(0, MOST_VALUES)
      .map((change) => ({
        place: change.path,
        before: textOf(change.before),
        after: textOf(change.after),
      }));
  }
  if (kind === 'unanswered') {
    const failed = errors.filter(({ action }) => action?.id === id);
    return failed.map(({ error }) => ({ place: 'error', before: '', after: error })).slice(0, MOST_VALUES);
  }
  return found
    .flatMap(({ errors: both }) =>
      both === null ? [] : [{ place: 'error', before: both.before.join('; '), after: both.after.join('; ') }],
    )
    .slice(0, MOST_VALUES);
}
