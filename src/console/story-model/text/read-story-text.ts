import type { ExportedLink, GraphAction, GraphNote } from '../../../../clients/typescript/api.js';
import { hasEntries } from '../../text/exact-json.js';
import { type ReadText, TextFault } from '../../text/formats/text-format.js';
import { mayLink } from '../commands/link-commands.js';
import { isSame } from '../same-value.js';
import { type DraftLink, keyOfLink, newGuid, type StoryDraft, withItem } from '../story-draft.js';
import type { Path } from '../value-in.js';
import { actionFault, linkFault, noteFault, type PartFault } from './part-faults.js';
import { isOneAction, partsIn, type TextScope } from './story-text.js';

type Form = Readonly<Record<string, unknown>>;
type Keys = ReadonlyMap<unknown, string>;

/** The keys of new parts, in the order in which a text has them: the next reading gives them the same. */
export interface MadeKeys {
  actions: string[];
  notes: string[];
}

/** What a reading is about. */
interface Reading {
  read: ReadText;
  /** The draft that the text showed before it was changed. */
  shown: StoryDraft;
  scope: TextScope;
  made: MadeKeys;
}

/**
 * Returns the draft that a text says: `shown` with the parts of the text. What the text says no differently is the same
 * object as in `shown`; a list that the text lacks is as it was.
 * @throws TextFault for a text that is no part of a story, at the place of its first fault.
 */
export function readStoryText(reading: Reading): StoryDraft {
  const { read, shown, scope } = reading;
  const { value } = read;
  if (scope !== 'story' && 'options' in scope) {
    return withOptions(shown, scope.options, objectAt(reading, value, []));
  }
  const lists = isOneAction(scope) ? { agents: [value] } : objectAt(reading, value, []);
  for (const name of Object.keys(lists)) {
    if (name !== 'agents' && name !== 'links' && name !== 'notes') {
      throw faultAt(reading, [name], `There is no "${name}" here: a story has agents, links and notes.`);
    }
  }
  const before = partsIn(shown, scope);
  const actions = readParts<GraphAction>(reading, lists['agents'], {
    name: 'agents',
    all: shown.actions,
    before: before.actions,
    made: reading.made.actions,
    faultIn: actionFault,
  });
  const notes = readParts<GraphNote>(reading, lists['notes'], {
    name: 'notes',
    all: shown.notes,
    before: before.notes,
    made: reading.made.notes,
    faultIn: noteFault,
  });
  const next = { ...shown, actions: actions.parts, notes: notes.parts };
  const links =
    lists['links'] === undefined ? shown.links : linksIn(reading, lists['links'], next, actions.inText);
  return { ...next, links: withoutLoose(links, next.actions) };
}

function withOptions(shown: StoryDraft, key: string, form: Form): StoryDraft {
  const action = shown.actions.get(key);
  if (action === undefined) return shown;
  const options = inOrderOf(action.options, form) as GraphAction['options'];
  return options === action.options
    ? shown
    : { ...shown, actions: withItem(shown.actions, key, { ...action, options }) };
}

interface PartList<Part> {
  name: 'agents' | 'notes';
  all: ReadonlyMap<string, Part>;
  before: readonly [string, Part][];
  made: string[];
  faultIn: (form: Form, was: Form | undefined) => PartFault | undefined;
}

/** Returns all parts after the text, and the keys of those that it has. */
function readParts<Part extends GraphAction | GraphNote>(
  reading: Reading,
  given: unknown,
  list: PartList<Part>,
): { parts: ReadonlyMap<string, Part>; inText: string[] } {
  const { all, before, made } = list;
  if (given === undefined) return { parts: all, inText: before.map(([key]) => key) };
  const byId = new Map([...all].map(([key, { id }]) => [id, key]));
  const byGuid = new Map(
    [...all].toReversed().flatMap(([key, { guid }]) => [
      [key, key],
      [guid, key],
    ]),
  );
  const place = (at: number): Path => (isOneAction(reading.scope) ? [] : [list.name, at]);
  const own = new Set(before.map(([key]) => key));
  const found = new Map<string, Part>();
  let count = 0;
  for (const [at, item] of itemsAt(reading, given, place).entries()) {
    const form = objectAt(reading, item, place(at));
    const known = isOneAction(reading.scope) ? before[0]?.[0] : knownKey(form, { byId, byGuid });
    const key = known ?? (textIn(form['guid']) || nth(made, count++));
    if (found.has(key)) {
      throw faultAt(reading, [...place(at), 'guid'], 'A part above has this guid. A new part needs none.');
    }
    const was = all.get(key);
    if (was !== undefined && !own.has(key)) {
      throw faultAt(reading, [...place(at), 'guid'], 'A part outside of this text has this guid.');
    }
    const part = was === undefined ? ({ ...form, guid: key } as unknown as Part) : completed(was, form);
    const fault = list.faultIn(form, was);
    if (fault !== undefined) throw faultAt(reading, [...place(at), ...fault.path], fault.message);
    if (isOneAction(reading.scope) && part.guid !== was?.guid) {
      throw faultAt(reading, ['guid'], 'The guid of an action cannot be changed.');
    }
    found.set(key, part);
  }
  const kept = [...all].filter(([key]) => !own.has(key) || found.has(key));
  const parts = new Map(kept.map(([key, part]) => [key, found.get(key) ?? part]));
  for (const [key, part] of found) parts.set(key, part);
  return { parts, inText: [...found.keys()] };
}

function knownKey(form: Form, { byId, byGuid }: { byId: Keys; byGuid: Keys }): string | undefined {
  const { id, guid } = form;
  const ofId = typeof id === 'number' ? byId.get(id) : undefined;
  return ofId ?? (textIn(guid) === '' ? undefined : byGuid.get(guid));
}

function nth(made: string[], at: number): string {
  const key = made[at] ?? newGuid();
  made[at] = key;
  return key;
}

/** The text need not say who a part is; the order of its keys means nothing. */
function completed<Part extends object>(was: Part, form: Form): Part {
  const old = was as Record<string, unknown>;
  const said: Record<string, unknown> = { ...form };
  for (const name of ['id', 'guid']) if (!(name in said) && name in old) said[name] = old[name];
  return inOrderOf(was, said) as Part;
}

/** Returns an object with the keys in the order of another; the other itself if they are equal. */
function inOrderOf(was: object, form: Form): object {
  const names = [...Object.keys(was).filter((name) => Object.hasOwn(form, name)), ...Object.keys(form)];
  const ordered = Object.fromEntries([...new Set(names)].map((name) => [name, form[name]]));
  return isSame(was, ordered) ? was : ordered;
}

/** Links are found again by their ends and their type; of equal ones, the first is the first. */
function linksIn(
  reading: Reading,
  given: unknown,
  next: StoryDraft,
  inText: readonly string[],
): ReadonlyMap<string, DraftLink> {
  const { shown, scope } = reading;
  const free = new Map<string, string[]>();
  for (const [key, link] of partsIn(shown, scope).links) {
    free.set(keyOfLink(link), [...(free.get(keyOfLink(link)) ?? []), key]);
  }
  const own = new Set([...free.values()].flat());
  const keyOfWord = wordsIn(reading, next);
  const found = new Map<string, DraftLink>();
  for (const [at, item] of itemsAt(reading, given, (at) => ['links', at]).entries()) {
    const form = objectAt(reading, item, ['links', at]);
    const fault = linkFault(form);
    if (fault !== undefined) throw faultAt(reading, ['links', at, ...fault.path], fault.message);
    const end = (name: 'source' | 'receiver') => {
      const word = form[name];
      const key = typeof word === 'number' ? inText[word] : keyOfWord(String(word));
      if (typeof key === 'string') return key;
      throw faultAt(reading, ['links', at, name], endFault(word, key === null));
    };
    const ends = { source: end('source'), receiver: end('receiver') };
    const said: DraftLink = { ...ends, form: { ...form, source: 0, receiver: 0 } };
    const key = free.get(keyOfLink(said))?.shift();
    const was = key === undefined ? undefined : shown.links.get(key);
    if (was === undefined && !mayLink(next, ends.source, ends.receiver)) {
      throw faultAt(reading, ['links', at, 'receiver'], 'Links cannot lead to a webhook.');
    }
    const linkForm = inOrderOf(was?.form ?? {}, said.form) as ExportedLink;
    found.set(key ?? freeKey(keyOfLink(said), [shown.links, found]), {
      ...said,
      form: linkForm,
      ...(was !== undefined && linkForm === was.form && was),
    });
  }
  const kept = [...shown.links].filter(([key]) => !own.has(key) || found.has(key));
  const links = new Map(kept.map(([key, link]) => [key, unlessSame(link, found.get(key))]));
  for (const [key, link] of found) if (!links.has(key)) links.set(key, link);
  return links;
}

const unlessSame = (was: DraftLink, is: DraftLink | undefined) =>
  is === undefined || isSame(was, is) ? was : is;

const endFault = (word: unknown, isShared: boolean) =>
  isShared
    ? `Several actions are called "${String(word)}": write the guid of one.`
    : `No action is called "${String(word)}".`;

/** Finds the key of an action by its guid, its name, or the name that it had before; null: several have the name. */
function wordsIn({ shown }: Reading, next: StoryDraft): (word: string) => string | null | undefined {
  const guids = new Map([...next.actions].toReversed().map(([key, { guid = key }]) => [guid, key]));
  const [names, before] = [next, shown].map(({ actions }) => {
    const found = new Map<string, string | null>();
    for (const [key, { name }] of actions) found.set(name, found.has(name) ? null : key);
    return found;
  });
  return (word) => {
    if (next.actions.has(word)) return word;
    const key = guids.get(word) ?? names?.get(word);
    if (key !== undefined) return key;
    const old = before?.get(word);
    return typeof old === 'string' && next.actions.has(old) ? old : undefined;
  };
}

function freeKey(wanted: string, lists: readonly ReadonlyMap<string, unknown>[]): string {
  let key = wanted;
  for (let count = 2; lists.some((list) => list.has(key)); count += 1) key = `${wanted} (${count})`;
  return key;
}

function withoutLoose(
  links: ReadonlyMap<string, DraftLink>,
  actions: StoryDraft['actions'],
): ReadonlyMap<string, DraftLink> {
  const kept = [...links].filter(([, { source, receiver }]) => actions.has(source) && actions.has(receiver));
  return kept.length === links.size ? links : new Map(kept);
}

function itemsAt(reading: Reading, given: unknown, place: (at: number) => Path): unknown[] {
  if (Array.isArray(given)) return given;
  throw faultAt(reading, place(0).slice(0, -1), 'This must be a list.');
}

function objectAt(reading: Reading, value: unknown, path: Path): Form {
  if (hasEntries(value) && !Array.isArray(value)) return value as Form;
  throw faultAt(reading, path, 'This must be an object: keys with values.');
}

const faultAt = ({ read }: Reading, path: Path, message: string): TextFault =>
  new TextFault(message, read.offsetOf(path));

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
