import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { TRIAL_WORDS } from '../../../canvas/draft-elements.js';
import { type OutlineRow, placeOf } from '../../../story-model/reading/outline.js';
import type { LinkKind } from '../../../story-model/story-draft.js';
import { kindOf } from '../../../ui/words/action-kinds.js';
import { useEdited, useView } from '../editor-context.js';
import styles from './outline.module.css';

const VIA: Record<LinkKind, string> = { DEFAULT: '', NO_MATCH: 'no match', FAILURE: 'failure' };

interface OutlineTreeProps {
  rows: readonly OutlineRow[];
  folded: ReadonlySet<string>;
  /** The place of the row that Tab leads to. */
  cursor: string;
  onCursor: (place: string) => void;
  onFold: (row: OutlineRow, isFolded: boolean) => void;
  onChoose: (row: OutlineRow) => void;
  onOpen: (row: OutlineRow) => void;
  onRename: (row: OutlineRow) => void;
}

/** The actions as a tree, with one tab stop: arrow keys go from row to row, fold and unfold. */
export function OutlineTree(props: OutlineTreeProps) {
  const { rows, folded, cursor, onCursor, onFold, onChoose, onOpen, onRename } = props;
  const tree = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (tree.current?.contains(document.activeElement)) rowIn(tree.current, cursor)?.focus();
  }, [cursor]);
  const at = rows.findIndex(({ path }) => placeOf(path) === cursor);
  const go = (row: OutlineRow | undefined) => row && onCursor(placeOf(row.path));
  const onKey = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = row.count > 0 && !row.isRepeated && !folded.has(cursor);
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(rows[at + 1]),
      ArrowUp: () => go(rows[at - 1]),
      Home: () => go(rows[0]),
      End: () => go(rows.at(-1)),
      ArrowRight: () => (folded.has(cursor) ? onFold(row, false) : isOpen && go(rows[at + 1])),
      ArrowLeft: () =>
        isOpen
          ? onFold(row, true)
          : go(rows.find(({ path }) => placeOf(path) === placeOf(row.path.slice(0, -1)))),
      ' ': () => onChoose(row),
      Enter: () => onOpen(row),
      F2: () => onRename(row),
    };
    const work = keys[event.key];
    if (work === undefined) return;
    event.preventDefault();
    work();
  };
  return (
    <ul ref={tree} role="tree" aria-label="Actions" className={styles['tree']}>
      {rows.map((row) => {
        const place = placeOf(row.path);
        return (
          <Row
            key={place}
            row={row}
            place={place}
            isFolded={folded.has(place)}
            isCursor={place === cursor}
            onFold={() => onFold(row, !folded.has(place))}
            onChoose={() => onChoose(row)}
            onKey={onKey}
          />
        );
      })}
    </ul>
  );
}

interface RowProps {
  row: OutlineRow;
  place: string;
  isFolded: boolean;
  isCursor: boolean;
  onFold: () => void;
  onChoose: () => void;
  onKey: (event: KeyboardEvent) => void;
}

function Row({ row, place, isFolded, isCursor, onFold, onChoose, onKey }: RowProps) {
  const action = useEdited(({ draft }) => draft.actions.get(row.key));
  const isContested = useEdited(({ contested }) => contested.actions?.includes(row.key) === true);
  const isChosen = useView(({ selection }) => selection.actions.includes(row.key));
  const tried = useView((state) => state.tried.get(row.key));
  const here = useView((state) => state.here.get(action?.guid ?? row.key));
  if (action === undefined) return null;
  const { word, icon: Icon } = kindOf(action);
  const hasBelow = row.count > 0 && !row.isRepeated;
  const via = row.via === undefined ? '' : VIA[row.via];
  return (
    <li
      role="treeitem"
      aria-level={row.path.length}
      aria-selected={isChosen}
      {...(hasBelow && { 'aria-expanded': !isFolded })}
      tabIndex={isCursor ? 0 : -1}
      data-place={place}
      className={styles['row']}
      style={{ paddingLeft: `${8 + (row.path.length - 1) * 18}px` }}
      onClick={onChoose}
      onKeyDown={onKey}
    >
      <span
        className={styles['fold']}
        aria-hidden="true"
        onClick={(event) => {
          if (!hasBelow) return;
          event.stopPropagation();
          onFold();
        }}
      >
        {hasBelow && (isFolded ? <ChevronRight /> : <ChevronDown />)}
      </span>
      <Icon aria-hidden="true" className={styles['icon']} />
      <span className="cut">{action.name}</span>
      <span className="faint nowrap">{action.disabled ? `${word}, disabled` : word}</span>
      {via !== '' && <span className={row.via === 'FAILURE' ? 'bad nowrap' : 'soft nowrap'}>{via}</span>}
      {tried !== undefined && (
        <span
          className={tried === 'failed' ? 'bad nowrap' : tried === 'differs' ? 'warn nowrap' : 'soft nowrap'}
        >
          {TRIAL_WORDS[tried]}
        </span>
      )}
      {isContested && <span className="warn nowrap">conflict</span>}
      {here !== undefined && (
        <span className={`${styles['here']} cut`} title={`Chosen by ${here}`}>
          <span className="unseen">chosen by </span>
          {here}
        </span>
      )}
      {row.isRepeated && <span className="faint nowrap">shown above</span>}
    </li>
  );
}

function rowIn(tree: HTMLElement | null, place: string): HTMLElement | undefined {
  return [...(tree?.querySelectorAll<HTMLElement>('[data-place]') ?? [])].find(
    ({ dataset }) => dataset['place'] === place,
  );
}
