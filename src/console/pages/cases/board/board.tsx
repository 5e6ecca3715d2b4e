import type { CaseFilters } from '../case-query.js';
import { useCases } from '../cases-data.js';
import { BoardColumn } from './board-column.js';
import { useMoves } from './use-moves.js';

/** A column for each state: the most urgent open cases, and those that were closed last. */
export function Board({ filters }: { filters: CaseFilters }) {
  const open = useCases({ ...filters, status: 'OPEN', order: 'PRIORITY_DESC', page: 1 });
  const closed = useCases({ ...filters, status: 'CLOSED', order: 'UPDATED_AT_DESC', page: 1 });
  const moves = useMoves();
  const all = [...(open.data?.cases ?? []), ...(closed.data?.cases ?? [])];
  const moveTo = (status: 'OPEN' | 'CLOSED') => (id: number) => {
    const one = all.find(({ case_id: each }) => each === id);
    if (one !== undefined) moves.move(one, status);
  };
  return (
    <div className="board">
      <BoardColumn status="OPEN" filters={filters} cases={open} moves={moves} onDrop={moveTo('OPEN')} />
      <BoardColumn status="CLOSED" filters={filters} cases={closed} moves={moves} onDrop={moveTo('CLOSED')} />
    </div>
  );
}
