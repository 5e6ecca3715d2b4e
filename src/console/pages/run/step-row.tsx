import { ChevronDown, ChevronRight } from 'lucide-react';
import { Badge } from '../../ui/words/badge.js';
import { countWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import type { Step, TreeRow } from './run-tree.js';

/** Deeper rows are no further to the right. */
const DEEPEST = 16;
const INDENT_PX = 14;

interface StepRowProps {
  id: string;
  /** The place of the row among those of the tree. */
  index: number;
  row: TreeRow;
  span: { from: number; to: number };
  top: number;
  isChosen: boolean;
  waits: boolean;
}

/** One step: its place in the tree, and its time as a bar. The tree takes presses on it. */
export function StepRow({ id, index, row, span, top, isChosen, waits }: StepRowProps) {
  const { step, depth, below, isFolded } = row;
  const Sign = isFolded ? ChevronRight : ChevronDown;
  const whole = span.to - span.from;
  const barOf = (from: number, to: number) => ({
    left: `${Math.min(((from - span.from) / whole) * 100, 99.5)}%`,
    width: `max(3px, ${((to - from) / whole) * 100}%)`,
  });
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isChosen}
      {...(below > 0 && { 'aria-expanded': !isFolded })}
      className={`step-row ${isChosen ? 'chosen' : ''}`}
      style={{ top }}
      data-index={index}
    >
      <span className="step-name" style={{ paddingLeft: Math.min(depth, DEEPEST) * INDENT_PX }}>
        <span className="step-sign" data-sign>
          {below > 0 && <Sign aria-hidden="true" />}
        </span>
        <span className={`step-dot ${toneOf(step)}`} aria-hidden="true" />
        <span className="cut">{step.actionName ?? 'Deleted action'}</span>
        <StepBadge step={step} />
        {isFolded && <span className="faint nowrap">+ {countWords(below)}</span>}
      </span>
      <span className="step-track">
        {step.began > step.from && (
          <span className={`step-bar ${waits ? 'waits' : 'queue'}`} style={barOf(step.from, step.began)} />
        )}
        <span className={`step-bar ${shadeOf(step)}`} style={barOf(step.began, step.to)} />
      </span>
      <span className="number faint">{step.from === step.to ? '–' : spanWords(step.to - step.from)}</span>
    </div>
  );
}

function StepBadge({ step: { dead, open } }: { step: Step }) {
  if (dead !== undefined) return <Badge tone="bad">failed</Badge>;
  if (open === undefined) return null;
  return <Badge tone={open.error === null ? 'info' : 'warn'}>{OPEN_WORDS[open.state]}</Badge>;
}

/** How an event that is still to be handled is said. */
const OPEN_WORDS = { pending: 'pending', waiting: 'waiting', parked: 'waiting for others' } as const;

function toneOf({ dead, open }: Step): string {
  if (dead !== undefined) return 'failed';
  return open === undefined ? 'done' : '';
}

function shadeOf({ dead, open }: Step): string {
  if (dead !== undefined) return 'dead';
  return open === undefined ? 'work' : 'open';
}
