import { neighbourOf } from '../../../canvas/neighbours.js';
import { NODE, NOTE_HEIGHT, NOTE_WIDTH } from '../../../canvas/nodes/sizes.js';
import { addAction, nameOf } from '../../../story-model/commands/action-commands.js';
import { freeName } from '../../../story-model/action-names.js';
import { addBehind, connect, reconnect, WEBHOOK_TYPE } from '../../../story-model/commands/link-commands.js';
import { addNote, setNote } from '../../../story-model/commands/note-commands.js';
import { remove, wordsOf } from '../../../story-model/commands/selection-commands.js';
import { type LinkKind, newGuid, type Place, type Selection } from '../../../story-model/story-draft.js';
import type { KindToAdd } from './adding/action-kinds-to-add.js';
import { createFocusWork } from './work/focus-work.js';
import { createFragmentWork } from './work/fragment-work.js';
import { createPlaceWork } from './work/place-work.js';
import { createWorkBase, type WorkParts } from './work/work-base.js';

/** From an action to one that is added behind it. */
const BELOW = NODE.height + 68;

/** Where a new action is put. */
export interface AddPlace {
  at?: Place;
  /** The action that leads to it, and by which of its ports; absent: the chosen one. */
  behind?: { source: string; kind: LinkKind };
}

export type CanvasWork = ReturnType<typeof createCanvasWork>;

/** Returns all that is done on the canvas, however a person asks for it: by key, by menu, or by drag. */
export function createCanvasWork(parts: WorkParts) {
  const base = createWorkBase(parts);
  const { editor, run, screen, draft, boxes, say, choose, focus, runPlaced, targets, freePlace } = base;

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
    if (draft() === before && editor.readOnly === undefined) say('This link already exists.');
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

  function note(at?: Place) {
    const wanted = at ?? screen?.middle() ?? { x: 0, y: 0 };
    const guid = newGuid();
    run(addNote('', freePlace(wanted, { width: NOTE_WIDTH, height: NOTE_HEIGHT }), guid));
    if (!draft().notes.has(guid)) return undefined;
    choose({ notes: [guid] });
    return guid;
  }

  return {
    ...createFragmentWork(base),
    ...createFocusWork(base),
    ...createPlaceWork(base),
    targets,
    add,
    link,
    reconnect: (key: string, ends: Parameters<typeof reconnect>[1]) => run(reconnect(key, ends)),
    remove: removeTargets,
    removeLink: (key: string) => run(remove({ links: [key] })),
    note,
    setNote: (key: string, text: string) => run(setNote(key, text)),
    choose,
    focus,
    say,
    tell: base.tell,
    nameOf: (key: string) => nameOf(draft(), key),
    words: (selection: Selection) => wordsOf(draft(), selection),
    draft,
  };
}
