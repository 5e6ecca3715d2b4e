import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createDraftElements } from '../../../canvas/draft-elements.js';
import { NoteEditing } from '../../../canvas/nodes/edit-note-box.js';
import type { CanvasScreen } from '../../../canvas/focus/canvas-screen.js';
import { endsOf } from '../../../canvas/neighbours.js';
import { mayLink } from '../../../story-model/commands/link-commands.js';
import type { Place } from '../../../story-model/story-draft.js';
import { useEdited, useEditor, useRun, useView } from '../editor-context.js';
import { focusInspector, focusName } from '../inspector-focus.js';
import { AddRequestDialog } from '../request-import/add-request-dialog.js';
import { TypePalette } from './adding/type-palette.js';
import { useAdding } from './adding/use-adding.js';
import type { Asked } from './asked.js';
import { CanvasBar } from './canvas-bar.js';
import { CanvasDialog } from './canvas-dialogs.js';
import { useCanvasKeys } from './canvas-keys.js';
import { canvasActions, CanvasContextMenu } from './canvas-menu.js';
import { createCanvasWork } from './canvas-work.js';
import { chosenAfter } from './chosen-parts.js';
import { useClipboard } from './clipboard.js';
import { DrawnCanvas } from './drawn-canvas.js';
import styles from './edit-canvas.module.css';
import { createPartChanges } from './part-changes.js';
import { useNoteEditing } from './work/use-note-editing.js';

const HELP =
  'Arrow keys follow links, Enter opens an action, a adds one, l links, question mark lists all keys.';
/** By then a dialog that closes has given the focus back to where it was. */
const DIALOG_GONE_MS = 100;

/** The story under edit as a graph. */
export function EditCanvas() {
  const editor = useEditor();
  const { store, view, readOnly } = editor;
  // The draft itself is not asked for here: it changes in each frame of a drag.
  const isEmpty = useEdited(({ draft }) => draft.actions.size === 0);
  const draft = () => store.getState().draft;
  const selection = useView((state) => state.selection);
  const run = useRun();
  const [screen, setScreen] = useState<CanvasScreen | null>(null);
  const pointer = useRef<Place>(undefined);
  const [elements] = useState(createDraftElements);
  const [cursor, setCursor] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const [isMoving, setMoving] = useState(false);

  const work = createCanvasWork({ editor, run, elements, screen, cursor });
  const mayChange = readOnly === undefined;
  const adding = useAdding(work, readOnly);
  const notes = useNoteEditing(screen?.focus);

  const { onNodes, onEdges } = createPartChanges(editor, elements);
  /** The canvas takes the focus that a menu or a dialog has left nowhere. */
  const keepFocus = () => {
    if (document.activeElement === document.body) screen?.focusAll();
  };
  const onNote = (at?: Place) => notes.setOpen(work.note(at));
  const onOpen = (key: string) => {
    if (draft().notes.has(key)) {
      if (mayChange) notes.setOpen(key);
      return;
    }
    view.getState().choose({ actions: [key] });
    focusInspector();
  };
  const onRename = (key: string) => {
    onOpen(key);
    if (draft().actions.has(key)) focusName();
  };
  const onMoving = (is: boolean) => {
    if (is && readOnly !== undefined) return work.tell(readOnly);
    store.getState().finish();
    setMoving(is);
    work.say(is ? 'Moving: use the arrow keys, then press Enter.' : 'Moving ended.');
  };
  const actions = (at?: Place) => () =>
    canvasActions({
      work,
      mayChange,
      at,
      onAsk: setAsked,
      onNote,
      onOpen,
      onAdd: (place) => adding.open(place === undefined ? undefined : { at: place }),
      onMoving: () => onMoving(true),
    });
  useCanvasKeys({
    work,
    isMoving,
    onMoving,
    onAsk: setAsked,
    onOpen,
    onRename,
    onAdd: adding.openBehindTarget,
    onNote: () => onNote(),
    focused: () => screen?.focused(),
  });
  useClipboard(work, readOnly);
  // A story that has just been opened listens to its keys at once.
  const onOpened = useEffectEvent((opened: CanvasScreen) => {
    if (document.activeElement === document.body) opened.focusAll();
  });
  useEffect(() => {
    if (screen !== null) onOpened(screen);
  }, [screen]);
  /** The part at which the canvas opens, and which has the focus first. */
  const entry = () => {
    const now = draft();
    const ends = endsOf(now, elements.boxes(now), 'entries');
    return [...selection.actions, ...ends].find((key) => now.actions.has(key));
  };
  return (
    <NoteEditing value={notes.editing}>
      <div className={styles['whole']}>
        {mayChange && (
          <TypePalette
            kinds={adding.kinds}
            steps={adding.steps}
            stepsFailed={adding.stepsFailed}
            isOpen={adding.isOpen}
            behind={adding.behind && work.nameOf(adding.behind.source)}
            field={adding.field}
            onOpen={adding.setOpen}
            onAdd={adding.add}
            onStep={adding.addStep}
            onImport={adding.setImporting}
            onEscape={() => {
              adding.leave();
              if (cursor === undefined) screen?.focusAll();
              else work.focus(cursor);
            }}
          />
        )}
        <CanvasContextMenu
          actions={() => actions(pointer.current)()}
          onClosed={keepFocus}
          onOver={(target, point) => {
            pointer.current = screen?.placeAt(point);
            const key = target.closest<HTMLElement>('.react-flow__node, .react-flow__edge')?.dataset['id'];
            const { actions: chosen, notes, links } = selection;
            if (key === undefined || [...chosen, ...notes, ...links].includes(key)) return;
            view.getState().choose(chosenAfter(draft(), {}, [{ id: key, selected: true }]));
          }}
        >
          {isEmpty && (
            <p className={styles['empty']}>
              {mayChange
                ? 'No actions yet. Choose one on the left, or press a.'
                : 'This story has no actions.'}
            </p>
          )}
          <CanvasBar
            readOnly={readOnly}
            isMoving={isMoving}
            count={selection.actions.length + selection.notes.length || selection.links.length}
            actions={actions()}
            onAsk={setAsked}
            onNote={() => onNote()}
            onTidy={work.tidy}
          />
          <DrawnCanvas
            elements={elements}
            entry={entry}
            mayChange={mayChange}
            help={HELP}
            screen={setScreen}
            onFocus={(key) => {
              if (key === undefined) {
                const { actions: all, notes } = draft();
                const isThere = cursor !== undefined && (all.has(cursor) || notes.has(cursor));
                const next = isThere ? cursor : entry();
                if (next !== undefined) work.focus(next);
              } else if (key !== cursor) {
                setCursor(key);
                store.getState().finish();
              }
            }}
            onLeave={() => isMoving && onMoving(false)}
            onNodes={onNodes}
            onEdges={onEdges}
            mayLink={(source, receiver) => mayLink(draft(), source, receiver)}
            onLink={work.link}
            onLinkStart={(key) => work.say(`Link of ${work.nameOf(key)}: press the port where it ends.`)}
            onReconnect={work.reconnect}
            onLoose={(source, kind, at) => adding.open({ at, behind: { source, kind } })}
            onDrop={adding.drop}
            onOpen={onOpen}
          />
        </CanvasContextMenu>
      </div>
      <AddRequestDialog
        source={adding.importing}
        onAdd={adding.add}
        onClose={() => adding.setImporting(undefined)}
      />
      <CanvasDialog
        asked={asked}
        work={work}
        onAsk={(next) => {
          setAsked(next);
          if (next === undefined) setTimeout(keepFocus, DIALOG_GONE_MS);
        }}
      />
    </NoteEditing>
  );
}
