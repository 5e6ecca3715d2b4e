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
import { pressOn } from '../../ui/tree-press.js';
import { spanWords } from '../../ui/words/since.js';
import { StepRow } from './step-row.js';
import { spanOf, type Step, treeRows } from './run-tree.js';

const ROW_PX = 30;
const LEGEND = [
  ['queue', 'queued'],
  ['work', 'running'],
  ['waits', 'delayed by its options'],
  ['open', 'pending'],
  ['dead', 'failed'],
] as const;

interface TimelineProps {
  steps: Step[];
  chosen: string;
  /** Ids of actions that wait by their nature, as delays do. */
  waiting: ReadonlySet<number>;
  onChoose: (key: string) => void;
}

/** The events of a run as a tree, with the time of each beside it. Only rows in sight are in the page. */
export function Timeline({ steps, chosen, waiting, onChoose }: TimelineProps) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => treeRows(steps, folded), [steps, folded]);
  const span = useMemo(() => spanOf(steps), [steps]);
  const frame = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const at = rows.findIndex(({ step }) => step.key === chosen);
  const scrollTo = useEffectEvent((index: number) => lines.scrollToIndex(index));
  useEffect(() => {
    if (at >= 0) scrollTo(at);
  }, [at]);
  const toggle = (key: string) => {
    const next = new Set(folded);
    if (!next.delete(key)) next.add(key);
    setFolded(next);
  };
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: rows.length - 1 }[event.key];
    const row = rows[at];
    const folds = { ArrowLeft: false, ArrowRight: true }[event.key];
    if (to === undefined && folds === undefined) return;
    event.preventDefault();
    if (to !== undefined) onChoose(rows[Math.min(to, rows.length - 1)]?.step.key ?? '');
    else if (row !== undefined && row.below > 0 && row.isFolded === folds) toggle(row.step.key);
  };
  const onPress = (event: MouseEvent) => {
    const press = pressOn(event);
    const row = press && rows[press.index];
    if (row === undefined) return;
    if (press?.isOnSign && row.below > 0) toggle(row.step.key);
    else onChoose(row.step.key);
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
        {...(at >= 0 && { 'aria-activedescendant': `${prefix}${chosen}` })}
        onKeyDown={onKey}
        onClick={onPress}
      >
        <div className="timeline-whole" role="presentation" style={{ height: lines.getTotalSize() }}>
          {lines.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const { key, actionId } = row.step;
            return (
              <StepRow
                key={key}
                id={`${prefix}${key}`}
                index={index}
                row={row}
                span={span}
                top={start}
                isChosen={index === at}
                waits={waiting.has(actionId)}
              />
            );
          })}
        </div>
      </div>
      <p className="timeline-legend faint">
        {LEGEND.map(([shade, words]) => (
          <span key={shade} className="row">
            <i className={`bar-sample ${shade}`} /> {words}
          </span>
        ))}
      </p>
    </div>
  );
}
