import type { StoredStory } from '../../export/story-export-store.js';
import { textOrEmpty } from '../../merge/merge-parts.js';
import { stepMarkOf } from '../step-mark.js';

/** One use of a step in a story: the actions that were inserted together. */
export interface StepUse {
  /** What tells it from other uses in the story; empty: its actions have none. */
  use: string;
  /** The oldest version that one of its actions has. */
  version: number;
  /** The guids of the actions in the story, by the actions in the step. */
  actions: Map<string, string>;
}

/** Returns the uses of a step in a story, in the order of their first actions. A copied action begins a use of its own. */
export function usesIn({ agents }: Pick<StoredStory, 'agents'>, stepGuid: string): StepUse[] {
  const uses = new Map<string, StepUse>();
  for (const { columns, extra } of agents) {
    const mark = stepMarkOf(extra);
    if (mark?.guid !== stepGuid) continue;
    const name = mark.use ?? '';
    let [key, turn] = [name, 1];
    while (uses.get(key)?.actions.has(mark.action)) key = `${name} (${(turn += 1)})`;
    const found = uses.get(key) ?? { use: name, version: mark.version, actions: new Map() };
    found.version = Math.min(found.version, mark.version);
    found.actions.set(mark.action, textOrEmpty(columns.guid));
    uses.set(key, found);
  }
  return [...uses.values()];
}
