import type { ExportedLink, GraphAction, GraphNote } from '../../../clients/typescript/api.js';
import { hasEntries, parseExact } from '../text/exact-json.js';
import { isTooDeep, MOST_LEVELS } from '../text/nesting.js';
import type { Fragment } from './fragment.js';
import type { Place } from './story-draft.js';

/** The most characters that a pasted text may have, and the most parts. */
const MOST = { characters: 8_000_000, actions: 2_000, links: 20_000, notes: 10_000 };

/** A text that is no part of a story. Its message is for people. */
export class NoFragment extends Error {}

/** Returns a fragment as text, in the form of an export: it can be pasted, and imported as a story of its own. */
export function fragmentText({ agents, links, notes }: Fragment): string {
  const layout = agents.flatMap(({ guid, position }) =>
    guid !== undefined && position ? [[guid, [position.x, position.y]]] : [],
  );
  const form = {
    fabula: 'fragment',
    agents: agents.map(({ position: _position, ...agent }) => agent),
    links,
    diagram_notes: notes.map((note) => {
      const place = placeIn(note.position);
      return place === undefined ? note : { ...note, position: [place.x, place.y] };
    }),
    diagram_layout: JSON.stringify(Object.fromEntries(layout)),
  };
  return JSON.stringify(form, null, 2);
}

/** Reads a fragment, an export of a story, or a graph of the API. @throws NoFragment for any other text. */
export function fragmentIn(text: string): Fragment {
  if (text.length > MOST.characters) throw new NoFragment('The clipboard holds too much text.');
  const given = parsed(text);
  if (isTooDeep(given)) throw new NoFragment(`The clipboard nests deeper than ${MOST_LEVELS} levels.`);
  const form = objectIn(given);
  const listed = listIn(form['agents']);
  if (listed === undefined) throw new NoFragment('The clipboard holds no actions of a story.');
  const places = layoutIn(form['diagram_layout']);
  const agents = listed.map((agent) => actionIn(agent, places));
  const links = (listIn(form['links']) ?? []).map((link) => linkIn(link, agents.length));
  const notes = (listIn(form['diagram_notes']) ?? listIn(form['notes']) ?? []).flatMap(noteIn);
  if (agents.length + notes.length === 0) throw new NoFragment('The clipboard holds no actions of a story.');
  for (const [part, list] of Object.entries({ actions: agents, links, notes })) {
    const most = MOST[part as keyof typeof MOST];
    if (list.length > most) throw new NoFragment(`A story may have ${most} ${part}.`);
  }
  return { fabula: 'fragment', agents, links, notes };
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    throw new NoFragment('The clipboard holds no actions of a story.', { cause: error });
  }
}

function actionIn(given: unknown, places: ReadonlyMap<string, Place>): GraphAction {
  const { id: _id, ...form } = objectIn(given);
  const { type, name, options = {} } = form;
  if (
    typeof type !== 'string' ||
    typeof name !== 'string' ||
    Array.isArray(options) ||
    !hasEntries(options)
  ) {
    throw new NoFragment('An action in the clipboard has no type, no name or no options.');
  }
  const { guid, position: at } = form;
  const position = placeIn(at) ?? (typeof guid === 'string' ? places.get(guid) : undefined);
  return { ...form, type, name, options: options as GraphAction['options'], position: position ?? null };
}

function linkIn(given: unknown, count: number): ExportedLink {
  const link = objectIn(given);
  const { source, receiver } = link;
  const isAction = (at: unknown) => Number.isInteger(at) && Number(at) >= 0 && Number(at) < count;
  if (!isAction(source) || !isAction(receiver)) {
    throw new NoFragment('A link in the clipboard leads to no action.');
  }
  return link as ExportedLink;
}

function noteIn(given: unknown): GraphNote[] {
  const { id: _id, ...form } = objectIn(given);
  if (typeof form['content'] !== 'string') return [];
  const place = placeIn(form['position']);
  return [{ ...form, content: form['content'], ...(place !== undefined && { position: place }) }];
}

/** Returns the places of actions by guid. An export has its layout as text in the text: guids with pairs of numbers. */
export function layoutIn(given: unknown): Map<string, Place> {
  const layout = typeof given === 'string' && given !== '' ? parsed(given) : given;
  if (!hasEntries(layout)) return new Map();
  return new Map(
    Object.entries(layout).flatMap(([guid, at]): [string, Place][] => {
      const place = placeIn(at);
      return place === undefined ? [] : [[guid, place]];
    }),
  );
}

/** Returns a place that is an object, or a pair of numbers; undefined: it is neither. */
export function placeIn(given: unknown): Place | undefined {
  if (!hasEntries(given)) return undefined;
  const [x, y] = Array.isArray(given) ? given : [Reflect.get(given, 'x'), Reflect.get(given, 'y')];
  return Number.isFinite(x) && Number.isFinite(y) ? { x: Number(x), y: Number(y) } : undefined;
}

function objectIn(value: unknown): Record<string, unknown> {
  return hasEntries(value) && !Array.isArray(value) ? { ...value } : {};
}

const listIn = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);
