import type { GraphAction, GraphNote } from '../../../../clients/typescript/api.js';
import { slugOf } from '../../text/action-slug.js';
import { freeName } from '../action-names.js';
import { fromGraph, type GraphParts, toGraphBody } from '../graph-draft.js';
import { withNewUses } from './action-step.js';
import { WEBHOOK_TYPE } from '../commands/link-commands.js';
import { asSets, isPlaced } from '../commands/selection-commands.js';
import {
  type Command,
  type DraftLink,
  keyOfLink,
  newGuid,
  type Place,
  type Selection,
  type StoryDraft,
} from '../story-draft.js';

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
          return [key, place === undefined ? action : { ...action, position: { x: place.x, y: place.y } }];
        }),
    ),
    links: draft.links,
    notes: new Map([...draft.notes].filter(([key]) => notes.has(key))),
    rest: {},
  };
  const { agents, links, notes: texts = [] } = toGraphBody(chosen);
  return { fabula: 'fragment', agents: agents.map(withoutId), links, notes: texts.map(withoutId) };
}

/** Returns the names that actions have once they are pasted: a new one for each that templates could not tell apart. */
export function pastedNames(draft: StoryDraft, agents: readonly Pick<GraphAction, 'name'>[]): string[] {
  const taken = new Set([...draft.actions.values()].map(({ name }) => slugOf(name)));
  const wanted = agents.map(({ name }) => slugOf(name));
  return agents.map(({ name }) => {
    // A name that another action of the fragment has would take that one's references.
    const free = taken.has(slugOf(name)) ? freeName(name, [...taken, ...wanted]) : name;
    taken.add(slugOf(free));
    return free;
  });
}

/**
 * Pastes a fragment `by` this far from where it was copied, in one step. Its parts get guids of their own, webhooks new
 * addresses, and an action whose name is taken another one. References to it are not changed here: only the server can read them.
 */
export function paste(fragment: Fragment, by: Place, guid: () => string = newGuid): Command {
  const { actions, links, notes } = fromGraph(withNewUses(fragment), { actions: guid, notes: guid });
  return (draft) => {
    const names = pastedNames(draft, [...actions.values()]);
    const added = [...actions].map(([key, action], at): [string, GraphAction] => {
      const name = names[at] ?? action.name;
      return [key, shifted(withoutAddress({ ...action, guid: key, name }), by)];
    });
    const count = actions.size + notes.size;
    return {
      label: count === 1 ? 'Paste 1 part' : `Paste ${count} parts`,
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

/** Pastes what was copied in the same story `by` this far, in one step. `words`: those for what it is. */
export function duplicate(fragment: Fragment, by: Place, words: string, guid?: () => string): Command {
  const command = paste(fragment, by, guid);
  return (draft) => ({ ...command(draft), label: `Duplicate ${words}` });
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
