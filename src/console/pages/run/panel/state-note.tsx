import { nounWords } from '../../../ui/words/figures.js';
import { Time } from '../../../ui/words/time.js';
import type { OpenDelivery, Step } from '../run-tree.js';

/** Why a step failed, or what it waits for and until when. */
export function StateNote({ step: { dead, open } }: { step: Step }) {
  if (dead !== undefined) {
    return (
      <p className="wrap bad" title={dead.error ?? undefined}>
        <bdi>{dead.error ?? 'This step failed.'}</bdi>{' '}
        <span className="faint">({nounWords(dead.attempts, 'attempt')})</span>
      </p>
    );
  }
  if (open === undefined) return null;
  return (
    <p className="wrap" title={open.error ?? undefined}>
      {waitWords(open)}
      {open.waits_until !== null && (
        <>
          {' '}
          Continues <Time at={open.waits_until} />.
        </>
      )}
      {open.error !== null && <span className="warn"> The last attempt failed: {open.error}</span>}
    </p>
  );
}

function waitWords({ state, attempts }: OpenDelivery): string {
  if (state === 'parked') return 'Waiting for other steps of the run.';
  if (state === 'waiting' && attempts > 0) return `Will be retried after ${nounWords(attempts, 'attempt')}.`;
  return state === 'waiting' ? 'Waiting.' : 'Waiting for a free worker.';
}
