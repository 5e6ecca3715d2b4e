import type { CaseFilters } from '../case-query.js';
import { useCases } from '../cases-data.js';
import { BoardColumn } from './board-column.js';
import { type Place, PLACES } from './places.js';
import { type Moves, useMoves } from './use-moves.js';

/** A column for each priority, and one for closed cases; in each, those that were changed last. */
export function Board({ filters }: { filters: CaseFilters }) {
  const moves = useMoves();
  return (
    <div className="board">
      {PLACES.map((place) => (
        <Column key={place.name} place={place} filters={filters} moves={moves} />
      ))}
    </div>
  );
}

function Column({ place, filters, moves }: { place: Place; filters: CaseFilters; moves: Moves }) {
  const shown: CaseFilters = {
    ...filters,
    status: place.status,
    priority: place.priority ?? '',
    order: 'UPDATED_AT_DESC',
    page: 1,
  };
  return <BoardColumn place={place} filters={shown} cases={useCases(shown)} moves={moves} />;
}
