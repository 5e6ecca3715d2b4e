import type { GraphAction } from '../../../clients/typescript/api.js';
import { type Command, newGuid, type StoryDraft, withItem } from './story-draft.js';
import { hasEntries } from '../text/exact-json.js';

/** The way to a value inside a value of JSON: keys of objects, and places in lists from 0. */
type Path = readonly (string | number)[];

/** Fields of an action that a form changes as a whole. */
export type ActionFields = Partial<Pick<GraphAction, 'disabled' | 'keep_events_for' | 'action_inputs'>> & {
  [key: string]: unknown;
};

/** Adds an action. `guid` is its key. */
export function addAction(action: GraphAction, guid = newGuid()): Command {
  return (draft) => ({
    label: `Add ${action.name}`,
    draft: { ...draft, actions: withItem(draft.actions, guid, { ...action, guid }) },
  });
}

/** Changes one value in the options of an action; undefined takes it out. @throws TypeError as `withValueAt`. */
export function setOption(key: string, path: Path, value: unknown): Command {
  return changed(
    key,
    (name) => `Change ${path[0] ?? 'options'} of ${name}`,
    (action) => ({ ...action, options: withValueAt(action.options, path, value) as GraphAction['options'] }),
  );
}

/** Replaces all options of an action, as its view of JSON does. */
export function setOptions(key: string, options: GraphAction['options']): Command {
  return changed(
    key,
    (name) => `Change options of ${name}`,
    (action) => ({ ...action, options }),
  );
}

/** Changes fields of an action besides its options; undefined takes one out. */
export function setFields(key: string, fields: ActionFields): Command {
  return changed(
    key,
    (name) => `Change ${name}`,
    (action) =>
      Object.entries(fields).reduce(
        (form, [field, value]) => withValueAt(form, [field], value) as GraphAction,
        action,
      ),
  );
}

/**
 * Renames an action. Templates name it by its name, and only the server can read them: `rewritten` has the options of the
 * actions that name it, by their keys, with the new name in them. All of it is one step.
 */
export function rename(
  key: string,
  name: string,
  rewritten: ReadonlyMap<string, GraphAction['options']> = new Map(),
): Command {
  return (draft) => {
    const actions = new Map(draft.actions);
    for (const [other, options] of rewritten) {
      const action = actions.get(other);
      if (action !== undefined) actions.set(other, { ...action, options });
    }
    const action = actions.get(key);
    if (action !== undefined) actions.set(key, { ...action, name });
    const count = rewritten.size === 0 ? '' : `, options of ${rewritten.size} too`;
    return { label: `Rename ${nameOf(draft, key)} to ${name}${count}`, draft: { ...draft, actions } };
  };
}

/** Returns the name of an action; empty for one that is gone. */
export function nameOf({ actions }: StoryDraft, key: string): string {
  return actions.get(key)?.name ?? '';
}

function changed(
  key: string,
  label: (name: string) => string,
  change: (action: GraphAction) => GraphAction,
): Command {
  return (draft) => {
    const action = draft.actions.get(key);
    return {
      label: label(nameOf(draft, key)),
      draft:
        action === undefined ? draft : { ...draft, actions: withItem(draft.actions, key, change(action)) },
    };
  };
}

/**
 * Returns a copy of `whole` with another value at the path; undefined takes the key or the item out. Objects and lists on the
 * way that are missing are made. @throws TypeError if the path leads into a text, a number, or by a key into a list.
 */
function withValueAt(whole: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') return withItemAt(listIn(whole), step, rest, value);
  const object = objectIn(whole);
  const inside = withValueAt(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  if (inside !== undefined) return { ...object, [step]: inside };
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== step));
}

function withItemAt(list: readonly unknown[], at: number, rest: Path, value: unknown): unknown[] {
  const inside = withValueAt(list[at], rest, value);
  return inside === undefined ? list.toSpliced(at, 1) : list.toSpliced(at, 1, inside);
}

function listIn(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new TypeError('The path leads into a value that is no list.');
  return value;
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!hasEntries(value) || Array.isArray(value)) {
    throw new TypeError('The path leads into a value that is no object.');
  }
  return value as Readonly<Record<string, unknown>>;
}
