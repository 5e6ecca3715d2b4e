import type { RunSearchMeta } from '../../../../clients/typescript/api.js';
import { nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';

/** Tells how far a search has come where it could not look at all runs. */
export function SearchNote({ meta }: { meta: RunSearchMeta | undefined }) {
  if (meta === undefined || (meta.complete && meta.indexed_until === null)) return null;
  return (
    <p className="faint">
      {!meta.complete && `This search stopped after ${nounWords(meta.looked_at, 'run')}. `}
      {meta.indexed_until !== null && (
        <>
          Runs before <Time at={meta.indexed_until} /> were only matched by their first event.
        </>
      )}
    </p>
  );
}
