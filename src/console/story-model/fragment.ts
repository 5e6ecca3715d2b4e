import type { GraphAction, GraphNote } from '../../../clients/typescript/api.js';
import { freeName } from './action-names.js';
import { fromGraph, type GraphParts, toGraphBody } from './graph-draft.js';
import { WEBHOOK_TYPE } from './link-commands.js';
import { asSets, isPlaced, wordsOf } from './selection-commands.js';
import {
  type Command,
  type DraftLink,
  keyOfLink,
  newGuid,
  type Place,
  type Selection,
  type StoryDraft,
} from './story-draft.js';

/** A part of a story as text in the clipboard, much as an export has it. */
export interface Fragment extends GraphParts {
  fabula: 'fragment';
}

/**
 * Returns these actions and notes, and the links between them, without what only their story knows. `drawn` has places of
 * actions that have none in the story.
 */
export function copied(
  draft: StoryDraft,
  selection: Selection,
  drawn: ReadonlyMap<string, Place> = new Map(),
): Fragment {
  const { actions, notes } = asSets(selection);
  const chosen: StoryDraft = {
    actions: new Map(
      [...draft.actions]
        .filter(([key]) => actions.has(key))
        .map(([key, action]) => {
          const place = isPlaced(action) ? undefined : drawn.get(key);
          return [key, place === undefined ? action : { ...action, position: place }];
        }),
    ),
    links: draft.links,
    notes: new Map([...draft.notes].filter(([key]) => notes.has(key))),
    rest: {},
  };
  const { agents, links, notes: texts = [] } = toGraphBody(chosen);
  return { fabula: 'fragment', agents: agents.map(withoutId), links, notes: texts.map(withoutId) };
}

/**
 * Pastes a fragment `by` this far from where it was copied, in one step. Its parts get guids of their own, webhooks new
 * addresses, and an action whose name is taken another one: templates inside the fragment still have the name that was copied.
 */
export function paste(fragment: Fragment, by: Place, guid: () => string = newGuid): Command {
  const { actions, links, notes } = fromGraph(fragment, { actions: guid, notes: guid });
  return (draft) => {
    const names = [...draft.actions.values()].map(({ name }) => name);
    const added = [...actions].map(([key, action]): [string, GraphAction] => {
      const name = freeName(action.name, names);
      names.push(name);
      return [key, shifted(withoutAddress({ ...action, guid: key, name }), by)];
    });
    return {
      label: `Paste ${actions.size + notes.size} parts`,
      draft: {
        ...draft,
        actions: new Map([...draft.actions, ...added]),
        links: new Map([...draft.links, ...[...links.values()].map(named)]),
        notes: new Map([
          ...draft.notes,
          ...[...notes].map(([key, note]): [string, GraphNote] => [key, shifted({ ...note, guid: key }, by)]),
        ]),
      },
    };
  };
}

const named = (link: DraftLink): [string, DraftLink] => [keyOfLink(link), link];

function withoutId<Form extends { id?: number | null }>({ id: _id, ...form }: Form): Form {
  return form as Form;
}

/** Copies these actions and notes `by` this far, with the links between them, in one step. */
export function duplicate(
  draft: StoryDraft,
  selection: Selection,
  by: Place,
  { drawn, guid }: { drawn?: ReadonlyMap<string, Place>; guid?: () => string } = {},
): Command {
  const command = paste(copied(draft, selection, drawn), by, guid);
  const { actions = [], notes = [] } = selection;
  return (now) => ({ ...command(now), label: `Duplicate ${wordsOf(draft, { actions, notes })}` });
}

/** A webhook of its own has an address of its own, which the server gives to one that has none. */
function withoutAddress(action: GraphAction): GraphAction {
  if (action.type !== WEBHOOK_TYPE) return action;
  const { path: _path, secret: _secret, ...options } = action.options;
  return { ...action, options };
}

function shifted<Form extends Pick<GraphNote, 'position'>>(form: Form, by: Place): Form {
  const { position } = form;
  if (!position || Array.isArray(position)) return form;
  return { ...form, position: { x: position.x + by.x, y: position.y + by.y } };
}
