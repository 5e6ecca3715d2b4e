import { ChevronDown, ChevronRight } from 'lucide-react';
import { entryCount, type JsonRow } from './json-rows.js';

/** Deeper lines are no further to the right. */
const DEEPEST = 24;
const INDENT_PX = 14;
const MOST_CHARACTERS = 400;

interface RowLineProps {
  id: string;
  /** The place of the row among those of the tree. */
  index: number;
  row: JsonRow;
  isChosen: boolean;
  top: number;
}

/** A line of a JSON value. The tree takes presses on it. */
export function RowLine({ id, index, row, isChosen, top }: RowLineProps) {
  const Sign = row.isOpen === true ? ChevronDown : ChevronRight;
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isChosen}
      {...(row.isOpen !== undefined && { 'aria-expanded': row.isOpen })}
      className={`json-row ${isChosen ? 'chosen' : ''}`}
      style={{ top, paddingLeft: 4 + Math.min(row.depth, DEEPEST) * INDENT_PX }}
      data-index={index}
    >
      <span className="json-sign" data-sign>
        {row.isOpen !== undefined && <Sign aria-hidden="true" />}
      </span>
      {row.name !== undefined && (
        <>
          <span className={typeof row.name === 'number' ? 'json-place' : 'json-key'}>{row.name}</span>
          <span className="faint">:&nbsp;</span>
        </>
      )}
      <RowValue row={row} />
    </div>
  );
}

function RowValue({ row: { value, stretch, piece } }: { row: JsonRow }) {
  if (piece !== undefined) return <span className="json-text">{piece}</span>;
  if (stretch !== undefined) {
    return (
      <span className="faint">
        {stretch[0].toLocaleString('en')} to {stretch[1].toLocaleString('en')}
      </span>
    );
  }
  const entries = entryCount(value);
  if (entries !== undefined) {
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    return <span className="faint">{entries === 0 ? `${open}${close}` : `${open} ${entries} ${close}`}</span>;
  }
  if (typeof value !== 'string') return <span className="json-plain">{String(value)}</span>;
  const rest = value.length - MOST_CHARACTERS;
  return (
    <span className="json-text cut">
      <bdi>{JSON.stringify(value.slice(0, MOST_CHARACTERS))}</bdi>
      {rest > 0 && <span className="faint"> {rest.toLocaleString('en')} more characters</span>}
    </span>
  );
}
