import type {
  ExportedLink,
  GraphAction,
  GraphNote,
  StoryGraphChanges,
} from '../../../clients/typescript/api.js';
import { type DraftLink, keyOfLink, type StoryDraft } from './story-draft.js';

type Item = { id?: number | null; guid?: string | null };

/** Actions, links between them by their places, and notes: a graph of the server, or a part of one. */
export interface GraphParts {
  agents: readonly GraphAction[];
  links: readonly ExportedLink[];
  notes: readonly GraphNote[];
}

/** Returns the keys that parts of a graph have already; undefined for a part that is new. */
export interface KnownKeys {
  actions?: (action: GraphAction, at: number) => string | undefined;
  notes?: (note: Item, at: number) => string | undefined;
}

/**
 * Reads a graph of `GET /stories/:id/graph`. `known` names parts that were in an earlier draft, so that they keep their keys:
 * the server gives a new action another guid than it came with.
 * @throws RangeError if a link has an end that is no action; the server has no such links.
 */
export function fromGraph(graph: GraphParts, known: KnownKeys = {}): StoryDraft {
  const { agents, links, notes, ...others } = graph;
  const actions = keyed(agents, (action, at) => known.actions?.(action, at) ?? action.guid);
  const keys = [...actions.keys()];
  const ends = links.map((form): DraftLink => {
    const [source, receiver] = [keys[form.source], keys[form.receiver]];
    if (source === undefined || receiver === undefined) throw new RangeError('A link leads to no action.');
    return { source, receiver, form: { ...form, source: 0, receiver: 0 } };
  });
  return {
    actions,
    links: keyed(ends, keyOfLink),
    notes: keyed(notes, (note, at) => known.notes?.(note, at) ?? (note.guid || `note ${note.id}`)),
    rest: others,
  };
}

/**
 * Returns the body of `PUT /stories/:id/graph`. It has the version that the draft was read with, so a story that has changed
 * since is never overwritten. The server refuses the id of an action that it has no longer, as when a removal that
 * was saved is taken back: ids that `stored` lacks are left out, and the action is a new one.
 */
export function toGraphBody(draft: StoryDraft, stored: StoryDraft = draft): StoryGraphChanges {
  const at = new Map([...draft.actions.keys()].map((key, index) => [key, index]));
  return {
    ...draft.rest,
    agents: [...draft.actions.values()].map(onlyIdsOf(stored.actions.values())),
    links: [...draft.links.values()].flatMap(({ source, receiver, form }) => {
      const ends = { source: at.get(source), receiver: at.get(receiver) };
      return ends.source === undefined || ends.receiver === undefined
        ? []
        : [{ ...form, source: ends.source, receiver: ends.receiver }];
    }),
    notes: [...draft.notes.values()].map(onlyIdsOf(stored.notes.values())),
  };
}

function onlyIdsOf(stored: Iterable<Item>): <Form extends Item>(form: Form) => Form {
  const ids = new Set([...stored].map(({ id }) => id));
  return (form) => {
    if (!('id' in form) || ids.has(form.id)) return form;
    const { id: _gone, ...rest } = form;
    return rest as typeof form;
  };
}

/** Names each item; one without a name is named by its place, and one with that of another by a number too. */
function keyed<Form>(
  items: readonly Form[],
  keyOf: (item: Form, at: number) => string | undefined,
): Map<string, Form> {
  const list = new Map<string, Form>();
  for (const [at, item] of items.entries()) {
    const wanted = keyOf(item, at) ?? `number ${at}`;
    let key = wanted;
    for (let count = 2; list.has(key); count += 1) key = `${wanted} (${count})`;
    list.set(key, item);
  }
  return list;
}
