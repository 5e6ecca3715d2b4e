import { type DragEvent, useState } from 'react';
import { Link } from 'wouter';
import type { Case } from '../../../../../clients/typescript/api.js';
import { countWords } from '../../../ui/words/figures.js';
import { Answer } from '../../../ui/states.js';
import { STATUS_WORDS } from '../case-marks.js';
import { type CaseFilters, casesPath } from '../case-query.js';
import type { useCases } from '../cases-data.js';
import { BoardCard, DRAGGED } from './board-card.js';
import type { Moves } from './use-moves.js';

interface BoardColumnProps {
  status: Case['status'];
  filters: CaseFilters;
  cases: ReturnType<typeof useCases>;
  moves: Moves;
  /** A card was let go over the column. */
  onDrop: (id: number) => void;
}

/** All cases of one state, as cards. */
export function BoardColumn({ status, filters, cases, moves, onDrop }: BoardColumnProps) {
  const [isOver, setOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onDrop(Number(event.dataTransfer.getData(DRAGGED)));
  };
  const meta = cases.data?.meta;
  return (
    <section
      className={`board-column ${isOver ? 'board-over' : ''}`}
      aria-label={STATUS_WORDS[status]}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2 className="row">
        {STATUS_WORDS[status]}
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
        <Link href={casesPath({ ...filters, view: 'list', status, page: 1 })}>
          All {countWords(meta.count)} as a list
        </Link>
      )}
    </section>
  );
}
