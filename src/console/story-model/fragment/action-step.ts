import type { GraphAction, GraphNote } from '../../../../clients/typescript/api.js';
import { hasEntries } from '../../text/exact-json.js';
import { type Command, newGuid, type StoryDraft } from '../story-draft.js';

/** The step that an action came from, as the action remembers it. */
export interface StepMark {
  /** The guid of the step. */
  guid: string;
  version: number;
  /** The action in the step. */
  action: string;
  /** Tells two uses of a step in one story apart. */
  use?: string;
}

/** The step that a note came from; it has the version of the actions that came with it. */
export interface NoteMark extends Pick<StepMark, 'guid' | 'use'> {
  /** The note in the step. */
  note: string;
}

/** Actions and notes. */
interface Parts {
  agents: readonly GraphAction[];
  notes: readonly GraphNote[];
}

const MARK = 'fabula_step';

function markIn(part: object): Record<string, unknown> {
  const mark: unknown = Reflect.get(part, MARK);
  return hasEntries(mark) && !Array.isArray(mark) ? (mark as Record<string, unknown>) : {};
}

/** Returns the step that a note came from; undefined: it came from none. */
export function stepOfNote(part: GraphNote): NoteMark | undefined {
  const { guid, note, use } = markIn(part);
  if (typeof guid !== 'string' || typeof note !== 'string') return undefined;
  return { guid, note, ...(typeof use === 'string' && { use }) };
}

/** Returns the step that an action came from; undefined: it came from none. */
export function stepOf(action: GraphAction): StepMark | undefined {
  const { guid, version, action: own, use } = markIn(action);
  if (typeof guid !== 'string' || typeof version !== 'number' || typeof own !== 'string') return undefined;
  return { guid, version, action: own, ...(typeof use === 'string' && { use }) };
}

/** One use of a step in a story. */
const keyOfUse = (mark: StepMark | NoteMark | undefined) => mark && `${mark.guid} ${mark.use ?? ''}`;

/** Returns parts that are inserted: those that came from one use of a step are a use of their own. */
export function withNewUses<Inserted extends Parts>(
  parts: Inserted,
  newUse: () => string = newGuid,
): Inserted {
  const uses = new Map<string, string>();
  const renewed = <Part extends object>(part: Part, mark: StepMark | NoteMark | undefined): Part => {
    const key = keyOfUse(mark);
    if (key === undefined) return part;
    const use = uses.get(key) ?? newUse();
    uses.set(key, use);
    return { ...part, [MARK]: { ...mark, use } };
  };
  return {
    ...parts,
    agents: parts.agents.map((action) => renewed(action, stepOf(action))),
    notes: parts.notes.map((note) => renewed(note, stepOfNote(note))),
  };
}

/** Returns the keys of the notes that came with one of these actions. */
export function notesOfUses({ actions, notes }: StoryDraft, keys: Iterable<string>): string[] {
  const uses = new Set(
    [...keys].flatMap((key) => {
      const action = actions.get(key);
      return (action && keyOfUse(stepOf(action))) ?? [];
    }),
  );
  return [...notes].flatMap(([key, note]) => (uses.has(keyOfUse(stepOfNote(note)) ?? '') ? [key] : []));
}

/** The steps that parts came from, by the keys of the parts. */
export interface StepMarks {
  actions: ReadonlyMap<string, StepMark>;
  notes: ReadonlyMap<string, NoteMark>;
}

/** Says of actions and notes that they came from a step. */
export function markAsStep(name: string, marks: StepMarks): Command {
  return (draft) => ({
    label: `Connect with the step ${name}`,
    draft: {
      ...draft,
      actions: new Map(
        [...draft.actions].map(([key, action]) => {
          const mark = marks.actions.get(key);
          return [key, mark === undefined ? action : { ...action, [MARK]: mark }];
        }),
      ),
      notes: new Map(
        [...draft.notes].map(([key, note]) => {
          const mark = marks.notes.get(key);
          // A step finds its notes by their guids, which not every note has.
          return [key, mark === undefined ? note : { ...note, guid: note.guid || newGuid(), [MARK]: mark }];
        }),
      ),
    },
  });
}
