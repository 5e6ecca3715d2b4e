import type { RunDetails, RunFailure } from '../../../../../clients/typescript/api.js';
import { LOCALE } from '../../../text/locale.js';
import { nounWords } from '../../../ui/words/figures.js';
import { failureName, failureText, lettersSince, pageLink } from '../../cases/failure-case.js';
import { type GroupName, letterPath } from '../../dead-letters/letter-filters.js';
import { runPath } from '../../runs/run-words.js';

/** A failed run in the words of its case. */
export interface FailedRun {
  run: Pick<RunDetails, 'story_id' | 'guid'>;
  storyName: string;
  failure: RunFailure;
}

/** Returns the group of dead letters that a failure belongs to. */
export const groupOf = (
  storyId: number,
  { agent_id: actionId, error_kind: kind }: RunFailure,
): GroupName => ({ storyId, actionId, kind });

/** Returns the address of the page of the group of a failure. */
export const groupPathOf = (storyId: number, failure: RunFailure): string =>
  letterPath({ group: groupOf(storyId, failure) });

/** Returns the name of a case about a failed run: what failed, and why. */
export const caseName = ({ storyName, failure }: FailedRun): string =>
  failureName(storyName, causeOf(failure));

/** Returns the description of a case about a failed run, in Markdown, with links to all that belongs to it. */
export function caseText({ run, storyName, failure }: FailedRun): string {
  const { agent_name: action, attempts, failed_at: at, same } = failure;
  const { dead_letters: count, first_failed_at: first, complete } = same;
  return failureText(causeOf(failure), [
    `Step: ${action ?? 'a deleted action'}, ${nounWords(attempts, 'attempt')}, failed at ${at ?? 'an unknown time'}`,
    `Run: ${pageLink(run.guid, runPath(run))}`,
    `Story: ${pageLink(storyName, `/stories/${run.story_id}`)}`,
    `Same error: ${pageLink(lettersSince(count, first, complete), groupPathOf(run.story_id, failure))}`,
  ]);
}

/** Returns why a run failed, in one line. */
export function causeOf({ cause, error }: Pick<RunFailure, 'cause' | 'error'>): string {
  return cause || error || 'The step failed without an error message';
}

const DAY_MS = 24 * 60 * 60_000;
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns a moment as a time of day; with its date, if that is not within the last day. */
export function momentWords(at: string, now: number): string {
  const time = Date.parse(at);
  return (now - time < DAY_MS ? clock : day).format(time);
}

const MOST_LINE_CHARS = 120;

/** Returns the first line of a Markdown text that has words, without the signs of a heading or a list; empty without one. */
export function firstLine(markdown: string): string {
  const lines = markdown.split('\n').map((line) => line.replace(/^[\s#>*+-]+/, '').trim());
  const line = lines.find((each) => each !== '') ?? '';
  return line.length > MOST_LINE_CHARS ? `${line.slice(0, MOST_LINE_CHARS)}…` : line;
}
