import type { RunSearchMeta } from '../../../../clients/typescript/api.js';
import { nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';

interface SearchNoteProps {
  /** Of each page that was read, the newest runs first. */
  metas: readonly RunSearchMeta[];
  /** Whether payloads were compared. */
  isSearch: boolean;
}

/** Tells how far a search of runs has looked: through all, back to a time, or further by the index alone. */
export function SearchNote({ metas, isSearch }: SearchNoteProps) {
  const last = metas.at(-1);
  if (last === undefined) return null;
  const { complete, next_before: next, looked_since: since, indexed_until: indexed } = last;
  if (complete && indexed === null && (!isSearch || next !== null)) return null;
  const runs = nounWords(
    metas.reduce((sum, { looked_at: count }) => sum + count, 0),
    'run',
  );
  if (indexed !== null && since !== null) {
    return (
      <p className="faint" role="status">
        Runs since <Time at={since} /> were searched with all their events, older ones by their first event
        alone.
        {!complete && (
          <>
            {' '}
            Not searched yet: runs from <Time at={indexed} /> to <Time at={since} />.
          </>
        )}
      </p>
    );
  }
  if (since !== null) {
    return (
      <p className="faint" role="status">
        {runs} searched, back to <Time at={since} />. Older runs were not searched yet.
      </p>
    );
  }
  return (
    <p className="faint" role="status">
      {complete
        ? `All ${runs} searched.`
        : `${runs} searched, some of them not with all their events: they have too many.`}
    </p>
  );
}
