import { isJsonObject } from '../../../platform/json.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { textOrEmpty } from '../../merge/merge-parts.js';
import { noteMarkOf, stepMarkOf } from '../step-mark.js';

/** One use of a step in a story: the actions that were inserted together. */
export interface StepUse {
  /** Tells it from other uses in the story; empty: its actions have none. */
  use: string;
  /** The oldest version that one of its actions has. */
  version: number;
  /** The guids of the actions in the story, by the actions in the step. */
  actions: Map<string, string>;
  /** The guids of the notes in the story, by the notes in the step. */
  notes: Map<string, string>;
}

/** Returns the uses of a step in a story, in the order of their first actions. A copied action begins a use of its own. */
export function usesIn(
  { agents, extra }: Pick<StoredStory, 'agents' | 'extra'>,
  stepGuid: string,
): StepUse[] {
  const uses = new Map<string, StepUse>();
  for (const { columns, extra } of agents) {
    const mark = stepMarkOf(extra);
    if (mark?.guid !== stepGuid) continue;
    const key = freeUse(mark.use, (use) => uses.get(use)?.actions.has(mark.action));
    const found = uses.get(key) ?? {
      use: mark.use ?? '',
      version: mark.version,
      actions: new Map(),
      notes: new Map(),
    };
    found.version = Math.min(found.version, mark.version);
    found.actions.set(mark.action, textOrEmpty(columns.guid));
    uses.set(key, found);
  }
  // A note of which no action is left belongs to the story alone.
  for (const note of Array.isArray(extra.diagram_notes) ? extra.diagram_notes : []) {
    const mark = isJsonObject(note) ? noteMarkOf(note) : undefined;
    if (!isJsonObject(note) || mark?.guid !== stepGuid || textOrEmpty(note.guid) === '') continue;
    const key = freeUse(mark.use, (use) => uses.get(use)?.notes.has(mark.note));
    uses.get(key)?.notes.set(mark.note, textOrEmpty(note.guid));
  }
  return [...uses.values()];
}

/** A copied part has the `use` of the one that it was copied from. */
function freeUse(name = '', isTaken: (key: string) => boolean | undefined): string {
  let [key, turn] = [name, 1];
  while (isTaken(key) === true) key = `${name} (${(turn += 1)})`;
  return key;
}
