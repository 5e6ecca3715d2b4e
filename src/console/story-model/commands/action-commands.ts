import type { GraphAction } from '../../../../clients/typescript/api.js';
import { type Command, newGuid, type StoryDraft, withItem } from '../story-draft.js';
import { type Path, withValueAt } from '../value-in.js';

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

/**
 * Changes one value in the options of an action; undefined takes it out. Texts that follow each other at one place are one
 * step, as a person types them. @throws TypeError as `withValueAt`.
 */
export function setOption(key: string, path: Path, value: unknown): Command {
  const change = changed(
    key,
    (name) => `Change ${path[0] ?? 'options'} of ${name}`,
    (action) => ({ ...action, options: withValueAt(action.options, path, value) as GraphAction['options'] }),
  );
  if (typeof value !== 'string') return change;
  return (draft) => ({ ...change(draft), group: `option ${key} ${JSON.stringify(path)}` });
}

/** Replaces all options of an action, as its view of JSON does. Changes that follow each other are one step. */
export function setOptions(key: string, options: GraphAction['options']): Command {
  const change = changed(
    key,
    (name) => `Change options of ${name}`,
    (action) => ({ ...action, options }),
  );
  return (draft) => ({ ...change(draft), group: `options ${key}` });
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

/** Changes when an action starts runs by itself. Changes of as many schedules that follow each other are one step. */
export function setSchedule(key: string, schedules: readonly unknown[]): Command {
  const schedule = schedules.length === 0 ? null : schedules;
  const change = changed(
    key,
    (name) => `Change schedule of ${name}`,
    (action) => ({ ...action, schedule }),
  );
  return (draft) => ({ ...change(draft), group: `schedule ${key} ${schedules.length}` });
}

/** What a new name changes besides the name, by the keys of the parts. */
export interface Rewritten {
  /** Fields of actions with the new name in their templates. */
  actions: ReadonlyMap<string, Partial<GraphAction>>;
  /** Texts of notes. */
  notes: ReadonlyMap<string, string>;
  /** How many references change. */
  count: number;
}

/**
 * Renames an action. Templates name it by its name, and only the server can read them: `rewritten` is what it found. All of it
 * is one step.
 */
export function rename(key: string, name: string, rewritten?: Rewritten): Command {
  return (draft) => {
    const actions = new Map(draft.actions);
    for (const [other, fields] of rewritten?.actions ?? []) {
      const action = actions.get(other);
      if (action !== undefined) actions.set(other, { ...action, ...fields });
    }
    const action = actions.get(key);
    if (action !== undefined) actions.set(key, { ...action, name });
    const notes = new Map(draft.notes);
    for (const [other, content] of rewritten?.notes ?? []) {
      const note = notes.get(other);
      if (note !== undefined) notes.set(other, { ...note, content });
    }
    const count = rewritten?.count ?? 0;
    const words = count === 0 ? '' : count === 1 ? ', 1 reference' : `, ${count} references`;
    return { label: `Rename ${nameOf(draft, key)} to ${name}${words}`, draft: { ...draft, actions, notes } };
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
