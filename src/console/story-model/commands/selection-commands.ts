import { nameOf } from './action-commands.js';
import type { Command, Edited, Keyed, Place, Selection, StoryDraft } from '../story-draft.js';

/** New places of actions and notes, by their keys. */
export interface Places {
  actions?: ReadonlyMap<string, Place>;
  notes?: ReadonlyMap<string, Place>;
}

/** Moves actions and notes. Moves of the same ones that follow each other are one step. */
export function move(places: Places): Command {
  return (draft) => {
    const keys = { actions: [...(places.actions?.keys() ?? [])], notes: [...(places.notes?.keys() ?? [])] };
    return {
      label: `Move ${wordsOf(draft, keys)}`,
      draft: placed(draft, places),
      group: `move ${keys.actions.join()} ${keys.notes.join()}`,
    };
  };
}

/** Puts actions where a layout has them, in one step. */
export function tidy(places: ReadonlyMap<string, Place>): Command {
  return (draft) => ({ label: 'Tidy up', draft: placed(draft, { actions: places }) });
}

/**
 * Runs a command with all actions at the places at which they are drawn. As soon as one action of a story has a place, those
 * without one would be drawn elsewhere.
 */
export function keepingPlaces(drawn: ReadonlyMap<string, Place>, command: Command): Command {
  return (draft) => {
    const lacking = [...draft.actions.keys()].filter((key) => !isPlaced(draft.actions.get(key)));
    if (lacking.length === 0) return command(draft);
    const places = lacking.flatMap((key): [string, Place][] => {
      const place = drawn.get(key);
      return place === undefined ? [] : [[key, { x: place.x, y: place.y }]];
    });
    return command(placed(draft, { actions: new Map(places) }));
  };
}

/** Whether an action has a place of its own. */
export function isPlaced(action: { position?: unknown } | undefined): boolean {
  return action?.position !== undefined && action.position !== null;
}

/** Removes actions with their links, and links and notes. */
export function remove(selection: Selection): Command {
  return (draft): Edited => {
    const { actions, links, notes } = asSets(selection);
    const kept = [...draft.links].filter(
      ([key, { source, receiver }]) => !links.has(key) && !actions.has(source) && !actions.has(receiver),
    );
    return {
      label: `Remove ${wordsOf(draft, selection)}`,
      draft: {
        ...draft,
        actions: without(draft.actions, actions),
        links: new Map(kept),
        notes: without(draft.notes, notes),
      },
    };
  };
}

/** Removes links. */
export function disconnect(...links: string[]): Command {
  return remove({ links });
}

/** Returns a selection as sets of keys. */
export function asSets({ actions = [], links = [], notes = [] }: Selection) {
  return { actions: new Set(actions), links: new Set(links), notes: new Set(notes) };
}

/** Returns the draft with these parts at other places. */
export function placed(draft: StoryDraft, { actions = new Map(), notes = new Map() }: Places): StoryDraft {
  return { ...draft, actions: at(draft.actions, actions), notes: at(draft.notes, notes) };
}

function at<Item extends object>(items: Keyed<Item>, places: ReadonlyMap<string, Place>): Keyed<Item> {
  if (places.size === 0) return items;
  const moved = new Map(items);
  for (const [key, position] of places) {
    const item = items.get(key);
    if (item !== undefined) moved.set(key, { ...item, position });
  }
  return moved;
}

function without<Item>(items: Keyed<Item>, gone: ReadonlySet<string>): Keyed<Item> {
  return new Map([...items].filter(([key]) => !gone.has(key)));
}

/** Returns words for some parts: `Ask`, `3 actions, 1 note`. */
export function wordsOf(draft: StoryDraft, { actions = [], links = [], notes = [] }: Selection): string {
  const [only] = actions;
  if (only !== undefined && actions.length + links.length + notes.length === 1) return nameOf(draft, only);
  const counts = { action: actions.length, link: links.length, note: notes.length };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => `${count} ${count === 1 ? noun : `${noun}s`}`)
    .join(', ');
}
