import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { IconButton } from '../../../ui/form/button.js';
import { useFields } from '../field-context.js';
import styles from '../form.module.css';

interface RowButtonsProps {
  /** The name of the row, in the names of its buttons. */
  name: string;
  at: number;
  /** How many rows there are. */
  count: number;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

/** The buttons that move a row of a list up and down, and remove it; none where nothing may be changed. */
export function RowButtons({ name, at, count, onMove, onRemove }: RowButtonsProps) {
  if (useFields().isReadOnly) return null;
  return (
    <span className={styles['row-buttons']}>
      <IconButton label={`Move ${name} up`} disabled={at === 0} onClick={() => onMove(-1)}>
        <ArrowUp />
      </IconButton>
      <IconButton label={`Move ${name} down`} disabled={at === count - 1} onClick={() => onMove(1)}>
        <ArrowDown />
      </IconButton>
      <IconButton label={`Remove ${name}`} onClick={onRemove}>
        <X />
      </IconButton>
    </span>
  );
}

/** Returns the rows in a new order: the one at `at` has moved by `by` places. */
export function movedRow<Row>(rows: readonly Row[], at: number, by: number): Row[] {
  return rows.toSpliced(at, 1).toSpliced(at + by, 0, ...rows.slice(at, at + 1));
}
