import type { GraphAction, GraphNote } from '../../../../clients/typescript/api.js';
import type { TextFormat } from '../../text/formats/text-format.js';
import { asSets } from '../commands/selection-commands.js';
import type { DraftLink, Selection, StoryDraft } from '../story-draft.js';

/** What a text shows: these parts of a story with the links between them, the options of an action, or the whole story. */
export type TextScope = Selection | { options: string } | 'story';

/** The parts that a text shows, by their keys. */
export interface ScopeParts {
  actions: [string, GraphAction][];
  links: [string, DraftLink][];
  notes: [string, GraphNote][];
}

/** A part of a story with an identity. */
type Part = GraphAction | GraphNote;

/** Returns whether a scope is one action, whose text is the action itself. */
export function isOneAction(scope: TextScope): boolean {
  if (scope === 'story' || 'options' in scope) return false;
  const { actions = [], links = [], notes = [] } = scope;
  return actions.length === 1 && links.length + notes.length === 0;
}

/** Returns the parts of a draft that a text of this scope shows. */
export function partsIn(draft: StoryDraft, scope: TextScope): ScopeParts {
  if (scope === 'story') {
    return { actions: [...draft.actions], links: [...draft.links], notes: [...draft.notes] };
  }
  if ('options' in scope) return { actions: [], links: [], notes: [] };
  const { actions, links, notes } = asSets(scope);
  const isLinkIn = ([key, { source, receiver }]: [string, DraftLink]) =>
    !isOneAction(scope) && (links.has(key) || (actions.has(source) && actions.has(receiver)));
  return {
    actions: [...draft.actions].filter(([key]) => actions.has(key)),
    links: [...draft.links].filter(isLinkIn),
    notes: [...draft.notes].filter(([key]) => notes.has(key)),
  };
}

/** Writes parts of stories as text. What has not changed since is not written again. */
export function createStoryWriter({ write, item, lists }: TextFormat) {
  const known = new WeakMap<object, string>();
  const itemOf = (part: object, shown: object) => {
    const text = known.get(part) ?? item(shown);
    known.set(part, text);
    return text;
  };
  return (draft: StoryDraft, scope: TextScope): string => {
    if (scope !== 'story' && 'options' in scope) {
      return write(draft.actions.get(scope.options)?.options ?? {});
    }
    const { actions, links, notes } = partsIn(draft, scope);
    const shared = { actions: sharedGuids(draft.actions), notes: sharedGuids(draft.notes) };
    const [first] = actions;
    if (first !== undefined && isOneAction(scope)) return write(shownOf(first[1], shared.actions));
    const wordOf = wordsOfActions(draft);
    return lists([
      ['agents', actions.map(([, action]) => itemOf(action, shownOf(action, shared.actions)))],
      [
        'links',
        links.map(([, { source, receiver, form }]) =>
          item({ ...form, source: wordOf(source), receiver: wordOf(receiver) }),
        ),
      ],
      ['notes', notes.map(([, note]) => itemOf(note, shownOf(note, shared.notes)))],
    ]);
  };
}

/** A guid names a part well enough; an id is shown where there is none. */
function shownOf(part: Part, shared: ReadonlySet<unknown>): object {
  if (!part.guid || shared.has(part.guid)) return part;
  const { id: _id, ...shown } = part;
  return shown;
}

function sharedGuids(parts: ReadonlyMap<string, Part>): Set<unknown> {
  const seen = new Set<unknown>();
  const shared = new Set<unknown>();
  for (const { guid } of parts.values()) (seen.has(guid) ? shared : seen).add(guid);
  return shared;
}

/** Returns what links call an action: its name, or its key where others have the name. */
function wordsOfActions({ actions }: StoryDraft): (key: string) => string {
  const counts = new Map<string, number>();
  for (const { name } of actions.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const guids = new Set([...actions].flatMap(([key, { guid = '' }]) => [key, guid]));
  return (key) => {
    const name = actions.get(key)?.name ?? '';
    return counts.get(name) === 1 && !guids.has(name) ? name : key;
  };
}
