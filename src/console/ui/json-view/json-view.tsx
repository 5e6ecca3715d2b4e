import './json-view.css';
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
import { Copy } from 'lucide-react';
import { type JsonRow, jsonRows, reveal, stepsTo } from './json-rows.js';
import type { Steps } from './json-matches.js';
import { JsonSearch } from './json-search.js';
import { pressOn } from '../tree-press.js';
import { PRINTED_LINES, usePrinting } from '../browser/use-printing.js';
import { Button } from '../form/button.js';
import { copyText } from '../words/copy-text.js';
import { formulaOf, liquidOf, searchPathOf } from './value-path.js';
import { RowLine } from './row-line.js';

const ROW_PX = 21;

interface JsonViewProps {
  value: unknown;
  /** The name of the value, for screen readers. */
  label: string;
  /** The keys under which templates find the value, as the slug of the action that emitted it. */
  root?: readonly string[];
  /** Fills its frame instead of growing to a bounded height. */
  fills?: boolean;
  /** Whether keys and values can be searched. */
  isSearched?: boolean;
  /** Puts a reference to the chosen value elsewhere; absent: nothing can take one. */
  onInsert?: (steps: readonly (string | number)[]) => void;
}

/** A JSON value as lines that fold. Only those in sight are in the page, so 16 MiB are no more work than one. */
export function JsonView({
  value,
  label,
  root = [],
  fills = false,
  isSearched = false,
  onInsert,
}: JsonViewProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string>();
  const [sought, setSought] = useState<string>();
  const rows = useMemo(() => jsonRows(value, toggled), [value, toggled]);
  const frame = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: usePrinting() ? PRINTED_LINES : 12,
  });
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === chosen),
  );
  const row = rows[at] as JsonRow;
  const choose = (index: number) => {
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))] as JsonRow;
    setChosen(next.id);
    lines.scrollToIndex(rows.indexOf(next));
  };
  const toggle = ({ id, isOpen }: JsonRow) => {
    if (isOpen === undefined) return;
    setToggled(without(toggled, id) ?? new Set([...toggled, id]));
  };
  const onFound = (steps: Steps) => {
    const shown = reveal(value, toggled, steps);
    setToggled(shown.toggled);
    setChosen(shown.id);
    setSought(shown.id);
  };
  const toSought = useEffectEvent((id: string) => {
    lines.scrollToIndex(
      rows.findIndex((each) => each.id === id),
      { align: 'center' },
    );
  });
  useEffect(() => {
    if (sought !== undefined) toSought(sought);
  }, [sought]);
  const onKey = (event: KeyboardEvent) => {
    const act = keyActs({ at, row, rows, choose, toggle })[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  const onPress = (event: MouseEvent) => {
    const press = pressOn(event);
    const pressed = press && rows[press.index];
    if (pressed === undefined) return;
    setChosen(pressed.id);
    if (press?.isOnSign) toggle(pressed);
  };
  const onDoublePress = (event: MouseEvent) => {
    const pressed = rows[pressOn(event)?.index ?? -1];
    if (pressed !== undefined) toggle(pressed);
  };
  return (
    <div className={`json-view ${fills ? 'fills' : ''}`}>
      {isSearched && <JsonSearch value={value} onFound={onFound} />}
      <PathBar row={row} root={root} onInsert={onInsert} />
      <div
        ref={frame}
        className="json-lines"
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={`${prefix}${row.id}`}
        onKeyDown={onKey}
        onClick={onPress}
        onDoubleClick={onDoublePress}
      >
        <div className="json-whole" role="presentation" style={{ height: lines.getTotalSize() }}>
          {lines.getVirtualItems().map(({ index, start }) => {
            const shown = rows[index];
            if (shown === undefined) return null;
            return (
              <RowLine
                key={shown.id}
                id={`${prefix}${shown.id}`}
                index={index}
                row={shown}
                isChosen={shown.id === chosen}
                top={start}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> | undefined {
  if (!ids.has(id)) return undefined;
  const rest = new Set(ids);
  rest.delete(id);
  return rest;
}

/** The keys of a tree: up and down go on, left folds or leads to the parent, right unfolds or leads in. */
function keyActs(on: {
  at: number;
  row: JsonRow;
  rows: JsonRow[];
  choose: (index: number) => void;
  toggle: (row: JsonRow) => void;
}): Record<string, () => void> {
  const { at, row, rows, choose, toggle } = on;
  return {
    ArrowDown: () => choose(at + 1),
    ArrowUp: () => choose(at - 1),
    PageDown: () => choose(at + 20),
    PageUp: () => choose(at - 20),
    Home: () => choose(0),
    End: () => choose(rows.length - 1),
    ArrowRight: () => (row.isOpen === false ? toggle(row) : choose(at + 1)),
    ArrowLeft: () => {
      if (row.isOpen === true) toggle(row);
      else if (row.parent !== undefined) choose(rows.indexOf(row.parent));
    },
    Enter: () => toggle(row),
    ' ': () => toggle(row),
  };
}

interface PathBarProps {
  row: JsonRow;
  root: readonly string[];
  onInsert: JsonViewProps['onInsert'] | undefined;
}

/** The place of the chosen line, to be copied as a formula, as Liquid, as a path to search for, or with its value. */
function PathBar({ row, root, onInsert }: PathBarProps) {
  const inside = stepsTo(row);
  const steps = [...root, ...inside];
  const path = searchPathOf(inside);
  return (
    <div className="json-bar">
      <code className="cut grow" title={steps.join('.')}>
        {steps.length === 0 ? 'whole value' : formulaOf(steps).slice(2, -2)}
      </code>
      {steps.length > 0 && onInsert !== undefined && (
        // A press takes the focus from the field that the reference goes to, unless it is kept there.
        <Button look="quiet" onMouseDown={(event) => event.preventDefault()} onClick={() => onInsert(steps)}>
          Insert
        </Button>
      )}
      {steps.length > 0 && (
        <>
          <CopyButton word="Formula" text={() => formulaOf(steps)} />
          <CopyButton word="Liquid" text={() => liquidOf(steps)} />
        </>
      )}
      {path !== undefined && <CopyButton word="Path" text={() => path} />}
      <CopyButton word="Value" text={() => textOf(row)} />
    </div>
  );
}

function CopyButton({ word, text }: { word: string; text: () => string }) {
  return (
    <Button look="quiet" title={`Copy: ${word}`} onClick={() => void copyText(text(), word)}>
      <Copy aria-hidden="true" /> <span className="unseen">Copy</span>
      {word}
    </Button>
  );
}

function textOf({ value }: JsonRow): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
