import type { DraftElements } from '../../../../canvas/draft-elements.js';
import type { CanvasScreen } from '../../../../canvas/focus/canvas-screen.js';
import { freeShift, onGrid } from '../../../../canvas/canvas-layout.js';
import { NODE } from '../../../../canvas/nodes/sizes.js';
import type { Box } from '../../../../story-model/commands/arrange-commands.js';
import { keepingPlaces } from '../../../../story-model/commands/selection-commands.js';
import type { Command, Place, Selection } from '../../../../story-model/story-draft.js';
import { say as toast } from '../../../../ui/overlay/toasts.js';
import type { Editor } from '../../editor-context.js';

/** What the canvas works with. */
export interface WorkParts {
  editor: Editor;
  run: (command: Command) => void;
  elements: DraftElements;
  /** Null until the canvas is drawn. */
  screen: CanvasScreen | null;
  /** The part that the keys of the canvas lead away from. */
  cursor: string | undefined;
}

export type WorkBase = ReturnType<typeof createWorkBase>;

/** Returns what all that is done on the canvas shares: the draft, the chosen parts with their boxes, and what is told. */
export function createWorkBase(parts: WorkParts) {
  const { editor, run, elements, screen, cursor } = parts;
  const { store, view } = editor;
  const draft = () => store.getState().draft;
  const boxes = () => elements.boxes(draft());
  const say = (text: string) => view.getState().say(text);
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

  return {
    ...parts,
    draft,
    boxes,
    say,
    /** Tells everybody, not only screen readers. */
    tell: (text: string) => {
      say(text);
      toast(text, 'bad');
    },
    choose: (selection: Selection) => view.getState().choose(selection),
    focus: (key: string) => screen?.focus(key),
    /** Runs a command that gives places. */
    runPlaced: (command: Command) => run(keepingPlaces(boxes(), command)),
    asSelection,
    targets,
    placedTargets,
    boxesOf,
    freePlace,
  };
}
