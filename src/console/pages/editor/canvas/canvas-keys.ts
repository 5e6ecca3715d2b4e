import { useKeys } from '../../../keys/use-keys.js';
import type { Direction } from '../../../canvas/neighbours.js';
import type { Asked } from './asked.js';
import type { CanvasWork } from './canvas-work.js';

/** With Shift, an arrow key moves by this many steps. */
const LARGE_STEP = 4;
const WAYS: [key: string, way: Direction][] = [
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
];

/** The keys of the canvas, and what each does. */
export const KEY_HELP: readonly [keys: string, what: string][] = [
  ['Arrow keys', 'Follow links, or go to the nearest part'],
  ['Home, End', 'Go to the first or the last actions'],
  ['/', 'Find an action'],
  ['Enter', 'Open the action, or the text of the note'],
  ['F2', 'Rename the action'],
  ['Escape', 'Back to the canvas; clear the selection'],
  ['Space', 'Select or deselect'],
  ['Shift + arrow keys', 'Extend the selection'],
  ['Ctrl A', 'Select all'],
  ['a', 'Add an action after this one'],
  ['n', 'Add a note'],
  ['l', 'Link to another action'],
  ['Shift L', 'Change or remove links'],
  ['m', 'Move with the arrow keys, until Enter or Escape'],
  ['Alt + arrow keys', 'Move; with Shift, farther'],
  ['t', 'Tidy up the selection, or the whole story'],
  ['Ctrl D', 'Duplicate'],
  ['Ctrl C, Ctrl X, Ctrl V', 'Copy, cut, paste'],
  ['Shift S', 'Save the selected actions as a step'],
  ['Delete', 'Delete'],
  ['Ctrl Z, Ctrl Y', 'Undo, redo'],
  ['Ctrl S', 'Save now'],
  ['Ctrl Enter', 'Run a trial'],
  ['Shift + drag', 'Select with a box'],
];

interface CanvasKeysParts {
  work: CanvasWork;
  isMoving: boolean;
  onMoving: (isMoving: boolean) => void;
  onAsk: (asked: Asked) => void;
  onAdd: () => void;
  onNote: () => void;
  /** Opens the action or the note that has the focus. */
  onOpen: (key: string) => void;
  /** Opens the action at its name. */
  onRename: (key: string) => void;
  focused: () => string | undefined;
}

/** Binds the keys of the canvas. */
export function useCanvasKeys(parts: CanvasKeysParts): void {
  const { work, isMoving, onMoving, onAsk, onAdd, onNote, onOpen, onRename, focused } = parts;
  const one = (): string | undefined => {
    const { actions } = work.targets();
    return actions.length === 1 ? actions[0] : undefined;
  };
  const ask = (make: (key: string) => Asked) => () => {
    const key = one();
    if (key === undefined) work.say('Select one action first.');
    else onAsk(make(key));
  };
  const arrows = WAYS.flatMap(([key, way]) => {
    const move = (event: KeyboardEvent) => work.nudge(way, event.shiftKey ? LARGE_STEP : 1);
    const go = (event: KeyboardEvent) => (event.shiftKey ? work.extend(way) : work.go(way));
    return [
      [key, isMoving ? move : go],
      [`Alt+${key}`, move],
    ];
  });
  const open = (onKey: (key: string) => void) => () => {
    if (isMoving) return onMoving(false);
    const key = focused() ?? one();
    if (key !== undefined) onKey(key);
  };
  const escape = () => {
    if (isMoving) return onMoving(false);
    work.choose({});
  };
  useKeys('canvas', {
    ...(Object.fromEntries(arrows) as Record<string, (event: KeyboardEvent) => void>),
    Home: () => work.goTo('entries'),
    End: () => work.goTo('exits'),
    Enter: open(onOpen),
    F2: open(onRename),
    Escape: escape,
    ' ': work.toggle,
    '/': () => onAsk({ kind: 'find' }),
    '?': () => onAsk({ kind: 'keys' }),
    a: onAdd,
    n: onNote,
    l: ask((source) => ({ kind: 'link', source })),
    L: ask((of) => ({ kind: 'links', of })),
    S: () => {
      if (work.targets().actions.length === 0) work.say('Select actions first.');
      else onAsk({ kind: 'step' });
    },
    m: () => onMoving(!isMoving),
    t: work.tidy,
    'Mod+a': work.chooseAll,
    'Mod+d': work.duplicate,
    Delete: work.remove,
    Backspace: work.remove,
  });
}
