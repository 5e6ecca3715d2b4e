import { useMemo, useRef, useState } from 'react';
import { createDraftElements } from '../../../canvas/draft-elements.js';
import { outlineOf, type OutlineRow, placeOf, unfoldedRows } from '../../../story-model/reading/outline.js';
import { useKeys } from '../../../keys/use-keys.js';
import { CANVAS_KEYS } from '../../../keys/keymap.js';
import { Button } from '../../../ui/form/button.js';
import { Nothing } from '../../../ui/states.js';
import type { KindToAdd } from '../canvas/adding/action-kinds-to-add.js';
import type { Asked } from '../canvas/asked.js';
import { CanvasDialog } from '../canvas/canvas-dialogs.js';
import { createCanvasWork } from '../canvas/canvas-work.js';
import { TypePalette } from '../canvas/adding/type-palette.js';
import { useKindsToAdd } from '../canvas/use-drawn-draft.js';
import { useEdited, useEditor, useRun } from '../editor-context.js';
import { focusInspector, focusName, INSPECTOR_COVERS_PX } from '../inspector-focus.js';
import { AddRequestDialog } from '../request-import/add-request-dialog.js';
import type { ImportSource } from '../request-import/request-import-dialog.js';
import type { Step } from '../../../../../clients/typescript/api.js';
import { useStepsToAdd } from '../steps/use-steps-to-add.js';
import { OutlineBar } from './outline-bar.js';
import { OutlineNotes } from './outline-notes.js';
import { OutlineTree } from './outline-tree.js';
import styles from './outline.module.css';

/** Returns the place of the first row of the action that is chosen when the outline opens. */
function rowOfChosen({ store, view }: ReturnType<typeof useEditor>): string | undefined {
  const [chosen] = view.getState().selection.actions;
  const row = outlineOf(store.getState().draft).find(({ key }) => key === chosen);
  return row && placeOf(row.path);
}

/** The story under edit as a list: the view for screen readers, phones and very large stories. */
export function Outline() {
  const editor = useEditor();
  const { view, readOnly } = editor;
  const run = useRun();
  const [elements] = useState(createDraftElements);
  const kinds = useKindsToAdd();
  const { rows, at, folded, setCursor, fold, unfold } = useRows();
  const [asked, setAsked] = useState<Asked>();
  const [isAdding, setAdding] = useState(false);
  const [importing, setImporting] = useState<ImportSource>();
  const field = useRef<HTMLInputElement>(null);
  const lists = useRef<HTMLDivElement>(null);
  const work = createCanvasWork({ editor, run, elements, screen: null, cursor: at?.key });
  const { steps, stepsFailed, addStep } = useStepsToAdd(work);
  const mayChange = readOnly === undefined;

  /** Gives the focus to the row of the cursor, once it is drawn; in an empty story, to what adds the first action. */
  const focusRow = () =>
    requestAnimationFrame(() => {
      const row = lists.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"], button');
      row?.focus();
    });
  /** Chooses the action of a row, which opens it beside the outline. */
  const choose = (row: OutlineRow) => {
    setCursor(placeOf(row.path));
    view.getState().choose({ actions: [row.key] });
    if (innerWidth < INSPECTOR_COVERS_PX) focusInspector();
  };
  /** Goes to the first row of an action. */
  const goTo = (key: string | undefined) => {
    const row = outlineOf(work.draft()).find((each) => each.key === key);
    if (row === undefined) return;
    unfold();
    setCursor(placeOf(row.path));
    focusRow();
  };
  const openPalette = () => {
    if (!mayChange) return work.tell(readOnly);
    setAdding(true);
    requestAnimationFrame(() => field.current?.focus());
  };
  const closePalette = () => {
    setAdding(false);
    focusRow();
  };
  const onAdd = (kind: KindToAdd) => {
    setAdding(false);
    work.add(kind, at === undefined ? {} : { behind: { source: at.key, kind: 'DEFAULT' } });
    const [made] = view.getState().selection.actions;
    goTo(made);
    if (innerWidth < INSPECTOR_COVERS_PX) focusInspector();
  };
  const onStep = async (step: Step) => {
    setAdding(false);
    await addStep(step, at === undefined ? {} : { behind: { source: at.key, kind: 'DEFAULT' } });
    const [made] = view.getState().selection.actions;
    goTo(made);
  };
  const note = () => {
    work.note();
    requestAnimationFrame(() => [...(lists.current?.querySelectorAll('textarea') ?? [])].at(-1)?.focus());
  };
  const ask = (make: (key: string) => Asked) => () => {
    if (at !== undefined) setAsked(make(at.key));
  };
  const remove = () => {
    if (at === undefined) return;
    const { key } = at;
    const first = rows.findIndex(({ path }) => path.includes(key));
    const isLeft = ({ path }: OutlineRow) => !path.includes(key);
    const next = rows.slice(0, first).findLast(isLeft) ?? rows.find(isLeft);
    view.getState().choose({ actions: [key] });
    work.remove();
    setCursor(next && placeOf(next.path));
    focusRow();
  };
  const link = ask((source) => ({ kind: 'link', source }));
  const links = ask((of) => ({ kind: 'links', of }));
  const duplicate = () => {
    if (at === undefined) return;
    view.getState().choose({ actions: [at.key] });
    work.duplicate();
  };
  const find = () => setAsked({ kind: 'find' });
  useKeys('canvas', {
    a: openPalette,
    l: link,
    L: links,
    '/': find,
    'Mod+d': duplicate,
    Delete: remove,
  });

  return (
    <section className={styles['outline']} aria-label="Outline">
      <OutlineBar
        mayChange={mayChange}
        hasRow={at !== undefined}
        onAdd={openPalette}
        onLink={link}
        onLinks={links}
        onDuplicate={duplicate}
        onRemove={remove}
        onNote={note}
        onFind={find}
      />
      <div className={styles['body']}>
        {mayChange && isAdding && (
          <TypePalette
            kinds={kinds}
            steps={steps}
            stepsFailed={stepsFailed}
            isOpen
            behind={at && work.nameOf(at.key)}
            field={field}
            onOpen={closePalette}
            onEscape={closePalette}
            onAdd={onAdd}
            onStep={(step) => void onStep(step)}
            onImport={setImporting}
          />
        )}
        <div ref={lists} className={styles['lists']} {...CANVAS_KEYS}>
          {rows.length === 0 ? (
            <Nothing title="No actions yet.">
              {mayChange && (
                <Button look="main" onClick={openPalette}>
                  Add an action
                </Button>
              )}
            </Nothing>
          ) : (
            <OutlineTree
              rows={rows}
              folded={folded}
              cursor={at === undefined ? '' : placeOf(at.path)}
              onCursor={setCursor}
              onFold={fold}
              onChoose={choose}
              onOpen={(row) => {
                choose(row);
                focusInspector();
              }}
              onRename={(row) => {
                choose(row);
                focusName();
              }}
            />
          )}
          <OutlineNotes />
        </div>
      </div>
      <AddRequestDialog source={importing} onAdd={onAdd} onClose={() => setImporting(undefined)} />
      <CanvasDialog asked={asked} work={{ ...work, focus: goTo }} onAsk={setAsked} />
    </section>
  );
}

/** Returns the rows that are shown, which of them has the cursor (`at`), and which are folded. */
function useRows() {
  const draft = useEdited((state) => state.draft);
  const editor = useEditor();
  const [cursor, setCursor] = useState(() => rowOfChosen(editor));
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(() => outlineOf(draft), [draft]);
  const rows = useMemo(() => unfoldedRows(all, folded), [all, folded]);
  return {
    rows,
    at: rows.find(({ path }) => placeOf(path) === cursor) ?? rows[0],
    folded,
    setCursor,
    fold: (row: OutlineRow, isFolded: boolean) => {
      const next = new Set(folded);
      if (isFolded) next.add(placeOf(row.path));
      else next.delete(placeOf(row.path));
      setFolded(next);
    },
    unfold: () => setFolded(new Set()),
  };
}
