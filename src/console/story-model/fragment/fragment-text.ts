import type { ExportedLink, GraphAction, GraphNote } from '../../../../clients/typescript/api.js';
import { hasEntries, parseExact } from '../../text/exact-json.js';
import { isTooDeep, MOST_LEVELS } from '../../text/nesting.js';
import type { Fragment } from './fragment.js';
import type { Place } from '../story-draft.js';

/** The most characters that a pasted text may have, and the most parts. YAML takes longer to read. */
const MOST = { characters: 8_000_000, yaml: 1_000_000, actions: 2_000, links: 20_000, notes: 10_000 };

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

/** Whether a text may be a story, a part of one or an action as YAML, as the view of text shows it. */
export const mayBeYaml = (text: string): boolean =>
  text.length <= MOST.yaml && /^(?:agents|links|notes|type|name):/m.test(text);

/**
 * Reads a fragment, an export of a story, a graph of the API, or a part of a story as the view of text shows it.
 * @throws NoFragment for any other text.
 */
export function fragmentIn(text: string): Fragment {
  if (text.length > MOST.characters) throw new NoFragment('The clipboard has too much text.');
  return fragmentOf(parsed(text));
}

/** Reads a fragment that was parsed already. @throws NoFragment as `fragmentIn`. */
export function fragmentOf(given: unknown): Fragment {
  if (isTooDeep(given)) throw new NoFragment(`The clipboard nests deeper than ${MOST_LEVELS} levels.`);
  const form = objectIn(given);
  const isAction = typeof form['type'] === 'string' && typeof form['name'] === 'string';
  const listed = listIn(form['agents']) ?? (isAction ? [form] : undefined);
  if (listed === undefined) throw new NoFragment('The clipboard has no actions of a story.');
  const places = layoutIn(form['diagram_layout']);
  const agents = listed.map((agent) => actionIn(agent, places));
  const links = (listIn(form['links']) ?? []).map((link) => linkIn(link, agents));
  const notes = (listIn(form['diagram_notes']) ?? listIn(form['notes']) ?? []).flatMap(noteIn);
  if (agents.length + notes.length === 0) throw new NoFragment('The clipboard has no actions of a story.');
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
    throw new NoFragment('The clipboard has no actions of a story.', { cause: error });
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

function linkIn(given: unknown, agents: readonly GraphAction[]): ExportedLink {
  const link = objectIn(given);
  return { ...link, source: placeOf(link['source'], agents), receiver: placeOf(link['receiver'], agents) };
}

/** Returns the place of an action that a link names by its place, by its guid, or by a name that no other one has. */
function placeOf(word: unknown, agents: readonly GraphAction[]): number {
  if (typeof word === 'string') {
    const named = agents.flatMap(({ name }, at) => (name === word ? [at] : []));
    const at = agents.findIndex(({ guid }) => guid === word);
    if (at >= 0) return at;
    if (named.length === 1 && named[0] !== undefined) return named[0];
    if (named.length > 1) throw new NoFragment(`Several actions in the clipboard are called "${word}".`);
  }
  if (Number.isInteger(word) && Number(word) >= 0 && Number(word) < agents.length) return Number(word);
  throw new NoFragment('A link in the clipboard leads to no action.');
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
