import { EllipsisVertical } from 'lucide-react';
import type { DragEvent } from 'react';
import { Link } from 'wouter';
import type { Case } from '../../../../../clients/typescript/api.js';
import { useMay } from '../../../api/signed-in.js';
import { IconButton } from '../../../ui/form/button.js';
import { Menu, MenuItem, MenuLabel } from '../../../ui/overlay/menu.js';
import { Time } from '../../../ui/words/time.js';
import { PeopleNames, PriorityMark, Tags } from '../case-marks.js';
import { isIn, PLACES } from './places.js';
import type { Moves } from './use-moves.js';

/** The kind of what is dragged. */
export const DRAGGED = 'application/x-fabula-case';

/** A case on the board. It is dragged to another column, or moved by its menu. */
export function BoardCard({ one, moves }: { one: Case; moves: Moves }) {
  const { case_id: id, name, priority, tags, assignees, updated_at: at } = one;
  const mayMove = useMay('write', one.team.id);
  // The column of an open case tells its priority.
  const isClosed = one.status === 'CLOSED';
  const refusal = moves.refusals.get(id);
  const onDragStart = ({ dataTransfer }: DragEvent) => {
    dataTransfer.setData(DRAGGED, String(id));
    dataTransfer.effectAllowed = 'move';
    moves.lift(one);
  };
  return (
    <li className="board-card" draggable={mayMove} onDragStart={onDragStart}>
      <div className="row board-card-head">
        <Link href={`/cases/${id}`} className="grow wrap case-name board-name" draggable={false}>
          {name}
        </Link>
        {mayMove && <MoveMenu one={one} moves={moves} />}
      </div>
      {(isClosed || tags.length > 0) && (
        <div className="row row-wrap">
          {isClosed && <PriorityMark priority={priority} />}
          <Tags tags={tags.slice(0, 4)} />
        </div>
      )}
      <div className="row faint">
        <span className="grow cut">
          <PeopleNames people={assignees} />
        </span>
        <Time at={at} />
      </div>
      {refusal !== undefined && (
        <div role="alert" className="bad board-refusal">
          {refusal.map((sentence) => (
            <p key={sentence} className="wrap">
              {sentence}
            </p>
          ))}
          <Link href={`/cases/${id}`}>View conditions</Link>
        </div>
      )}
    </li>
  );
}

function MoveMenu({ one, moves }: { one: Case; moves: Moves }) {
  return (
    <Menu
      button={
        <IconButton label={`Move case ${one.case_id}`}>
          <EllipsisVertical />
        </IconButton>
      }
    >
      <MenuLabel>Move to</MenuLabel>
      {PLACES.filter((place) => !isIn(one, place)).map((place) => (
        <MenuItem key={place.name} onSelect={() => moves.move(one, place)}>
          {place.name}
        </MenuItem>
      ))}
    </Menu>
  );
}
