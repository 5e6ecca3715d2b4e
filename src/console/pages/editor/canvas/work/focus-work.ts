import { type Direction, endsOf, neighbourOf } from '../../../../canvas/neighbours.js';
import { wordsOf } from '../../../../story-model/commands/selection-commands.js';
import type { WorkBase } from './work-base.js';

/** Returns what leads from part to part, and what chooses some of them. */
export function createFocusWork(base: WorkBase) {
  const { editor, draft, boxes, asSelection, choose, focus, say, screen, cursor } = base;
  const { view } = editor;

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

  return { go, extend, goTo, toggle, chooseAll };
}
