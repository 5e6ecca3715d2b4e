import { ChevronDown, ChevronRight } from 'lucide-react';
import { Badge } from '../../../ui/words/badge.js';
import { shortWait } from '../../../text/wait-words.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { spanWords } from '../../../ui/words/since.js';
import { isWarned, type Step } from '../run-tree.js';
import { barOf, indentOf, type RowPlace, type Span } from './row-place.js';
import { segmentsOf, segmentWords, statusWords } from './segments.js';
import type { StepTreeRow } from './tree-rows.js';

interface StepRowProps {
  row: StepTreeRow;
  place: RowPlace;
  span: Span;
  isChosen: boolean;
  waits: boolean;
}

/** One step: its place in the tree, and its time as a bar. The tree takes presses on it. */
export function StepRow({ row, place, span, isChosen, waits }: StepRowProps) {
  const { step, depth, below, isFolded } = row;
  const Sign = isFolded ? ChevronRight : ChevronDown;
  return (
    <div
      id={place.id}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isChosen}
      {...(below > 0 && { 'aria-expanded': !isFolded })}
      className={`step-row ${isChosen ? 'chosen' : ''}`}
      style={{ top: place.top }}
      data-index={place.index}
    >
      <span className="step-name" style={indentOf(depth)}>
        <span className="step-sign" data-sign>
          {below > 0 && <Sign aria-hidden="true" />}
        </span>
        <span className={`step-dot ${toneOf(step)}`} aria-hidden="true" />
        <span className="cut">{step.actionName ?? 'Deleted action'}</span>
        <StepStatus step={step} />
        <StepBadge step={step} />
        {isFolded && <span className="faint nowrap">+ {countWords(below)}</span>}
      </span>
      <span className="step-track">
        {segmentsOf(step, waits).map((segment) => (
          <span
            key={`${segment.shade} ${segment.from}`}
            className={`step-bar ${segment.shade}`}
            style={barOf(segment, span)}
            title={segmentWords(segment)}
          />
        ))}
      </span>
      <span className="number faint">{step.from === step.to ? '–' : spanWords(step.to - step.from)}</span>
    </div>
  );
}

/** The last status that it got, and how often it was tried. */
function StepStatus({ step }: { step: Step }) {
  const { attempts, dead, open } = step;
  const last = attempts.at(-1);
  if (last === undefined) return null;
  const tried = attempts.length + (isWarned(step) || dead !== undefined ? 0 : 1);
  // Of a step that came through in the end, the status of a failed attempt says nothing.
  const isTold = last.status !== null && (isWarned(step) || dead !== undefined || open !== undefined);
  return (
    <>
      {isTold && (
        <code className={`nowrap ${dead === undefined ? 'warn' : 'bad'}`}>
          {statusWords(last.status ?? 0)}
        </code>
      )}
      {tried > 1 && <span className="faint nowrap tried">{nounWords(tried, 'attempt')}</span>}
    </>
  );
}

function StepBadge({ step }: { step: Step }) {
  const { dead, open } = step;
  if (dead !== undefined) return <Badge tone="bad">failed</Badge>;
  if (isWarned(step)) return <Badge tone="warn">warning</Badge>;
  if (open === undefined) return null;
  return <Badge tone={open.error === null ? 'running' : 'warn'}>{shortWait(open.reason)}</Badge>;
}

function toneOf(step: Step): string {
  if (step.dead !== undefined) return 'failed';
  if (step.open !== undefined) return '';
  return isWarned(step) ? 'warned' : 'done';
}
