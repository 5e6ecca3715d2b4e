import type { EdgeChange, NodeChange } from '@xyflow/react';
import { useMemo, useRef, useState } from 'react';
import { createDraftElements, type DraftNode } from '../../../canvas/draft-elements.js';
import { NoteEditing } from '../../../canvas/edit-note-box.js';
import { type CanvasScreen, EditableCanvas } from '../../../canvas/editable-canvas.js';
import { endsOf } from '../../../canvas/neighbours.js';
import { asPlaces } from '../../../story-model/arrange-commands.js';
import { mayLink } from '../../../story-model/link-commands.js';
import { keepingPlaces, move } from '../../../story-model/selection-commands.js';
import type { Place } from '../../../story-model/story-draft.js';
import { useEdited, useEditor, useRun, useView } from '../editor-context.js';
import { useAgentTypes } from '../editor-data.js';
import { focusInspector } from '../inspector-focus.js';
import { kindsToAdd } from './action-kinds-to-add.js';
import { CanvasBar } from './canvas-bar.js';
import type { Asked } from './asked.js';
import { CanvasDialog } from './canvas-dialogs.js';
import { useCanvasKeys } from './canvas-keys.js';
import { canvasActions, CanvasContextMenu } from './canvas-menu.js';
import { type AddPlace, createCanvasWork } from './canvas-work.js';
import { chosenAfter } from './chosen-parts.js';
import { useClipboard } from './clipboard.js';
import styles from './edit-canvas.module.css';
import { useLiveFacts } from './live-facts.js';
import { useMissingValues } from './missing-values.js';
import { TypePalette } from './type-palette.js';

const HELP =
  'Arrow keys follow links, Enter opens an action, a adds one, l links, question mark lists all keys.';
/** In narrower windows the actions to add open when they are asked for. */
const WIDE_PX = 900;

/** The story under edit as a graph. */
export function EditCanvas() {
  const editor = useEditor();
  const { store, view, readOnly, teamId } = editor;
  const draft = useEdited((state) => state.draft);
  const contested = useEdited((state) => state.contested);
  const selection = useView((state) => state.selection);
  const run = useRun();
  const types = useAgentTypes().data;
  const facts = useLiveFacts();
  const missingIn = useMissingValues(teamId);
  const [screen, setScreen] = useState<CanvasScreen | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const pointer = useRef<Place>(undefined);
  const [elements] = useState(createDraftElements);
  const [cursor, setCursor] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const [adding, setAdding] = useState<AddPlace>();
  const [isPaletteOpen, setPaletteOpen] = useState(() => innerWidth >= WIDE_PX);
  const [isMoving, setMoving] = useState(false);
  const [openNote, setOpenNote] = useState<string>();

  const kinds = useMemo(() => kindsToAdd(types?.values() ?? []), [types]);
  const notRunnable = useMemo(
    () => new Set([...(types?.values() ?? [])].flatMap(({ type, runnable }) => (runnable ? [] : [type]))),
    [types],
  );
  const nodes = useMemo(
    () => elements.nodes(draft, { chosen: selection, contested, facts, notRunnable, missingIn }),
    [elements, draft, selection, contested, facts, notRunnable, missingIn],
  );
  const edges = useMemo(
    () => elements.edges(draft, { chosen: selection, contested }),
    [elements, draft, selection, contested],
  );
  const work = createCanvasWork({ editor, run, elements, screen, cursor });
  const mayChange = readOnly === undefined;

  const choose = (changes: readonly (NodeChange<DraftNode> | EdgeChange)[]) => {
    const choices = changes.filter((change) => change.type === 'select');
    if (choices.length === 0) return;
    view.getState().choose(chosenAfter(store.getState().draft, view.getState().selection, choices));
  };
  const onNodes = (changes: NodeChange<DraftNode>[]) => {
    choose(changes);
    const places = new Map<string, Place>();
    for (const change of changes) {
      if (change.type === 'dimensions' && change.dimensions) elements.measure(change.id, change.dimensions);
      if (change.type === 'position' && change.position) places.set(change.id, change.position);
    }
    const isEnd = changes.some((change) => change.type === 'position' && change.dragging === false);
    if (places.size > 0 && mayChange) {
      // Not told for each frame of a drag, but once it ends.
      const command = move(asPlaces(store.getState().draft, places));
      store.getState().run(keepingPlaces(elements.boxes(store.getState().draft), command));
    }
    if (!isEnd) return;
    store.getState().finish();
    const last = store.getState().history.past.at(-1);
    if (last !== undefined) work.say(last.label);
  };
  const openPalette = (place: AddPlace | undefined) => {
    if (readOnly !== undefined) return work.tell(readOnly);
    setAdding(place);
    setPaletteOpen(true);
    // The field is drawn with the palette.
    requestAnimationFrame(() => field.current?.focus());
  };
  /** What is asked for by a key stays in this place: the focus goes to the palette, and what is chosen is as it was. */
  const addBehindTarget = () => {
    const [source, ...others] = work.targets().actions;
    const isOne = source !== undefined && others.length === 0;
    openPalette(isOne ? { behind: { source, kind: 'DEFAULT' } } : undefined);
  };
  const onNote = (at?: Place) => setOpenNote(work.note(at));
  const onOpen = (key: string) => {
    if (draft.notes.has(key)) {
      if (mayChange) setOpenNote(key);
      return;
    }
    view.getState().choose({ actions: [key] });
    focusInspector();
  };
  const onMoving = (is: boolean) => {
    if (is && readOnly !== undefined) return work.tell(readOnly);
    store.getState().finish();
    setMoving(is);
    work.say(is ? 'Moving: arrow keys move, Enter ends it.' : 'No longer moving.');
  };
  const actions = (at?: Place) => () =>
    canvasActions({
      work,
      mayChange,
      at,
      onAsk: setAsked,
      onNote,
      onOpen,
      onAdd: (place) => openPalette(place === undefined ? undefined : { at: place }),
      onMoving: () => onMoving(true),
    });
  useCanvasKeys({
    work,
    isMoving,
    onMoving,
    onAsk: setAsked,
    onOpen,
    onAdd: addBehindTarget,
    onNote: () => onNote(),
    focused: () => screen?.focused(),
  });
  useClipboard(work, readOnly, () => pointer.current);
  const [entry] =
    selection.actions.length > 0 ? selection.actions : endsOf(draft, elements.boxes(draft), 'entries');
  return (
    <NoteEditing
      value={{
        open: openNote,
        onOpen: (key) => mayChange && setOpenNote(key),
        onDone: (key, text) => {
          setOpenNote(undefined);
          if (text !== undefined && text !== draft.notes.get(key)?.content) work.setNote(key, text);
          work.focus(key);
        },
      }}
    >
      <div className={styles['whole']}>
        {mayChange && (
          <TypePalette
            kinds={kinds}
            isOpen={isPaletteOpen}
            field={field}
            onOpen={setPaletteOpen}
            onAdd={(kind) => {
              if (innerWidth < WIDE_PX) setPaletteOpen(false);
              work.add(kind, adding);
              setAdding(undefined);
            }}
            onEscape={() => {
              setAdding(undefined);
              if (innerWidth < WIDE_PX) setPaletteOpen(false);
              if (cursor === undefined) screen?.focusAll();
              else work.focus(cursor);
            }}
          />
        )}
        <CanvasContextMenu
          actions={() => actions(pointer.current)()}
          onClosed={() => document.activeElement === document.body && screen?.focusAll()}
          onOver={(target, point) => {
            pointer.current = screen?.placeAt(point);
            const key = target.closest<HTMLElement>('.react-flow__node, .react-flow__edge')?.dataset['id'];
            const { actions: chosen, notes, links } = selection;
            if (key === undefined || [...chosen, ...notes, ...links].includes(key)) return;
            view.getState().choose(chosenAfter(draft, {}, [{ id: key, selected: true }]));
          }}
        >
          {draft.actions.size === 0 && (
            <p className={styles['empty']}>
              {mayChange ? 'No actions yet. Press a, or drag an action here.' : 'This story has no actions.'}
            </p>
          )}
          <CanvasBar
            readOnly={readOnly}
            isMoving={isMoving}
            count={selection.actions.length + selection.notes.length + selection.links.length}
            actions={actions()}
            onAsk={setAsked}
            onNote={() => onNote()}
            onTidy={work.tidy}
          />
          <EditableCanvas
            nodes={nodes}
            edges={edges}
            entry={entry}
            mayChange={mayChange}
            help={HELP}
            screen={setScreen}
            onFocus={(key) => {
              if (key === undefined) {
                const next =
                  cursor !== undefined && (draft.actions.has(cursor) || draft.notes.has(cursor))
                    ? cursor
                    : entry;
                if (next !== undefined) work.focus(next);
              } else if (key !== cursor) {
                setCursor(key);
                store.getState().finish();
              }
            }}
            onLeave={() => isMoving && onMoving(false)}
            onNodes={onNodes}
            onEdges={choose}
            mayLink={(source, receiver) => mayLink(store.getState().draft, source, receiver)}
            onLink={work.link}
            onLinkStart={(key) => work.say(`Link of ${work.nameOf(key)}: press the port where it ends.`)}
            onReconnect={work.reconnect}
            onLoose={(source, kind, at) => openPalette({ at, behind: { source, kind } })}
            onDrop={(id, at) => {
              const kind = kinds.find((each) => each.id === id);
              if (kind !== undefined) work.add(kind, { at });
            }}
            onOpen={onOpen}
          />
        </CanvasContextMenu>
      </div>
      <CanvasDialog asked={asked} work={work} onAsk={setAsked} />
    </NoteEditing>
  );
}
