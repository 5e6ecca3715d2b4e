import { type DragEvent, useState } from 'react';
import { Link } from 'wouter';
import { countWords } from '../../../ui/words/figures.js';
import { Answer } from '../../../ui/states.js';
import { type CaseFilters, casesPath } from '../case-query.js';
import type { useCases } from '../cases-data.js';
import { BoardCard, DRAGGED } from './board-card.js';
import type { Place } from './places.js';
import type { Moves } from './use-moves.js';

interface BoardColumnProps {
  place: Place;
  /** The filters with which `cases` were read. */
  filters: CaseFilters;
  cases: ReturnType<typeof useCases>;
  moves: Moves;
}

/** The cases of a column, as cards. */
export function BoardColumn({ place, filters, cases, moves }: BoardColumnProps) {
  const [isOver, setOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    moves.drop(Number(event.dataTransfer.getData(DRAGGED)), place);
  };
  const meta = cases.data?.meta;
  return (
    <section
      className={`board-column ${isOver ? 'board-over' : ''}`}
      aria-label={place.name}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2 className="row">
        {place.name}
        {meta !== undefined && <span className="faint">{countWords(meta.count)}</span>}
      </h2>
      <Answer of={cases} lines={6}>
        {({ cases: found }) =>
          found.length === 0 ? (
            <p className="faint">No cases.</p>
          ) : (
            <ul className="stack">
              {found.map((one) => (
                <BoardCard key={one.case_id} one={one} moves={moves} />
              ))}
            </ul>
          )
        }
      </Answer>
      {meta !== undefined && meta.pages > 1 && (
        <Link href={casesPath({ ...filters, view: 'list' })}>All {countWords(meta.count)} as a list</Link>
      )}
    </section>
  );
}
