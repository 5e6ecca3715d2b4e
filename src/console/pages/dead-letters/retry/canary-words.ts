import type { DeadLetterCanary } from '../../../../../clients/typescript/api.js';
import { isolated } from '../../../text/isolated.js';
import { countWords } from '../../../ui/words/figures.js';

const STAGE_WORDS: Readonly<Record<DeadLetterCanary['stage'], string>> = {
  first: 'Retrying 1 first',
  ten: 'Retrying 10',
  rest: 'Retrying the rest',
};

const STOP_WORDS: Readonly<Record<NonNullable<DeadLetterCanary['stop_reason']>, string>> = {
  by_hand: 'Stopped',
  same_error: 'Stopped: the same error came back',
  failed: 'Stopped: none succeeded',
  timed_out: 'Stopped: not finished within 24 hours, or the tenant was frozen',
};

type Counted = Pick<
  DeadLetterCanary,
  'state' | 'ended_at' | 'waiting' | 'running' | 'passed' | 'failed' | 'skipped'
>;

/** Returns what has become of the letters: `198 passed, 2 failed, 3 still running`. */
export function countsOf({
  state,
  ended_at: ended,
  waiting,
  running,
  passed,
  failed,
  skipped,
}: Counted): string {
  const isUnderWay = state === 'running' && ended === null;
  const others: [number, string][] = [
    [running, isUnderWay ? 'running' : 'still running'],
    [skipped, 'retried or dropped by others'],
    [waiting, isUnderWay ? 'waiting' : 'not retried'],
  ];
  const named = others.filter(([count]) => count > 0);
  return [[passed, 'passed'] as const, [failed, 'failed'] as const, ...named]
    .map(([count, word]) => `${countWords(count)} ${word}`)
    .join(', ');
}

/** Returns what a canary retry is doing, or how it ended. */
export function stateOf({
  state,
  stage,
  stop_reason: reason,
  stopped_by: by,
}: Pick<DeadLetterCanary, 'state' | 'stage' | 'stop_reason' | 'stopped_by'>): string {
  if (state === 'running') return STAGE_WORDS[stage];
  if (reason === null) return 'Retry completed';
  return `${STOP_WORDS[reason]}${by === null ? '' : ` by ${isolated(by.name)}`}`;
}
