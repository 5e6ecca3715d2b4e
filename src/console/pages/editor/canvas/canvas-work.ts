import type { CanvasScreen } from '../../../canvas/editable-canvas.js';
import type { DraftElements } from '../../../canvas/draft-elements.js';
import { cornerOf, freeShift, onGrid, placesInDraft, tidied } from '../../../canvas/canvas-layout.js';
import { type Direction, endsOf, neighbourOf } from '../../../canvas/neighbours.js';
import { GRID, NODE, NOTE_HEIGHT, NOTE_WIDTH } from '../../../canvas/nodes/sizes.js';
import { addAction, nameOf } from '../../../story-model/commands/action-commands.js';
import { freeName } from '../../../story-model/action-names.js';
import {
  arrange,
  type Arrangement,
  asPlaces,
  type Box,
} from '../../../story-model/commands/arrange-commands.js';
import { copied, duplicate, type Fragment, paste, pastedNames } from '../../../story-model/fragment.js';
import { addBehind, connect, reconnect, WEBHOOK_TYPE } from '../../../story-model/commands/link-commands.js';
import { addNote, setNote } from '../../../story-model/commands/note-commands.js';
import { fromGraph } from '../../../story-model/graph-draft.js';
import {
  keepingPlaces,
  move,
  remove,
  tidy,
  wordsOf,
} from '../../../story-model/commands/selection-commands.js';
import {
  type Command,
  type LinkKind,
  newGuid,
  type Place,
  type Selection,
} from '../../../story-model/story-draft.js';
import { sentencesOf } from '../../../text/problems.js';
import { say as toast } from '../../../ui/overlay/toasts.js';
import type { Editor } from '../editor-context.js';
import type { KindToAdd } from './adding/action-kinds-to-add.js';
import { referencedNames, withNewNames } from './pasted-references.js';

/** From an action to one that is added behind it. */
const BELOW = NODE.height + 68;
/** How far a copy is put beside what it is a copy of. */
const BESIDE = 2 * GRID;
const DELTAS: Record<Direction, Place> = {
  up: { x: 0, y: -GRID },
  down: { x: 0, y: GRID },
  left: { x: -GRID, y: 0 },
  right: { x: GRID, y: 0 },
};

interface CanvasWorkParts {
  editor: Editor;
  run: (command: Command) => void;
  elements: DraftElements;
  /** Null until the canvas is drawn. */
  screen: CanvasScreen | null;
  /** The part that the keys of the canvas lead away from. */
  cursor: string | undefined;
}

/** Where a new action is put. */
export interface AddPlace {
  at?: Place;
  /** The action that leads to it, and by which of its ports; absent: the chosen one. */
  behind?: { source: string; kind: LinkKind };
}

export type CanvasWork = ReturnType<typeof createCanvasWork>;

/** Returns all that is done on the canvas, however a person asks for it: by key, by menu, or by drag. */
export function createCanvasWork({ editor, run, elements, screen, cursor }: CanvasWorkParts) {
  const { store, view } = editor;
  const draft = () => store.getState().draft;
  const boxes = () => elements.boxes(draft());
  const say = (text: string) => view.getState().say(text);
  /** Tells everybody, not only screen readers. */
  const tell = (text: string) => {
    say(text);
    toast(text, 'bad');
  };
  const choose = (selection: Selection) => view.getState().choose(selection);
  const focus = (key: string) => screen?.focus(key);
  /** Runs a command that gives places. */
  const runPlaced = (command: Command) => run(keepingPlaces(boxes(), command));
  const asSelection = (keys: readonly string[]): Selection => ({
    actions: keys.filter((key) => draft().actions.has(key)),
    notes: keys.filter((key) => draft().notes.has(key)),
  });

  /** The part that has the focus, unless it is one of several that are chosen; else what is chosen. */
  function targets(): Required<Selection> {
    const { selection } = view.getState();
    const { actions, links, notes } = draft();
    const chosen = {
      actions: selection.actions.filter((key) => actions.has(key)),
      links: selection.links.filter((key) => links.has(key)),
      notes: selection.notes.filter((key) => notes.has(key)),
    };
    const isEmpty = chosen.actions.length + chosen.links.length + chosen.notes.length === 0;
    const focused = screen?.focused() ?? (isEmpty ? cursor : undefined);
    if (focused === undefined || chosen.actions.includes(focused) || chosen.notes.includes(focused))
      return chosen;
    return { actions: [], notes: [], links: [], ...asSelection([focused]) };
  }

  const placedTargets = (): string[] => {
    const { actions, notes } = targets();
    return [...actions, ...notes];
  };

  function boxesOf(keys: readonly string[]): Map<string, Box> {
    const all = boxes();
    return new Map(
      keys.flatMap((key): [string, Box][] => {
        const box = all.get(key);
        return box === undefined ? [] : [[key, box]];
      }),
    );
  }

  /** A place at which a part of this size lies over no other. */
  function freePlace(wanted: Place, size: { width: number; height: number } = NODE): Place {
    const at = { x: onGrid(wanted.x), y: onGrid(wanted.y) };
    const shift = freeShift([{ ...at, ...size }], [...boxes().values()], { x: 0, y: 0 });
    return { x: at.x + shift.x, y: at.y + shift.y };
  }

  function add(kind: KindToAdd, { at, behind }: AddPlace = {}) {
    const { actions } = draft();
    const [chosen, ...others] = targets().actions;
    const source = behind?.source ?? (others.length === 0 && at === undefined ? chosen : undefined);
    const linked = kind.type === WEBHOOK_TYPE ? undefined : source;
    const from = source === undefined ? undefined : boxes().get(source);
    const middle = screen?.middle() ?? { x: 0, y: 0 };
    const wanted =
      at ??
      (from === undefined
        ? { x: middle.x - NODE.width / 2, y: middle.y - NODE.height / 2 }
        : { x: from.x, y: from.y + BELOW });
    const guid = newGuid();
    const action = {
      type: kind.type,
      name: freeName(
        kind.name,
        [...actions.values()].map(({ name }) => name),
      ),
      options: kind.options,
      position: freePlace(wanted),
    };
    runPlaced(
      linked === undefined
        ? addAction(action, guid)
        : addBehind(linked, action, guid, behind?.kind ?? 'DEFAULT'),
    );
    if (!draft().actions.has(guid)) return;
    choose({ actions: [guid] });
    focus(guid);
  }

  function link(source: string, receiver: string, kind: LinkKind) {
    const before = draft();
    run(connect(source, receiver, kind));
    if (draft() === before && editor.readOnly === undefined) say('There is such a link already.');
  }

  function removeTargets() {
    const gone = targets();
    const keys = [...gone.actions, ...gone.notes];
    if (keys.length + gone.links.length === 0) return;
    const next = keys[0] === undefined ? undefined : afterRemoval(keys);
    const before = draft();
    run(remove(gone));
    if (draft() === before) return;
    choose({});
    if (next === undefined) screen?.focusAll();
    else focus(next);
  }

  /** The part that has the focus once these are gone. */
  function afterRemoval(keys: readonly string[]): string | undefined {
    const gone = new Set(keys);
    const [first = ''] = keys;
    const left = new Map([...boxes()].filter(([key]) => key === first || !gone.has(key)));
    for (const way of ['up', 'left', 'down', 'right'] as const) {
      const next = neighbourOf(draft(), left, first, way);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  function nudge(way: Direction, steps: number) {
    const by = DELTAS[way];
    const places = [...boxesOf(placedTargets())].map(([key, { x, y }]): [string, Place] => [
      key,
      { x: x + by.x * steps, y: y + by.y * steps },
    ]);
    if (places.length > 0) runPlaced(move(asPlaces(draft(), new Map(places))));
  }

  function duplicateTargets() {
    const { actions, notes } = targets();
    const own = [...boxesOf([...actions, ...notes]).values()];
    if (own.length === 0) return;
    const shift = freeShift(own, [...boxes().values()], { x: BESIDE, y: BESIDE });
    const fragment = copied(draft(), { actions, notes }, boxes());
    const words = wordsOf(draft(), { actions, notes });
    named(fragment, (own) => {
      const { made, guid } = createGuids();
      runPlaced(duplicate(own, shift, words, guid));
      chooseMade(made);
    });
  }

  /**
   * Goes on with the fragment, in which references follow the names that its actions get. At once if nothing names an action
   * that gets another name: only the server can read templates. Names that are taken by then, as by a paste just before, are
   * asked for again.
   */
  function named(fragment: Fragment, goOn: (fragment: Fragment) => void) {
    const renames = referencedNames(draft(), fragment);
    if (renames.length === 0 || editor.readOnly !== undefined) return goOn(fragment);
    void withNewNames(editor.draftId ?? editor.storyId, fragment, renames).then(
      (own) => {
        const names = pastedNames(draft(), own.agents);
        const isFree = renames.every(({ index, name }) => names[index] === name);
        return isFree ? goOn(own) : named(fragment, goOn);
      },
      (error: unknown) => {
        goOn(fragment);
        tell(`References to the renamed actions were not changed. ${sentencesOf(error).join(' ')}`);
      },
    );
  }

  const pasteFragment = (fragment: Fragment, at: Place | undefined) =>
    named(fragment, (own) => pasteNamed(own, at));

  function pasteNamed(fragment: Fragment, at: Place | undefined) {
    const laid = laidOut(fragment);
    const own = [...laid.agents, ...laid.notes].flatMap(({ position }) =>
      position && !Array.isArray(position) ? [{ ...position, ...NODE }] : [],
    );
    const { made, guid } = createGuids();
    const corner = cornerOf(own);
    const wanted = at ?? screen?.middle() ?? { x: 0, y: 0 };
    const by =
      own.length === 0 ? { x: 0, y: 0 } : { x: onGrid(wanted.x - corner.x), y: onGrid(wanted.y - corner.y) };
    const shift = own.length === 0 ? by : freeShift(own, [...boxes().values()], by);
    runPlaced(paste(laid, shift, guid));
    chooseMade(made);
  }

  function chooseMade(made: readonly string[]) {
    const parts = asSelection(made);
    const [first] = [...(parts.actions ?? []), ...(parts.notes ?? [])];
    if (first === undefined) return;
    choose(parts);
    focus(first);
  }

  function tidyUp() {
    const { actions } = targets();
    const chosen = actions.length > 1 ? actions : [...draft().actions.keys()];
    const places = tidied(draft(), boxes(), chosen);
    if (places.size > 0) runPlaced(tidy(places));
    if (actions.length < 2) screen?.fit();
  }

  function note(at?: Place) {
    const wanted = at ?? screen?.middle() ?? { x: 0, y: 0 };
    const guid = newGuid();
    run(addNote('', freePlace(wanted, { width: NOTE_WIDTH, height: NOTE_HEIGHT }), guid));
    if (!draft().notes.has(guid)) return undefined;
    choose({ notes: [guid] });
    return guid;
  }

  function go(way: Direction) {
    const all = boxes();
    const from = screen?.focused() ?? (cursor !== undefined && all.has(cursor) ? cursor : undefined);
    if (from === undefined) return home();
    const next = neighbourOf(draft(), all, from, way);
    if (next !== undefined) focus(next);
  }

  /** Goes on as `go` does, and selects both parts as well. */
  function extend(way: Direction) {
    const from = screen?.focused();
    const next = from === undefined ? undefined : neighbourOf(draft(), boxes(), from, way);
    if (from === undefined || next === undefined) return;
    const { actions, notes } = view.getState().selection;
    const all = [...new Set([...actions, ...notes, from, next])];
    choose(asSelection(all));
    focus(next);
    say(`${all.length} selected`);
  }

  /** Goes to the first entry or exit; pressed again, to the next one. */
  function goTo(end: 'entries' | 'exits') {
    const ends = endsOf(draft(), boxes(), end);
    const next = ends[(ends.indexOf(screen?.focused() ?? '') + 1) % Math.max(ends.length, 1)];
    if (next !== undefined) focus(next);
  }
  const home = () => goTo('entries');

  function toggle() {
    const focused = screen?.focused();
    if (focused === undefined) return;
    const { actions, notes } = view.getState().selection;
    const all = new Set([...actions, ...notes]);
    const isChosen = !all.delete(focused);
    if (isChosen) all.add(focused);
    choose(asSelection([...all]));
    const name = wordsOf(draft(), asSelection([focused]));
    say(isChosen ? `${name} selected, ${all.size} in all` : `${name} no longer selected, ${all.size} in all`);
  }

  function chooseAll() {
    const { actions, notes } = draft();
    choose({ actions: [...actions.keys()], notes: [...notes.keys()] });
    say(`${wordsOf(draft(), asSelection([...actions.keys(), ...notes.keys()]))} selected`);
  }

  return {
    targets,
    add,
    link,
    reconnect: (key: string, ends: Parameters<typeof reconnect>[1]) => run(reconnect(key, ends)),
    remove: removeTargets,
    removeLink: (key: string) => run(remove({ links: [key] })),
    nudge,
    duplicate: duplicateTargets,
    copied: (): Fragment => copied(draft(), targets(), boxes()),
    paste: pasteFragment,
    arrange: (how: Arrangement) => runPlaced(arrange(boxesOf(placedTargets()), how)),
    tidy: tidyUp,
    note,
    setNote: (key: string, text: string) => run(setNote(key, text)),
    go,
    extend,
    goTo,
    toggle,
    chooseAll,
    choose,
    focus,
    say,
    tell,
    nameOf: (key: string) => nameOf(draft(), key),
    words: (selection: Selection) => wordsOf(draft(), selection),
    draft,
  };
}

/** Makes guids, and knows which. */
function createGuids() {
  const made: string[] = [];
  const guid = () => {
    const next = newGuid();
    made.push(next);
    return next;
  };
  return { made, guid };
}

/** Gives places to the actions of a fragment that has none, as an export without a layout. */
function laidOut(fragment: Fragment): Fragment {
  if (fragment.agents.every(({ position }) => position)) return fragment;
  const places = [...placesInDraft(fromGraph({ ...fragment, notes: [] })).values()];
  return {
    ...fragment,
    agents: fragment.agents.map((agent, at) => ({ ...agent, position: places[at] ?? null })),
  };
}
