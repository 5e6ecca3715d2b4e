import { ChevronDown, ChevronRight } from 'lucide-react';
import { countWords } from '../../../ui/words/figures.js';
import { spanWords } from '../../../ui/words/since.js';
import { barOf, indentOf, type RowPlace, type Span } from './row-place.js';
import type { GroupTreeRow, MoreTreeRow } from './tree-rows.js';

interface GroupRowProps {
  row: GroupTreeRow;
  place: RowPlace;
  span: Span;
  /** Whether all events of the run are loaded; else the counts say that they are of a part. */
  isWhole: boolean;
}

/** Siblings of one action as one line: how many, how many of them failed, and how long they took. */
export function GroupRow({ row, place, span, isWhole }: GroupRowProps) {
  const { sums, isFolded, actionName } = row;
  const { count, failed, warned, pending, p95, from, to } = sums;
  const Sign = isFolded ? ChevronRight : ChevronDown;
  const tone = failed > 0 ? 'failed' : warned > 0 ? 'warned' : pending > 0 ? '' : 'done';
  return (
    <div
      id={place.id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={false}
      aria-expanded={!isFolded}
      className={`step-row group-row ${place.isReached ? 'reached' : ''}`}
      style={{ top: place.top }}
      data-index={place.index}
    >
      <span className="step-name" style={indentOf(row.depth)}>
        <span className="step-sign" data-sign>
          <Sign aria-hidden="true" />
        </span>
        <span className={`step-dot ${tone}`} aria-hidden="true" />
        <span className="cut">{actionName ?? 'Deleted action'}</span>
        <span className="nowrap">
          × {countWords(count)}
          {!isWhole && ' loaded'}
        </span>
        <span className={`nowrap ${failed > 0 ? 'bad' : 'faint'}`}>{countWords(failed)} failed</span>
        {warned > 0 && <span className="nowrap warn tried">{countWords(warned)} with warnings</span>}
        {pending > 0 && <span className="nowrap faint tried">{countWords(pending)} pending</span>}
      </span>
      <span className="step-track">
        <span
          className="step-bar group-bar"
          style={barOf({ from, to }, span)}
          title={`All of them: ${spanWords(to - from)}`}
        />
      </span>
      <span className="number faint nowrap" title="95 % of them took at most this long">
        p95 {spanWords(p95)}
      </span>
    </div>
  );
}

/** The rest of an open group: a press shows further ones. */
export function MoreRow({ row, place }: { row: MoreTreeRow; place: RowPlace }) {
  return (
    <div
      id={place.id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={false}
      className={`step-row more-row ${place.isReached ? 'reached' : ''}`}
      style={{ top: place.top }}
      data-index={place.index}
    >
      <span className="step-name" style={indentOf(row.depth)}>
        <span className="step-sign" />
        <span>Show more: {countWords(row.left)} left, failures first</span>
      </span>
    </div>
  );
}
