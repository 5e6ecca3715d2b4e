import './timeline.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { PRINTED_LINES, usePrinting } from '../../../ui/browser/use-printing.js';
import { pressOn } from '../../../ui/tree-press.js';
import { spanWords } from '../../../ui/words/since.js';
import { spanOf, type Step } from '../run-tree.js';
import { GroupRow, MoreRow } from './group-row.js';
import { SHADES, segmentLine, segmentsOf } from './segments.js';
import { StepRow } from './step-row.js';
import { moreOf, type TreeRow, treeRows } from './tree-rows.js';

const ROW_PX = 30;

interface TimelineProps {
  steps: Step[];
  chosen: string;
  /** Ids of actions that wait by their nature, as delays do. */
  waiting: ReadonlySet<number>;
  /** Whether all events of the run are loaded. */
  isWhole: boolean;
  onChoose: (key: string) => void;
}

/** The events of a run as a tree, with the time of each beside it. Only rows in sight are in the page. */
export function Timeline({ steps, chosen, waiting, isWhole, onChoose }: TimelineProps) {
  const { rows, toggle } = useRows(steps, chosen);
  const [reached, setReached] = useReached(chosen);
  const span = useMemo(() => spanOf(steps), [steps]);
  const frame = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: usePrinting() ? PRINTED_LINES : 10,
  });
  const at = rows.findIndex(({ key }) => key === reached);
  const scrollTo = useEffectEvent((index: number) => lines.scrollToIndex(index));
  useEffect(() => {
    if (at >= 0) scrollTo(at);
  }, [at]);
  const go = (row: TreeRow | undefined) => {
    if (row === undefined) return;
    setReached(row.key, row.kind === 'step' ? row.key : chosen);
    if (row.kind === 'step') onChoose(row.key);
  };
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: rows.length - 1 }[event.key];
    const row = rows[at];
    const folds = { ArrowLeft: false, ArrowRight: true }[event.key];
    const opens = event.key === 'Enter' || event.key === ' ';
    if (to === undefined && folds === undefined && !opens) return;
    event.preventDefault();
    if (to !== undefined) go(rows[Math.min(to, rows.length - 1)]);
    else if (row !== undefined && (opens ? row.kind !== 'step' : isFoldedAs(row, folds === true)))
      toggle(row);
  };
  const onPress = (event: MouseEvent) => {
    const press = pressOn(event);
    const row = press && rows[press.index];
    if (row === undefined) return;
    const isSign = press?.isOnSign === true && row.kind === 'step' && row.below > 0;
    if (row.kind !== 'step' || isSign) toggle(row);
    if (!isSign) go(row);
  };
  return (
    <div className="timeline">
      <div className="timeline-head" aria-hidden="true">
        <span>Action</span>
        <span className="timeline-scale">
          <span>0</span>
          <span>{spanWords((span.to - span.from) / 2)}</span>
          <span>{spanWords(span.to - span.from)}</span>
        </span>
        <span className="number">Took</span>
      </div>
      <div
        ref={frame}
        className="timeline-rows"
        role="tree"
        aria-label="Events of the run"
        tabIndex={0}
        {...(at >= 0 && { 'aria-activedescendant': `${prefix}${reached}` })}
        onKeyDown={onKey}
        onClick={onPress}
      >
        <div className="timeline-whole" role="presentation" style={{ height: lines.getTotalSize() }}>
          {lines.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const place = { id: `${prefix}${row.key}`, index, top: start, isReached: index === at };
            if (row.kind === 'more') return <MoreRow key={row.key} row={row} place={place} />;
            if (row.kind === 'group') {
              return <GroupRow key={row.key} row={row} place={place} span={span} isWhole={isWhole} />;
            }
            return (
              <StepRow
                key={row.key}
                row={row}
                place={place}
                span={span}
                isChosen={row.key === chosen}
                waits={waiting.has(row.step.actionId)}
              />
            );
          })}
        </div>
      </div>
      <Times row={rows[at]} waiting={waiting} />
      <p className="timeline-legend faint">
        {SHADES.map(([shade, words]) => (
          <span key={shade} className="row">
            <i className={`bar-sample ${shade}`} /> {words}
          </span>
        ))}
      </p>
    </div>
  );
}

/** The exact times of the step that the keys have reached, for those who have no pointer to rest on its bar. */
function Times({ row, waiting }: { row: TreeRow | undefined; waiting: ReadonlySet<number> }) {
  if (row?.kind !== 'step') return null;
  const segments = segmentsOf(row.step, waiting.has(row.step.actionId));
  return (
    <ol className="timeline-times soft" aria-label="Times of the chosen step">
      {segments.map((segment) => (
        <li key={`${segment.shade} ${segment.from}`} className="row">
          <i className={`bar-sample ${segment.shade}`} /> {segmentLine(segment)}
        </li>
      ))}
    </ol>
  );
}

/** Returns the rows of the tree, and what opens or folds one of them. */
function useRows(steps: readonly Step[], chosen: string) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlyMap<string, number>>(new Map());
  const rows = useMemo(() => treeRows(steps, { folded, opened, chosen }), [steps, folded, opened, chosen]);
  const toggle = (row: TreeRow) => {
    if (row.kind === 'step') {
      const next = new Set(folded);
      if (!next.delete(row.key)) next.add(row.key);
      setFolded(next);
      return;
    }
    const next = new Map(opened);
    const group = row.kind === 'more' ? row.group : row.key;
    if (row.kind === 'more' || !next.delete(group)) next.set(group, moreOf(next.get(group)));
    setOpened(next);
  };
  return { rows, toggle };
}

/** Returns the key of the row that the keys have reached, which may be no step; another chosen step takes its place. */
function useReached(chosen: string): [string, (key: string, chosenThen: string) => void] {
  const [{ key, chosenThen }, set] = useState({ key: chosen, chosenThen: chosen });
  return [chosenThen === chosen ? key : chosen, (next, then) => set({ key: next, chosenThen: then })];
}

/** Whether an arrow key changes this row: the right one opens what is folded, the left one folds what is open. */
function isFoldedAs(row: TreeRow, isFolded: boolean): boolean {
  if (row.kind === 'more') return isFolded;
  return row.isFolded === isFolded && (row.kind === 'group' || row.below > 0);
}
